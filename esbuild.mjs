// Builds what is shipped or run; --package also builds the in-editor tests and packs the .vsix; --program FOLDER packs the
// terminal program alone for npm.
//   node esbuild.mjs [--watch] [--production] [--package] [--program FOLDER]
import fs from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { extractMessages } from './.config/extract-messages.mjs';
import { writeNotices } from './.config/notices.mjs';
import { writePackedTranslations } from './.config/pack-translations.mjs';
import { packProgram } from './.config/pack-program.mjs';
import { pack } from './.config/pack.mjs';
import { hashMessage } from './src/platform/text/packed-translations.ts';
import { withLock } from './test/runtime/lock.ts';
import { EDITOR_TESTS, ROOT } from './test/runtime/paths.ts';

const flags = new Set(process.argv.slice(2));
const production = flags.has('--production') || flags.has('--package');

/** @type {(pattern: string) => string[]} */
const glob = (pattern) => fs.globSync(pattern, { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));

/** @satisfies {esbuild.BuildOptions} */
const common = {
  absWorkingDir: ROOT,
  bundle: true,
  metafile: true,
  minify: production,
  legalComments: 'none',
  logLevel: flags.has('--watch') ? 'info' : 'warning',
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
  // The last leaves out an experimental HTTP parser of undici, 150 KB.
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"', esbuildDetection: 'true' },
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
const extensionEntry = { extension: 'src/extension.ts' };
const programEntries = { sandbox: 'src/sandbox/worker.ts', cli: 'src/cli/main.ts' };

/**
 * Makes the modules that activation loads two chunks instead of dozens, since each takes VS Code some milliseconds: those
 * that the programs load too, and all others. esbuild makes a chunk of the modules that the same entries reach, so each
 * entry, and each module that is loaded lazily, imports them.
 * @returns {Promise<esbuild.Plugin>}
 */
async function shareActivation() {
  const list = async (/** @type {Record<string, string>} */ entryPoints) => {
    const { metafile } = await esbuild.build({
      ...node,
      entryPoints,
      packages: 'external',
      splitting: true,
      write: false,
    });
    return metafile.inputs;
  };
  const [extension, programs] = await Promise.all([list(extensionEntry), list(programEntries)]);
  const isProgram = (/** @type {string} */ file) => file in programs;
  const activation = new Set(Object.values(extensionEntry));
  for (const file of activation)
    for (const { kind, path: imported } of extension[file]?.imports ?? [])
      if (kind === 'import-statement' && imported in extension) activation.add(imported);
  const lazy = [...Object.values(extension), ...Object.values(programs)].flatMap(({ imports }) =>
    imports.filter(({ kind }) => kind === 'dynamic-import').map((imported) => imported.path),
  );
  const importShared = (/** @type {string} */ name) =>
    [...activation]
      .filter((file) => file !== name && (isProgram(file) || !isProgram(name)))
      .map((file) => `\nimport ${JSON.stringify(path.join(ROOT, file))};`)
      .join('');
  return {
    name: 'share-activation',
    setup(build) {
      const { entryPoints = {}, stdin } = build.initialOptions;
      const entries = new Set([...lazy, ...Object.values(entryPoints)]);
      entries.delete(extensionEntry.extension);
      if (stdin !== undefined) stdin.contents = `${String(stdin.contents)}${importShared('')}`;
      build.onLoad({ filter: /[\\/](?:src|test)[\\/].*\.ts$/ }, ({ path: file }) => {
        const name = path.relative(ROOT, file).replaceAll('\\', '/');
        if (!entries.has(name)) return undefined;
        return { contents: fs.readFileSync(file, 'utf8') + importShared(name), loader: 'ts' };
      });
    },
  };
}

/** @satisfies {esbuild.BuildOptions} */
const host = { ...split, entryPoints: { ...extensionEntry, ...programEntries } };
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
async function addPageMessages({ outputs }) {
  const messages = webviews.entryPoints.map(({ out }) => {
    const files = [...collectImports(outputs, `${webviews.outdir}/${out}.js`)];
    const inputs = new Set(files.flatMap((file) => Object.keys(outputs[file]?.inputs ?? {})));
    const sources = [...inputs].filter((input) => input.startsWith('src/') && input.endsWith('.ts'));
    return /** @type {const} */ ([
      out,
      [...new Set(sources.flatMap((file) => Object.keys(extractMessages(file)).map(hashMessage)))],
    ]);
  });
  const define = { ...common.define, PAGE_MESSAGES: JSON.stringify(JSON.stringify(Object.fromEntries(messages))) };
  return { ...host, plugins: [await shareActivation()], define };
}

/**
 * Builds the extension and its in-editor tests at once, so that they share the chunks that ship.
 * @param {typeof host} options
 */
async function buildWithEditorTests(options) {
  const result = await esbuild.build({
    ...options,
    write: false,
    entryPoints: {
      ...host.entryPoints,
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
  const shipped = new Set(
    Object.keys(host.entryPoints).flatMap((name) => [...collectImports(metafile.outputs, `dist/${name}.mjs`)]),
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

/** Empties the folders; static-files.ts reads its files beside the bundle. */
function prepareFolders() {
  for (const folder of [path.join(ROOT, 'dist'), EDITOR_TESTS]) fs.rmSync(folder, { recursive: true, force: true });
  fs.cpSync(path.join(ROOT, 'src/sandbox/static'), path.join(ROOT, 'dist/static'), { recursive: true });
  writePackedTranslations();
}

async function build() {
  prepareFolders();
  const pages = await esbuild.build(webviews);
  const options = await addPageMessages(pages.metafile);
  // With the tests the chunks are others: what is packed is what is tested.
  const isPackaged = flags.has('--package');
  const modules = await (isPackaged ? buildWithEditorTests(options) : esbuild.build(options));
  const outputs = [pages, modules].flatMap(({ metafile }) => Object.entries(metafile.outputs));
  const shipped = outputs.filter(([file]) => fs.existsSync(path.join(ROOT, file)));
  writeNotices(shipped.flatMap(([, { inputs }]) => Object.keys(inputs)));
  if (isPackaged) await pack();
}

if (flags.has('--program')) await packProgram(split, process.argv.at(-1) ?? '.');
else if (flags.has('--watch')) {
  prepareFolders();
  const { metafile } = await esbuild.build(webviews);
  for (const bundle of [await addPageMessages(metafile), webviews]) await (await esbuild.context(bundle)).watch();
} else await withLock(path.join(ROOT, '.cache/build.lock'), build);
