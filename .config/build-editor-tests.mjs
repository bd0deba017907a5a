// Builds the in-editor tests on the chunks that ship.
import fs from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { collectImports } from './describe-pages.mjs';
import { EDITOR_TESTS, ROOT } from '../test/runtime/paths.ts';

/** @type {(pattern: string) => string[]} */
const glob = (pattern) => fs.globSync(pattern, { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));

/**
 * Builds the extension and its in-editor tests at once, so that they share the chunks that ship.
 * @param {esbuild.BuildOptions} options
 * @param {Record<string, string>} shippedEntries
 */
export async function buildWithEditorTests(options, shippedEntries) {
  const result = await esbuild.build({
    ...options,
    metafile: true,
    write: false,
    entryPoints: {
      ...shippedEntries,
      'test/extension': 'test/editor/extension.ts',
      'test/extension-host-entry': 'test/runtime/extension-host-entry.ts',
      ...Object.fromEntries(glob('test/{bench,editor/first}/*.test.ts').map((file) => [file.slice(0, -3), file])),
    },
    // All suites as one module (`stdin.mjs`): an entry for each would split the extension into many more chunks.
    stdin: {
      resolveDir: ROOT,
      contents: glob('test/editor/{*,!(first)/*}.test.ts')
        .sort()
        .map((file) => `import './${file}';`)
        .join('\n'),
    },
  });
  const { outputFiles, metafile } = result;
  const shipped = new Set(
    Object.keys(shippedEntries).flatMap((name) => [...collectImports(metafile.outputs, `dist/${name}.mjs`)]),
  );
  const chunks = [...shipped].filter((file) => /-[A-Z\d]{8}\.mjs$/.test(file)).sort();
  const numbers = new Map(chunks.map((file, index) => [path.posix.basename(file), `${index.toString(36)}.mjs`]));
  const rename = (/** @type {string} */ file) =>
    file.replace(/[^/]+\.mjs(?=(?:\.map)?$)/, (/** @type {string} */ name) => numbers.get(name) ?? name);
  for (const { path: file, contents, text } of outputFiles) {
    const relative = path.relative(ROOT, file).replaceAll('\\', '/');
    const folder = shipped.has(relative.replace(/\.map$/, '')) ? path.join(ROOT, 'dist') : EDITOR_TESTS;
    const target = path.join(folder, path.posix.relative('dist', rename(relative)));
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, file.endsWith('.mjs') ? trim(text, numbers, options.banner?.['js'] ?? '') : contents);
  }
  /** @type {esbuild.Metafile['outputs']} */
  const outputs = {};
  for (const [file, output] of Object.entries(metafile.outputs)) outputs[rename(file)] = output;
  return { ...result, metafile: { ...metafile, outputs } };
}

/**
 * A module without what takes a part of the package in each of 200 files: long names of other modules, the definition of
 * `require` if it has no use for it, and the name of its source map, which is not packed. Lines stay where they are.
 * @param {string} code
 * @param {ReadonlyMap<string, string>} numbers the names that modules get
 * @param {string} banner
 */
function trim(code, numbers, banner) {
  const text = code
    .replace(/\n\/\/# sourceMappingURL=.*\n$/, '\n')
    .replaceAll(
      /(["'`](?:\.\.?\/)+)([\w.-]+)(?=["'`])/g,
      (all, /** @type {string} */ start, /** @type {string} */ name) => {
        const number = numbers.get(name);
        return number === undefined ? all : `${start}${number}`;
      },
    );
  const rest = text.replace(banner, '');
  return /\brequire\b/.test(rest) ? text : rest;
}
