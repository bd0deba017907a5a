/** Data files of the sandbox. The build makes one of `static/`, beside the bundle: `.config/compressed-files.mjs`. */
import fs from 'node:fs';
import * as z from 'zod/mini';
import { parseJson } from '../platform/json/parse-json.ts';
import { readCompressed } from '../platform/json/read-compressed.ts';

const filesSchema = z.record(z.string(), z.string());
let files: z.output<typeof filesSchema> | undefined;

/** Reads a file by its path below `static/`. */
export function readStaticFile(name: string): Buffer {
  const packed = new URL('static.br', import.meta.url);
  if (!fs.existsSync(packed)) return fs.readFileSync(new URL(`static/${name}`, import.meta.url));
  files ??= z.parse(filesSchema, readCompressed(packed));
  return Buffer.from(files[name] ?? '', 'latin1');
}

/** Reads a file of `static/world`. Numbers keep their digits. */
export function readWorld<Schema extends z.ZodMiniType>(name: string, schema: Schema): z.output<Schema> {
  return z.parse(schema, parseJson(readStaticFile(`world/${name}.json`).toString()));
}
