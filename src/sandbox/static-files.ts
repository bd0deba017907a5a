/** Data files of the sandbox. esbuild.mjs copies `static/` beside the bundle. */
import fs from 'node:fs';
import * as z from 'zod/mini';
import { parseJson } from '../platform/json/parse-json.ts';

/** Reads a file by its path below `static/`. */
export function readStaticFile(name: string): Buffer {
  return fs.readFileSync(new URL(`static/${name}`, import.meta.url));
}

/** Reads a file of `static/world`. Numbers keep their digits. */
export function readWorld<Schema extends z.ZodMiniType>(name: string, schema: Schema): z.output<Schema> {
  return z.parse(schema, parseJson(readStaticFile(`world/${name}.json`).toString()));
}
