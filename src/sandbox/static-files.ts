/** Data files of the sandbox. esbuild.mjs copies `static/` beside the bundle. */
import fs from 'node:fs';

/** Reads a file by its path below `static/`. */
export function readStaticFile(name: string): Buffer {
  return fs.readFileSync(new URL(`static/${name}`, import.meta.url));
}
