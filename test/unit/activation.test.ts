/** What activation loads and registers. Its files translate no message when they are loaded, before the language is set. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import ts from 'typescript';

const SRC = path.resolve(import.meta.dirname, '../../src');

/** The files that are loaded when `file` is: not those of types, nor what they import with `import()`. */
function getLoadedFiles(file: string): readonly string[] {
  const loaded = new Set([file]);
  // A set visits what is added during the loop, too.
  for (const one of loaded) {
    const text = fs.readFileSync(path.join(SRC, one), 'utf8');
    for (const [, name = ''] of text.matchAll(/^(?:import|export)\b(?! type)(?:[^;'=]*?\bfrom)? '(\.[^']+)'/gm))
      loaded.add(path.posix.join(path.posix.dirname(one), name));
  }
  return [...loaded];
}

/** Whether a file translates a message when it is loaded. */
function translatesOnLoad(file: string): boolean {
  const source = ts.createSourceFile(file, fs.readFileSync(path.join(SRC, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): boolean => {
    // The initial values of properties are those of instances.
    if (ts.isFunctionLike(node) || ts.isPropertyDeclaration(node)) return false;
    return (
      (ts.isCallExpression(node) && node.expression.getText() === 'l10n.t') ||
      ts.forEachChild(node, (child) => visit(child) || undefined) === true
    );
  };
  return visit(source);
}

/** A module `vscode` that records its calls: `calls` has `commands.registerCommand`, `new EventEmitter` and so on. */
const VSCODE = `
export const calls = [];
const create = (name) => new Proxy(function () {}, {
  get: (_target, key) => {
    if (key === 'then' || typeof key === 'symbol') return undefined;
    if (key === 'language') return 'en';
    if (key === 'textDocuments') return [];
    return create(name === '' ? key : name + '.' + key);
  },
  set: () => true,
  apply: () => {
    calls.push(name);
    return name === 'workspace.getConfiguration' ? { get: () => undefined } : create(name + '()');
  },
  construct: () => {
    calls.push('new ' + name);
    return create(name + '()');
  },
});
const vscode = create('');
`;

/** Activates the extension in a window where it was never used, without VS Code. Resolves with what it loaded and called. */
async function activate(): Promise<{ readonly bytes: number; readonly calls: readonly string[] }> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-activation-'));
  try {
    const { metafile } = await esbuild.build({
      absWorkingDir: path.resolve(SRC, '..'),
      logLevel: 'silent',
      entryPoints: [path.join(SRC, 'extension.ts')],
      outdir: dir,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      metafile: true,
      minify: true,
      format: 'esm',
      platform: 'node',
      alias: { '@vscode/l10n': '@vscode/l10n/dist/browser.js' },
      plugins: [
        {
          name: 'vscode',
          setup(build) {
            build.onResolve({ filter: /^vscode$/ }, () => ({ path: './vscode.mjs', external: true }));
          },
        },
      ],
    });
    const sources = fs.globSync('**/*.ts', { cwd: SRC }).map((file) => fs.readFileSync(path.join(SRC, file), 'utf8'));
    const names = new Set(
      sources.flatMap((text) => [...text.matchAll(/\bvscode\.(\w+)/g)].map(([, name = '']) => name)),
    );
    const members = [...names].map((name) => `export const ${name} = vscode.${name};`);
    fs.writeFileSync(path.join(dir, 'vscode.mjs'), VSCODE + members.join('\n'));
    const outputs = new Map(Object.entries(metafile.outputs).map(([file, output]) => [path.basename(file), output]));
    const loaded = new Set(['extension.mjs']);
    // A set visits what is added during the loop, too.
    for (const file of loaded)
      for (const { path: imported, kind } of outputs.get(file)?.imports ?? [])
        if (kind === 'import-statement' && outputs.has(path.basename(imported))) loaded.add(path.basename(imported));
    const load = async (name: string): Promise<unknown> => import(pathToFileURL(path.join(dir, name)).href);
    const extension = (await load('extension.mjs')) as { activate(context: object): void };
    const memory = { get: () => undefined };
    const packageJSON: unknown = JSON.parse(fs.readFileSync(path.join(SRC, '../package.json'), 'utf8'));
    extension.activate({ subscriptions: [], workspaceState: memory, globalState: memory, extension: { packageJSON } });
    const { calls } = (await load('vscode.mjs')) as { readonly calls: readonly string[] };
    return { bytes: [...loaded].reduce((sum, file) => sum + (outputs.get(file)?.bytes ?? 0), 0), calls };
  } finally {
    fs.rmSync(dir, { recursive: true });
  }
}

suite('activation', () => {
  test('loads little code and registers only what VS Code cannot be given later', async () => {
    const { bytes, calls } = await activate();
    assert.ok(bytes < 48_000, `${String(bytes)} bytes are loaded`);
    const perManifest = new Set(['commands.registerCommand', 'lm.registerTool']);
    const others = calls.filter((name) => !perManifest.has(name) && !name.startsWith('new '));
    assert.ok(others.length <= 35, others.join());
    // No context key is set, and of the providers for documents only the hovers over known ids are there.
    assert.ok(!calls.includes('commands.executeCommand'));
    const languages = calls.filter((name) => name.startsWith('languages.'));
    assert.deepEqual(languages, ['languages.registerHoverProvider', 'languages.registerHoverProvider']);
  });

  test('translates nothing on load', () => {
    const loaded = getLoadedFiles('extension.ts');
    assert.ok(loaded.length > 20 && loaded.length < 100, String(loaded.length));
    assert.deepEqual(loaded.filter(translatesOnLoad), []);
    assert.ok(translatesOnLoad('model/text/heading.ts'));
  });
});
