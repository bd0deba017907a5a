// Builds what is shipped or run, packs the .vsix and checks the size budgets.
//   node esbuild.mjs [--watch] [--production] [--package] [--editor-tests]
import fs from 'node:fs';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import * as esbuild from 'esbuild';
import { withLock } from './test/runtime/lock.ts';

const ROOT = import.meta.dirname;
const VSIX = path.join(ROOT, '.cache/smart-object-explorer.vsix');
/** Outputs that only the in-editor tests need, laid out as in `dist`. */
const EDITOR_TESTS = path.join(ROOT, '.cache/editor-tests');
/** The programs and pages that ship; the entries of the in-editor tests share their chunks. */
const SHIPPED = /^dist\/(?:(?:extension|sandbox|cli)\.mjs|webviews\/\w+\.js)$/;
const MAX_VSIX = 1536 * 1024;
const MAX_WEBVIEW = 150 * 1024;

const options = new Set(process.argv.slice(2));
const production = options.has('--production') || options.has('--package');

/** @type {esbuild.BuildOptions} */
const common = {
  absWorkingDir: ROOT,
  bundle: true,
  metafile: true,
  write: false,
  minify: production,
  legalComments: 'none',
  logLevel: 'warning',
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

/** @type {(pattern: string) => string[]} */
const glob = (pattern) => fs.globSync(pattern, { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));
/** @type {(files: string[], name: (file: string) => string) => Record<string, string>} */
const named = (files, name) => Object.fromEntries(files.map((file) => [name(file), file]));

/**
 * All suites as one module: a module for each of them would split the extension into many more chunks.
 * @type {esbuild.Plugin}
 */
const suites = {
  name: 'suites',
  setup(build) {
    build.onResolve({ filter: /^suites$/ }, () => ({ path: 'suites', namespace: 'suites' }));
    build.onLoad({ filter: /.*/, namespace: 'suites' }, () => ({
      contents: glob('test/editor/*.test.ts')
        .sort()
        .map((file) => `import './${file}';`)
        .join('\n'),
      resolveDir: ROOT,
    }));
  },
};

/** @type {() => esbuild.BuildOptions[]} */
const bundles = () => [
  {
    ...node,
    splitting: true,
    chunkNames: '[name]-[hash]',
    plugins: [suites],
    entryPoints: {
      extension: 'src/extension.ts',
      'test/extension': 'test/editor/extension.ts',
      'test/in-host': 'test/runtime/in-host.ts',
      'test/suites': 'suites',
      ...named(glob('test/{bench,editor/first}/*.test.ts'), (file) => file.replace(/\.ts$/, '')),
    },
  },
  { ...node, entryPoints: { sandbox: 'src/sandbox/worker.ts', cli: 'src/cli/main.ts' } },
  {
    ...common,
    outdir: 'dist/webviews',
    format: 'iife',
    platform: 'browser',
    target: 'chrome138',
    loader: { '.ttf': 'file', '.svg': 'dataurl' },
    assetNames: '[name]',
    entryPoints: named(glob('src/webviews/client/*/main.ts'), (file) => path.basename(path.dirname(file))),
  },
];

/**
 * The outputs that a shipped entry reaches, as paths relative to the project.
 * @param {esbuild.Metafile} metafile
 */
function shipped({ outputs }) {
  /** @type {Set<string>} */
  const seen = new Set();
  /** @type {(file: string) => void} */
  const visit = (file) => {
    const output = outputs[file];
    if (seen.has(file) || output === undefined) return;
    seen.add(file).add(`${file}.map`);
    for (const { path: imported, external } of output.imports) if (external !== true) visit(imported);
    if (output.cssBundle !== undefined) visit(output.cssBundle);
  };
  for (const file of Object.keys(outputs)) if (SHIPPED.test(file)) visit(file);
  for (const file of Object.keys(outputs)) if (/\.(ttf|svg)$/.test(file)) seen.add(file);
  return seen;
}

/** @param {esbuild.BuildResult} result */
function write({ outputFiles = [], metafile }) {
  if (metafile === undefined) return;
  const ours = shipped(metafile);
  for (const { path: file, contents } of outputFiles) {
    const relative = path.relative(ROOT, file).replaceAll('\\', '/');
    const target = ours.has(relative) ? file : path.join(EDITOR_TESTS, path.relative('dist', relative));
    if (target !== file && !options.has('--editor-tests')) continue;
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, contents, target.endsWith('cli.mjs') ? { mode: 0o755 } : {});
  }
}

async function once() {
  const results = await Promise.all(bundles().map((bundle) => esbuild.build(bundle)));
  for (const folder of [path.join(ROOT, 'dist'), EDITOR_TESTS]) fs.rmSync(folder, { recursive: true, force: true });
  results.forEach(write);
  if (!options.has('--package')) return;
  const temporary = `${VSIX}.${String(process.pid)}`;
  fs.mkdirSync(path.dirname(VSIX), { recursive: true });
  await createVSIX({ cwd: ROOT, packagePath: temporary, dependencies: false, skipLicense: false });
  fs.renameSync(temporary, VSIX);
  for (const file of [VSIX, ...glob('dist/webviews/*.js')]) {
    const budget = file === VSIX ? MAX_VSIX : MAX_WEBVIEW;
    const bytes = fs.statSync(path.resolve(ROOT, file)).size;
    console.log(
      `${path.basename(file).padEnd(28)} ${(bytes / 1024).toFixed(0).padStart(5)} of ${String(budget / 1024)} KB`,
    );
    if (bytes <= budget) continue;
    console.error(`${path.basename(file)} exceeds its size budget`);
    process.exitCode = 1;
  }
}

async function watch() {
  /** @type {esbuild.Plugin} */
  const report = {
    name: 'report',
    setup(build) {
      // .vscode/tasks.json waits for these two lines.
      build.onStart(() => {
        console.log('[watch] build started');
      });
      build.onEnd((result) => {
        if (result.errors.length === 0) write(result);
        console.log('[watch] build finished');
      });
    },
  };
  for (const bundle of bundles())
    await (await esbuild.context({ ...bundle, plugins: [...(bundle.plugins ?? []), report] })).watch();
}

if (options.has('--watch')) await watch();
else
  await withLock(path.join(ROOT, '.cache/build.lock'), once).catch((/** @type {unknown} */ error) => {
    // esbuild has printed its own errors.
    if (!(error instanceof Error && 'errors' in error)) console.error(error);
    process.exitCode = 1;
  });
