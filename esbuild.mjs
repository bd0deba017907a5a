// Builds what is shipped or run, packs the .vsix and checks the size budgets.
//   node esbuild.mjs [--watch] [--production] [--package] [--editor-tests]
import fs from 'node:fs';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import * as esbuild from 'esbuild';
import { withLock } from './test/runtime/lock.ts';

const ROOT = import.meta.dirname;
const VSIX = '.cache/smart-object-explorer.vsix';
/** What only the in-editor tests need; host-run.ts copies it beside the installed extension. */
const EDITOR_TESTS = '.cache/editor-tests';
const MAX_VSIX = 1536 * 1024;
const MAX_WEBVIEW = 150 * 1024;

const options = new Set(process.argv.slice(2));
const production = options.has('--production') || options.has('--package');

/** @type {(pattern: string) => string[]} */
const glob = (pattern) => fs.globSync(pattern, { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));
/** @type {(files: string[], name: (file: string) => string) => Record<string, string>} */
const named = (files, name) => Object.fromEntries(files.map((file) => [name(file), file]));

/** @type {esbuild.BuildOptions} */
const common = {
  absWorkingDir: ROOT,
  bundle: true,
  metafile: true,
  minify: production,
  legalComments: 'none',
  logLevel: options.has('--watch') ? 'info' : 'warning',
  mainFields: ['module', 'main'],
  // .vscodeignore keeps the maps out of the .vsix.
  sourcemap: 'linked',
  sourcesContent: !production,
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
};
/** @type {esbuild.BuildOptions} */
const node = {
  ...common,
  outdir: 'dist',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  platform: 'node',
  target: 'node22',
  external: ['vscode'],
  // CommonJS dependencies call `require`, which ES modules do not have.
  banner: {
    js: `import{createRequire as createRequire0}from'node:module';const require=createRequire0(import.meta.url);`,
  },
};
/** @type {esbuild.BuildOptions} */
const extension = { ...node, splitting: true, chunkNames: '[name]-[hash]', entryPoints: ['src/extension.ts'] };
/** The same with the in-editor tests: in one build, so that they share the chunks that ship. */
const withEditorTests = () => ({
  ...extension,
  write: false,
  entryPoints: {
    extension: 'src/extension.ts',
    'test/extension': 'test/editor/extension.ts',
    'test/extension-host-entry': 'test/runtime/extension-host-entry.ts',
    ...named(glob('test/{bench,editor/first}/*.test.ts'), (file) => file.replace(/\.ts$/, '')),
  },
  // All suites as one module (`stdin.mjs`): an entry for each would split the extension into many more chunks.
  stdin: {
    resolveDir: ROOT,
    contents: glob('test/editor/*.test.ts')
      .sort()
      .map((file) => `import './${file}';`)
      .join('\n'),
  },
});
/** @type {esbuild.BuildOptions} */
const programs = { ...node, entryPoints: { sandbox: 'src/sandbox/worker.ts', cli: 'src/cli/main.ts' } };
/** @type {esbuild.BuildOptions} */
const webviews = {
  ...common,
  outdir: 'dist/webviews',
  format: 'iife',
  platform: 'browser',
  target: 'chrome138',
  loader: { '.ttf': 'file', '.svg': 'dataurl' },
  assetNames: '[name]',
  entryPoints: named(glob('src/webviews/client/*/main.ts'), (file) => path.basename(path.dirname(file))),
};

/**
 * Writes what the extension reaches to `dist`, and the rest, which only tests reach, to EDITOR_TESTS.
 * @param {esbuild.BuildResult} result
 */
function writeApart({ outputFiles = [], metafile }) {
  /** @type {Set<string>} */
  const shipped = new Set();
  /** @type {(file: string) => void} */
  const visit = (file) => {
    const output = metafile?.outputs[file];
    if (shipped.has(file) || output === undefined) return;
    shipped.add(file).add(`${file}.map`);
    for (const imported of output.imports) visit(imported.path);
  };
  visit('dist/extension.mjs');
  for (const { path: file, contents } of outputFiles) {
    const relative = path.relative(ROOT, file).replaceAll('\\', '/');
    const target = shipped.has(relative) ? file : path.join(ROOT, EDITOR_TESTS, path.relative('dist', relative));
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, contents);
  }
}

async function build() {
  for (const folder of ['dist', EDITOR_TESTS]) fs.rmSync(path.join(ROOT, folder), { recursive: true, force: true });
  const tests = options.has('--editor-tests') ? esbuild.build(withEditorTests()).then(writeApart) : undefined;
  await Promise.all([tests ?? esbuild.build(extension), esbuild.build(programs), esbuild.build(webviews)]);
  copySandboxFiles();
  if (options.has('--package')) await pack();
}

/** `static-files.ts` reads them beside the bundle. */
function copySandboxFiles() {
  fs.cpSync(path.join(ROOT, 'src/sandbox/static'), path.join(ROOT, 'dist/static'), { recursive: true });
}

async function pack() {
  await createVSIX({ cwd: ROOT, packagePath: path.join(ROOT, VSIX), dependencies: false, skipLicense: false });
  for (const file of [VSIX, ...glob('dist/webviews/*.js')]) {
    const budget = file === VSIX ? MAX_VSIX : MAX_WEBVIEW;
    const bytes = fs.statSync(path.join(ROOT, file)).size;
    console.log(
      `${path.basename(file).padEnd(28)} ${String(Math.round(bytes / 1024)).padStart(5)} of ${String(budget / 1024)} KB`,
    );
    if (bytes <= budget) continue;
    console.error(`${path.basename(file)} exceeds its size budget`);
    process.exitCode = 1;
  }
}

if (options.has('--watch')) {
  copySandboxFiles();
  for (const bundle of [extension, programs, webviews]) await (await esbuild.context(bundle)).watch();
} else
  await withLock(path.join(ROOT, '.cache/build.lock'), build).catch((/** @type {unknown} */ error) => {
    // esbuild has printed its own errors.
    if (!(error instanceof Error && 'errors' in error)) console.error(error);
    process.exitCode = 1;
  });
