// Builds the in-editor tests on the chunks that ship.
import fs from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { collectImports } from './page-messages.mjs';
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
  for (const { path: file, contents } of outputFiles) {
    const relative = path.relative(ROOT, file).replaceAll('\\', '/');
    const target = shipped.has(relative.replace(/\.map$/, ''))
      ? file
      : path.resolve(EDITOR_TESTS, path.relative('dist', relative));
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, contents);
  }
  return result;
}
