// Builds what is shipped or run; --package also packs the .vsix.
//   node esbuild.mjs [--watch] [--production] [--package] [--editor-tests]
import fs from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { extractMessages } from './.config/extract-messages.mjs';
import { writeNotices } from './.config/notices.mjs';
import { pack } from './.config/pack.mjs';
import { withLock } from './test/runtime/lock.ts';
import { EDITOR_TESTS, ROOT } from './test/runtime/paths.ts';

const options = new Set(process.argv.slice(2));
const production = options.has('--production') || options.has('--package');

/** @type {(pattern: string) => string[]} */
const glob = (pattern) => fs.globSync(pattern, { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));

/** @satisfies {esbuild.BuildOptions} */
const common = {
  absWorkingDir: ROOT,
  bundle: true,
  metafile: true,
  minify: production,
  legalComments: 'none',
  logLevel: options.has('--watch') ? 'info' : 'warning',
  mainFields: ['module', 'main'],
  alias: {
    // Its entry for Node.js loads the file system.
    '@vscode/l10n': '@vscode/l10n/dist/browser.js',
    // Its module for Node.js loads a validator of 120 KB.
    '@modelcontextprotocol/server/_shims': './src/cli/mcp/sdk-runtime.ts',
  },
  // .vscodeignore keeps the maps out of the .vsix.
  sourcemap: 'linked',
  sourcesContent: !production,
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
};
/** @satisfies {esbuild.BuildOptions} */
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
/** @satisfies {esbuild.BuildOptions} */
const split = { ...node, splitting: true, chunkNames: '[name]-[hash]' };
/** Large packages that the extension and the programs both import: built once, as `dist/library-NAME.mjs`. */
const LIBRARIES = [
  'csv-parse',
  'csv-parse/sync',
  'htmlparser2',
  're2js',
  'undici/lib/core/connect.js',
  'undici/lib/dispatcher/client.js',
  'undici/lib/dispatcher/pool.js',
];
/** @type {(library: string) => string} */
const nameLibrary = (library) => `library-${library.replace(/\.js$/, '').replaceAll('/', '-')}`;
/** @satisfies {esbuild.BuildOptions} */
const libraries = {
  ...split,
  entryPoints: Object.fromEntries(LIBRARIES.map((library) => [nameLibrary(library), library])),
};
/** @type {esbuild.Plugin} */
const importLibraries = {
  name: 'import-libraries',
  setup(build) {
    build.onResolve({ filter: /^[a-z]/ }, ({ path: library }) =>
      LIBRARIES.includes(library) ? { path: `./${nameLibrary(library)}.mjs`, external: true } : undefined,
    );
  },
};
const extensionEntry = { extension: 'src/extension.ts' };
/** @satisfies {esbuild.BuildOptions} */
const extension = {
  ...split,
  plugins: [importLibraries],
  entryPoints: extensionEntry,
  // Injected into every module, what activation loads is one chunk instead of fifteen: each takes VS Code some
  // milliseconds.
  inject: ['src/ui/display-language.ts', 'src/features.ts', 'src/commands/create-context.ts'],
};
/** @satisfies {esbuild.BuildOptions} */
const programs = {
  ...split,
  plugins: [importLibraries],
  entryPoints: { sandbox: 'src/sandbox/worker.ts', cli: 'src/cli/main.ts' },
};
/** @satisfies {esbuild.BuildOptions} */
const webviews = {
  ...common,
  outdir: 'dist/webviews',
  format: 'esm',
  splitting: true,
  chunkNames: 'shared-[hash]',
  platform: 'browser',
  target: 'chrome138',
  loader: { '.ttf': 'file', '.svg': 'dataurl' },
  assetNames: '[name]',
  entryPoints: glob('src/webviews/client/*/main.ts').map((file) => ({
    in: file,
    out: path.basename(path.dirname(file)),
  })),
};

/**
 * Returns a file and those that it imports.
 * @param {esbuild.Metafile['outputs']} outputs
 * @param {string} file
 */
function collectImports(outputs, file) {
  const files = new Set([file]);
  // A set visits what is added during the loop, too.
  for (const visited of files) for (const imported of outputs[visited]?.imports ?? []) files.add(imported.path);
  return files;
}

/**
 * Returns the options of the extension, which passes each page the translations of its messages.
 * @param {esbuild.Metafile} pages
 */
function addPageMessages({ outputs }) {
  const messages = webviews.entryPoints.map(({ out }) => {
    const files = [...collectImports(outputs, `${webviews.outdir}/${out}.js`)];
    const inputs = new Set(files.flatMap((file) => Object.keys(outputs[file]?.inputs ?? {})));
    const sources = [...inputs].filter((input) => input.startsWith('src/') && input.endsWith('.ts'));
    return /** @type {const} */ ([out, [...new Set(sources.flatMap((file) => Object.keys(extractMessages(file))))]]);
  });
  const define = { ...common.define, PAGE_MESSAGES: JSON.stringify(Object.fromEntries(messages)) };
  return { ...extension, define };
}

/**
 * Builds the extension and its in-editor tests at once, so that they share the chunks that ship.
 * @param {typeof extension} options
 */
async function buildWithEditorTests(options) {
  const result = await esbuild.build({
    ...options,
    write: false,
    entryPoints: {
      ...extensionEntry,
      'test/extension': 'test/editor/extension.ts',
      'test/extension-host-entry': 'test/runtime/extension-host-entry.ts',
      ...Object.fromEntries(glob('test/{bench,editor/first}/*.test.ts').map((file) => [file.slice(0, -3), file])),
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
  const { outputFiles, metafile } = result;
  const shipped = collectImports(metafile.outputs, 'dist/extension.mjs');
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

/** Empties the folders; static-files.ts reads its files beside the bundle. */
function prepareFolders() {
  for (const folder of [path.join(ROOT, 'dist'), EDITOR_TESTS]) fs.rmSync(folder, { recursive: true, force: true });
  fs.cpSync(path.join(ROOT, 'src/sandbox/static'), path.join(ROOT, 'dist/static'), { recursive: true });
}

async function build() {
  prepareFolders();
  const pages = await esbuild.build(webviews);
  const host = addPageMessages(pages.metafile);
  const built = options.has('--editor-tests') ? buildWithEditorTests(host) : esbuild.build(host);
  const results = [pages, ...(await Promise.all([built, esbuild.build(programs), esbuild.build(libraries)]))];
  const outputs = results.flatMap(({ metafile }) => Object.entries(metafile.outputs));
  const shipped = outputs.filter(([file]) => fs.existsSync(path.join(ROOT, file)));
  writeNotices(shipped.flatMap(([, { inputs }]) => Object.keys(inputs)));
  if (options.has('--package')) await pack();
}

if (options.has('--watch')) {
  prepareFolders();
  const { metafile } = await esbuild.build(webviews);
  for (const bundle of [addPageMessages(metafile), programs, libraries, webviews])
    await (await esbuild.context(bundle)).watch();
} else await withLock(path.join(ROOT, '.cache/build.lock'), build);
