// Builds what is shipped or run; --package also the in-editor tests and the .vsix; --program FOLDER the npm package alone:
//   node esbuild.mjs [--watch] [--production] [--package] [--program FOLDER]
import fs from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { buildWithEditorTests } from './.config/build-editor-tests.mjs';
import { writeStaticFiles } from './.config/compressed-files.mjs';
import { describePages } from './.config/describe-pages.mjs';
import { shareActivation } from './.config/share-activation.mjs';
import { sharePages } from './.config/share-pages.mjs';
import { oneHttpParser } from './.config/one-http-parser.mjs';
import { writeNotices } from './.config/notices.mjs';
import { writePackedTranslations } from './.config/pack-translations.mjs';
import { packProgram } from './.config/pack-program.mjs';
import { pack } from './.config/pack.mjs';
import { withLock } from './test/runtime/lock.ts';
import { EDITOR_TESTS, ROOT } from './test/runtime/paths.ts';

const flags = new Set(process.argv.slice(2));
const production = flags.has('--production') || flags.has('--package');

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
  splitting: true,
  chunkNames: '[name]-[hash]',
  outExtension: { '.js': '.mjs' },
  platform: 'node',
  target: 'node22',
  external: ['vscode'],
  plugins: [oneHttpParser],
  // CommonJS dependencies call `require`, which ES modules do not have.
  banner: {
    js: `import{createRequire as createRequire0}from'node:module';const require=createRequire0(import.meta.url);`,
  },
};
const extensionEntry = { extension: 'src/extension.ts' };
const programEntries = { sandbox: 'src/sandbox/worker.ts', cli: 'src/cli/main.ts' };
/** @satisfies {esbuild.BuildOptions} */
const host = { ...node, entryPoints: { ...extensionEntry, ...programEntries } };
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
  entryPoints: fs.globSync('src/webviews/client/*/main.ts', { cwd: ROOT }).map((file) => ({
    in: file,
    out: path.basename(path.dirname(file)),
  })),
};

/**
 * Returns the options of the extension, which passes each page the addresses of its modules and its translated messages.
 * @param {esbuild.Metafile} pages
 */
async function addPages({ outputs }) {
  const pages = describePages(
    outputs,
    webviews.entryPoints.map(({ out }) => `${webviews.outdir}/${out}.js`),
  );
  const define = { ...common.define, PAGES: JSON.stringify(JSON.stringify(pages)) };
  const shared = await shareActivation(node, extensionEntry.extension, programEntries);
  return { ...host, plugins: [oneHttpParser, shared], define };
}

function prepareFolders() {
  for (const folder of [path.join(ROOT, 'dist'), EDITOR_TESTS]) fs.rmSync(folder, { recursive: true, force: true });
  writeStaticFiles(path.join(ROOT, 'dist'));
  writePackedTranslations(path.join(ROOT, 'dist/l10n'));
}

async function build() {
  prepareFolders();
  const pages = await esbuild.build({ ...webviews, plugins: [await sharePages(webviews)] });
  const options = await addPages(pages.metafile);
  // With the tests the chunks are others: what is packed is what is tested.
  const isPackaged = flags.has('--package');
  const modules = await (isPackaged ? buildWithEditorTests(options, host.entryPoints) : esbuild.build(options));
  const outputs = [pages, modules].flatMap(({ metafile }) => Object.entries(metafile.outputs));
  const shipped = outputs.filter(([file]) => fs.existsSync(path.join(ROOT, file)));
  writeNotices(shipped.flatMap(([, { inputs }]) => Object.keys(inputs)));
  if (isPackaged) await pack();
}

if (flags.has('--program')) await packProgram(node, process.argv.at(-1) ?? '.');
else if (flags.has('--watch')) {
  prepareFolders();
  const pages = { ...webviews, plugins: [await sharePages(webviews)] };
  const { metafile } = await esbuild.build(pages);
  for (const bundle of [await addPages(metafile), pages]) await (await esbuild.context(bundle)).watch();
} else await withLock(path.join(ROOT, '.cache/build.lock'), build);
