/** Files of the build. */

/** Reads a file that `.config/compressed-files.mjs` wrote. Throws Error if there is none. */
export function readCompressed(file: URL): unknown {
  // Not imported: activation loads no file system for English.
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { brotliDecompressSync } = process.getBuiltinModule('node:zlib');
  return JSON.parse(brotliDecompressSync(readFileSync(file)).toString());
}
