// Writes the compressed files that ship: brotli is a fifth smaller than the compression of the .vsix.
import fs from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { ROOT } from '../test/runtime/paths.ts';

/**
 * Writes a value as compressed JSON, for `readCompressed`.
 * @param {string} file
 * @param {unknown} value
 */
export function writeCompressed(file, value) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, brotliCompressSync(JSON.stringify(value)));
}

/**
 * Writes the files of the sandbox as one, for `readStaticFile`: by their names, a character for each byte.
 * @param {string} folder where it is written: that of the bundles
 */
export function writeStaticFiles(folder) {
  const cwd = path.join(ROOT, 'src/sandbox/static');
  const files = fs.globSync('*/*', { cwd }).sort();
  const contents = files.map((file) => [file.replaceAll('\\', '/'), fs.readFileSync(path.join(cwd, file), 'latin1')]);
  writeCompressed(path.join(folder, 'static.br'), Object.fromEntries(contents));
}
