// Builds everything that is shipped or run, packs the .vsix and holds the size budgets.
//   node esbuild.mjs [--watch] [--production] [--package] [--editor-tests]
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { createVSIX } from '@vscode/vsce';
import * as esbuild from 'esbuild';
import { withLock } from './test/runtime/lock.ts';

const ROOT = import.meta.dirname;
const KB = 1024;

/**
 * Modules behind a dynamic import that browsing never loads, only a task that asks for them: they, and what only they
 * reach, have a budget of their own.
 */
const RARE = [
  'src/actions/explorer-tests.ts',
  'src/actions/inside.ts',
  'src/actions/manage-variables.ts',
  'src/actions/room.ts',
  'src/actions/signer.ts',
  'src/actions/tasks.ts',
  'src/actions/writing.ts',
  'src/documents/compare.ts',
  'src/documents/generate-types.ts',
  'src/documents/insert.ts',
  'src/documents/take-away.ts',
  'src/explorer/export/command.ts',
  'src/explorer/filter-flow.ts',
  'src/explorer/search-picker.ts',
  'src/faces/room.ts',
  'src/logs/room.ts',
  'src/stats/room.ts',
  'src/ui/test-hooks.ts',
  'src/connections/commands/add-connection.ts',
  'src/connections/commands/organization.ts',
  'src/connections/commands/rare.ts',
  'src/connections/commands/sandbox.ts',
  'src/connections/commands/sign-out.ts',
];

const BUDGETS = {
  entry: 60 * KB,
  host: 600 * KB,
  rare: 600 * KB,
  program: 500 * KB,
  webview: 150 * KB,
  vsix: 1536 * KB,
};

const options = new Set(process.argv.slice(2));
const production = options.has('--production') || options.has('--package');
const watch = options.has('--watch');
const VSIX = path.join(ROOT, '.cache/smart-object-explorer.vsix');
const EDITOR_TESTS = '.cache/editor-tests';

/** @type {esbuild.BuildOptions} */
const common = {
  absWorkingDir: ROOT,
  bundle: true,
  metafile: true,
  write: false,
  minify: production,
  legalComments: 'none',
  logLevel: 'warning',
  // jsonc-parser's CommonJS half looks up its files at run time, which no bundle survives.
  mainFields: ['module', 'main'],
  // Chained through the second pass; kept out of the .vsix by .vscodeignore.
  sourcemap: 'inline',
  sourcesContent: !production,
  define: {
    'process.env.NODE_ENV': production ? '"production"' : '"development"',
    // undici's own switch: leaves out its experimental parser (150 KB), as Node's copy of undici does.
    esbuildDetection: 'true',
  },
};

/**
 * undici's HTTP parser comes as WebAssembly in base64, once for processors with SIMD and once for those without. Packed,
 * the two take a third; the second is a file of its own, which next to nobody loads.
 */
const RARE_PARSER = 'undici-llhttp.cjs';
const packedParser = (source) => {
  const wasm = Buffer.from(/['"]([A-Za-z0-9+/=]{1000,})['"]/.exec(source)?.[1] ?? '', 'base64');
  if (wasm.subarray(0, 4).toString('latin1') !== '\0asm') throw new Error('undici keeps its parser in another form');
  const packed = zlib.brotliCompressSync(wasm, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11 } });
  return `module.exports = require('node:zlib').brotliDecompressSync(Buffer.from('${packed.toString('base64')}', 'base64'));`;
};
/** @type {(apart: boolean) => esbuild.Plugin} */
const parser = (apart) => ({
  name: 'parser',
  setup(build) {
    // All host files lie flat in dist/, so the path holds from each of them.
    if (apart)
      build.onResolve({ filter: /llhttp\/llhttp-wasm\.js$/ }, () => ({ path: `./${RARE_PARSER}`, external: true }));
    build.onLoad({ filter: /llhttp[\\/]llhttp(?:_simd)?-wasm\.js$/ }, ({ path: file }) => ({
      contents: packedParser(fs.readFileSync(file, 'utf8')),
    }));
  },
});

/** Parts of undici that plain HTTP/1.1 with text bodies never reaches: 60 KB of HTTP/2 and fetch. */
/** @type {esbuild.Plugin} */
const unreached = {
  name: 'unreached',
  setup(build) {
    build.onLoad(
      {
        filter:
          /undici[\\/]lib[\\/](?:dispatcher[\\/]client-h2|web[\\/]fetch[\\/][\w-]+|web[\\/]webidl[\\/][\w-]+)\.js$/,
      },
      () => ({
        contents: 'module.exports = {};',
      }),
    );
  },
};

/** The named character references of HTML, 25 KB: faces decode their own (src/faces/tokens.ts). */
/** @type {esbuild.Plugin} */
const undecoded = {
  name: 'undecoded',
  setup(build) {
    build.onLoad({ filter: /htmlparser2[\\/].*entities[\\/]dist[\\/]decode\.js$/ }, () => ({
      contents:
        'export class EntityDecoder {} export const DecodingMode = {}, htmlDecodeTree = [], xmlDecodeTree = [];',
    }));
  },
};

const exists = (file) => fs.existsSync(path.join(ROOT, file));
const glob = (pattern) =>
  fs
    .globSync(pattern, { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();

/**
 * The bundles, by what they are for. `entries` is looked up at each build, so that a file which appears is built.
 * `finish` turns esbuild's outputs into the files to write.
 * @type {{ name: string, entries: () => string[] | Record<string, string>, options: esbuild.BuildOptions, cjs?: boolean, mode?: number }[]}
 */
const bundles = [
  {
    name: 'host',
    entries: () => ({ extension: 'src/extension.ts' }),
    // Splitting exists for ESM only, and the extension host loads CommonJS: a second pass turns each chunk into CommonJS.
    options: {
      outdir: 'dist',
      format: 'esm',
      splitting: true,
      chunkNames: '[name]-[hash]',
      plugins: [parser(true), unreached, undecoded],
      outExtension: { '.js': '.cjs' },
      platform: 'node',
      target: 'node22',
      external: ['vscode'],
    },
    cjs: true,
  },
  {
    name: 'rare parser',
    entries: () => ({ [path.basename(RARE_PARSER, '.cjs')]: 'node_modules/undici/lib/llhttp/llhttp-wasm.js' }),
    options: {
      outdir: 'dist',
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
      platform: 'node',
      target: 'node22',
      plugins: [parser(false)],
    },
  },
  {
    name: 'sandbox',
    entries: () => (exists('src/sandbox/worker.ts') ? { sandbox: 'src/sandbox/worker.ts' } : {}),
    options: {
      outdir: 'dist',
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
      platform: 'node',
      target: 'node22',
    },
  },
  {
    name: 'cli',
    entries: () => (exists('src/cli/main.ts') ? { cli: 'src/cli/main.ts' } : {}),
    options: {
      outdir: 'dist',
      format: 'esm',
      outExtension: { '.js': '.mjs' },
      platform: 'node',
      target: 'node22',
      plugins: [parser(false), unreached],
      banner: {
        // CommonJS dependencies require Node's own modules, which an ES module cannot do by itself.
        js: `#!/usr/bin/env node\nimport { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);`,
      },
    },
    mode: 0o755,
  },
  {
    name: 'webviews',
    entries: () =>
      Object.fromEntries(
        glob('src/webviews/client/*/main.ts').map((file) => [path.basename(path.dirname(file)), file]),
      ),
    options: {
      outdir: 'dist/webviews',
      format: 'iife',
      platform: 'browser',
      target: 'chrome138',
      loader: { '.ttf': 'file', '.svg': 'dataurl' },
      assetNames: '[name]',
    },
  },
  {
    name: 'editor tests',
    entries: () =>
      Object.fromEntries(
        ['test/runtime/in-host.ts', ...glob('test/{editor,bench}/**/*.test.ts')]
          .filter(exists)
          .map((file) => [path.relative('test', file).replaceAll('\\', '/').replace(/\.ts$/, ''), file]),
      ),
    options: {
      outdir: EDITOR_TESTS,
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
      platform: 'node',
      target: 'node22',
      external: ['vscode', 'mocha'],
      minify: false,
    },
  },
];

const TEST_BUNDLES = new Set(['editor tests']);

/** @type {Map<string, string>} what the last build wrote, so that an unchanged file keeps its time */
const written = new Map();

/**
 * @param {(typeof bundles)[number]} bundle
 * @param {esbuild.BuildResult} result
 * @returns {Promise<{ file: string, contents: string | Uint8Array, mode?: number }[]>}
 */
async function outputs(bundle, result) {
  const files = [];
  for (const { path: file, contents, text } of result.outputFiles ?? []) {
    if (!/\.(cjs|mjs|js|css)$/.test(file)) {
      files.push({ file, contents });
      continue;
    }
    const { code, map } = bundle.cjs ? await toCommonJs(text, file) : splitMap(text);
    const css = file.endsWith('.css');
    const link =
      production || map === ''
        ? ''
        : `${css ? '/*' : '//'}# sourceMappingURL=${path.basename(file)}.map${css ? ' */' : ''}\n`;
    files.push({ file, contents: code + link, mode: bundle.mode });
    if (map !== '') files.push({ file: `${file}.map`, contents: map });
  }
  return files;
}

/** esbuild's own helpers between ES modules and CommonJS: the same in each of our chunks, so one file holds them. */
const INTEROP = 'interop.cjs';
const interop = { names: new Set(), code: '' };

/** `import('./x')` becomes a lazy `require`, and the shim around `require` in CommonJS dependencies meets the real one. */
async function toCommonJs(text, file) {
  const name = path.basename(file);
  const to = {
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    supported: { 'dynamic-import': false },
    legalComments: 'none',
    sourcemap: 'external',
    sourcesContent: !production,
    sourcefile: name,
  };
  if (!production) return esbuild.transform(text, to);
  const { code: whole } = await esbuild.transform(text, { ...to, minifyWhitespace: true });
  // The editor's API is only ever used as a namespace: a copy of its 300 members in each module would cost milliseconds.
  const code = whole.replaceAll('__toESM(require("vscode"))', 'require("vscode")');
  const start = code.search(/var \w+_exports=\{\};/);
  // A chunk without exports: nothing to share.
  if (start < 0) return esbuild.transform(text, { ...to, minify: true });
  const helpers = code.slice(0, start);
  const names = [...helpers.matchAll(/var (__(?:export|toESM|toCommonJS))=/g)].map(([, helper]) => helper);
  if (helpers.length > interop.code.length) Object.assign(interop, { names, code: helpers });
  const shared = `const{${names.join(',')}}=require("./${INTEROP}");${code.slice(start)}`;
  return esbuild.transform(shared, { ...to, minify: true });
}

const MAP = /\n(?:\/\/|\/\*)# sourceMappingURL=data:application\/json;base64,([\w+/=]+)(?: \*\/)?\n*$/;

function splitMap(text) {
  const found = MAP.exec(text);
  if (found === null) return { code: text, map: '' };
  return { code: text.slice(0, found.index + 1), map: Buffer.from(found[1], 'base64').toString('utf8') };
}

function write(files) {
  for (const { file, contents, mode } of files) {
    const bytes = Buffer.from(contents);
    const known = bytes.toString('latin1');
    if (written.get(file) === known && fs.existsSync(file)) continue;
    written.set(file, known);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, bytes, mode === undefined ? {} : { mode });
  }
}

/** Chunks carry a hash in their name: those of an earlier build go. */
function sweep(folder, keep) {
  const root = path.join(ROOT, folder);
  if (!fs.existsSync(root)) return;
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && !keep.has(file)) fs.rmSync(file);
  }
}

async function build() {
  const wanted = bundles.filter((bundle) => !TEST_BUNDLES.has(bundle.name) || options.has('--editor-tests'));
  const kept = new Set();
  /** @type {Map<string, number>} */
  const sizes = new Map();
  let hostMeta;
  for (const bundle of wanted) {
    const entryPoints = bundle.entries();
    if (Object.keys(entryPoints).length === 0) continue;
    const result = await esbuild.build({ ...common, ...bundle.options, entryPoints });
    if (bundle.name === 'host') hostMeta = result.metafile;
    const files = await outputs(bundle, result);
    if (bundle.cjs && production) {
      const source = `${interop.code}module.exports={${interop.names.join(',')}};`;
      const { code } = await esbuild.transform(source, { minify: true, target: 'node22' });
      files.push({ file: path.join(ROOT, 'dist', INTEROP), contents: code });
      gather(files, statically(result.metafile, 'dist/extension.cjs'));
    }
    write(files);
    for (const { file, contents } of files) {
      kept.add(file);
      sizes.set(path.relative(ROOT, file).replaceAll('\\', '/'), Buffer.byteLength(contents));
    }
  }
  sweep('dist', kept);
  if (options.has('--editor-tests')) sweep(EDITOR_TESTS, kept);
  return { sizes, hostMeta };
}

/** The chunks that one loads without being asked to, itself included. */
function statically(meta, from, seen = new Set()) {
  if (seen.has(from)) return seen;
  seen.add(from);
  for (const { path: file, kind, external } of meta.outputs[from].imports)
    if (!external && kind === 'import-statement') statically(meta, file, seen);
  return seen;
}

/**
 * Puts all that activation loads into one file: finding and opening a dozen small ones costs more than running them.
 * What is gathered keeps a stub, so that the chunks which load later meet the same modules.
 */
function gather(files, chunks) {
  const names = [...chunks].map((file) => path.basename(file)).filter((name) => name !== 'extension.cjs');
  const find = (name) => {
    const found = files.find(({ file }) => path.basename(file) === name);
    if (found === undefined) throw new Error(`There is no ${name} to gather`);
    return found;
  };
  const modules = [INTEROP, ...names, 'extension.cjs'].map(
    (name) => `"./${name}"(module,exports,require){${find(name).contents}}`,
  );
  find('extension.cjs').contents =
    `const made={},parts={${modules.join(',')}},take=n=>{if(!(n in parts))return require(n);` +
    `if(!(n in made)){made[n]={exports:{}};parts[n](made[n],made[n].exports,take)}return made[n].exports};` +
    `module.exports={...take("./extension.cjs"),take};\n`;
  for (const name of [INTEROP, ...names])
    find(name).contents = `module.exports=require("./extension.cjs").take("./${name}");\n`;
}

/** @returns {{ name: string, bytes: number, budget: number }[]} */
function measure(sizes, meta) {
  const sum = (files) => [...files].reduce((total, file) => total + (sizes.get(file) ?? 0), 0);
  const reach = (from, follow) => {
    const seen = new Set();
    const visit = (file) => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const edge of meta.outputs[file].imports) if (!edge.external && follow(edge)) visit(edge.path);
    };
    visit(from);
    return seen;
  };
  const entryPoints = new Set(Object.values(meta.outputs).map((output) => output.entryPoint));
  const stale = RARE.filter((file) => !entryPoints.has(file));
  if (stale.length > 0) throw new Error(`RARE names what no dynamic import reaches: ${stale.join(', ')}`);

  const entry = statically(meta, 'dist/extension.cjs');
  const host = reach('dist/extension.cjs', (edge) => !RARE.includes(meta.outputs[edge.path].entryPoint ?? ''));
  const all = reach('dist/extension.cjs', () => true);
  const rare = [...all].filter((file) => !host.has(file));
  rare.push(`dist/${RARE_PARSER}`);
  const always = sizes.get(`dist/${INTEROP}`) ?? 0;

  const rows = [
    { name: 'entry: loaded at activation', bytes: sum(entry) + always, budget: BUDGETS.entry },
    { name: 'host: all code but the rare parts', bytes: sum(host) + always, budget: BUDGETS.host },
    { name: 'rare parts', bytes: sum(rare), budget: BUDGETS.rare },
  ];
  // Programs of their own: a worker thread and a command line, never loaded into the extension host.
  for (const file of ['dist/sandbox.cjs', 'dist/cli.mjs'])
    if (sizes.has(file)) rows.push({ name: `program ${file}`, bytes: sizes.get(file), budget: BUDGETS.program });
  for (const [file, bytes] of sizes)
    if (/^dist\/webviews\/.*\.js$/.test(file))
      rows.push({ name: `webview ${path.basename(file, '.js')}`, bytes, budget: BUDGETS.webview });
  return rows;
}

async function pack() {
  const temporary = `${VSIX}.${process.pid}`;
  fs.mkdirSync(path.dirname(VSIX), { recursive: true });
  await createVSIX({ cwd: ROOT, packagePath: temporary, dependencies: false, skipLicense: false });
  fs.renameSync(temporary, VSIX);
  return { name: path.relative(ROOT, VSIX), bytes: fs.statSync(VSIX).size, budget: BUDGETS.vsix };
}

function report(rows) {
  const kb = (bytes) => `${(bytes / KB).toFixed(1)} KB`;
  const width = Math.max(...rows.map((row) => row.name.length));
  for (const { name, bytes, budget } of rows) {
    const verdict = bytes <= budget ? 'ok' : `TOO LARGE BY ${kb(bytes - budget)}`;
    console.log(`  ${name.padEnd(width)} ${kb(bytes).padStart(10)}  of ${kb(budget).padStart(9)}  ${verdict}`);
  }
  return rows.every(({ bytes, budget }) => bytes <= budget);
}

async function once() {
  await withLock(path.join(ROOT, '.cache/build.lock'), async () => {
    const { sizes, hostMeta } = await build();
    if (!production) return;
    const rows = measure(sizes, hostMeta);
    if (options.has('--package')) rows.push(await pack());
    console.log('Size budgets:');
    if (!report(rows)) {
      console.error('A size budget is exceeded.');
      process.exitCode = 1;
    }
  });
}

function forever() {
  let timer;
  const again = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      console.log('[watch] build started'); // .vscode/tasks.json waits for these two lines
      once()
        .catch(explain)
        .finally(() => console.log('[watch] build finished'));
    }, 100);
  };
  for (const folder of ['src', ...(options.has('--editor-tests') ? ['test'] : [])])
    fs.watch(path.join(ROOT, folder), { recursive: true }, again);
  again();
}

/** esbuild has printed its own errors by then. */
function explain(error) {
  if (error?.errors === undefined) console.error(error);
  process.exitCode = 1;
}

if (watch) forever();
else await once().catch(explain);
