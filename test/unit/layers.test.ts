/** Which folder of `src` may import which, and which folders run without VS Code. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const SRC = path.resolve(import.meta.dirname, '../../src');
/** From low to high. A file imports from its own folder and from lower rows, never from another folder of its row. */
const LAYERS: readonly (readonly string[])[] = [
  ['platform'],
  ['sandbox', 'model'],
  ['ui'],
  ['webviews', 'cache'],
  ['commands'],
  ['connections'],
  ['explorer', 'documents', 'actions', 'logs', 'faces', 'statistics'],
  ['agents'],
  ['cli'],
  ['features.ts'],
  ['extension.ts'],
];
const WITHOUT_VSCODE = ['platform', 'sandbox', 'cli', 'model', 'cache', 'webviews/protocol', 'webviews/client'];

interface Import {
  /** a file below `src`, or the name of a package */
  readonly target: string;
  readonly typeOnly: boolean;
  /** `import()` */
  readonly dynamic: boolean;
}

const files = fs.globSync('**/*.ts', { cwd: SRC }).map((file) => file.replaceAll('\\', '/'));
const imports = new Map(files.map((file) => [file, readImports(file)]));

/** All imports and re-exports of a file, dynamic and type-only ones too. */
function readImports(file: string): readonly Import[] {
  const statements = fs
    .readFileSync(path.join(SRC, file), 'utf8')
    .matchAll(/(?:\b(?:import|export)\b(\s+type\b)?[^;'=]*?\bfrom\s*|\bimport\s*\(?\s*)'([^']+)'/g);
  return [...statements].map(([statement, typeOnly, name = '']) => ({
    target: name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name,
    typeOnly: typeOnly !== undefined,
    dynamic: /^import\s*\(/.test(statement),
  }));
}

function getTargets(file: string): readonly string[] {
  return (imports.get(file) ?? []).map(({ target }) => target).filter((target) => imports.has(target));
}

function getFolder(file: string): string {
  return file.split('/')[0] ?? '';
}

function getLayer(file: string): number {
  return LAYERS.findIndex((folders) => folders.includes(getFolder(file)));
}

/** The first file that loads vscode when `file` is loaded: itself, or one that it imports. */
function findVscodeImporter(file: string, visited = new Set<string>()): string | undefined {
  if (visited.has(file)) return undefined;
  visited.add(file);
  const loaded = (imports.get(file) ?? []).filter(({ typeOnly }) => !typeOnly).map(({ target }) => target);
  if (loaded.includes('vscode')) return file;
  for (const target of loaded) {
    const importer = findVscodeImporter(target, visited);
    if (importer !== undefined) return importer;
  }
  return undefined;
}

/** Tarjan's algorithm: the groups of files that import each other, directly or through others. */
function findCycles(): string[] {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[] = [];
  /** Returns the earliest file on the stack that `file` reaches, as its place in the order of visits. */
  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    const bottom = stack.push(file) - 1;
    let lowest = index;
    for (const target of getTargets(file)) {
      if (!order.has(target)) lowest = Math.min(lowest, visit(target));
      else if (stack.includes(target)) lowest = Math.min(lowest, order.get(target) ?? index);
    }
    if (lowest === index) {
      const group = stack.splice(bottom);
      if (group.length > 1) cycles.push(group.sort().join(', '));
    }
    return lowest;
  };
  for (const file of files) if (!order.has(file)) visit(file);
  return cycles.sort();
}

/** The files that are loaded when `file` is: not what they import with `import()`. */
function getLoadedFiles(file: string): readonly string[] {
  const loaded = new Set([file]);
  // A set visits what is added during the loop, too.
  for (const one of loaded)
    for (const { target, typeOnly, dynamic } of imports.get(one) ?? [])
      if (!typeOnly && !dynamic && imports.has(target)) loaded.add(target);
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

suite('layers', () => {
  test('every folder has a layer', () => {
    assert.deepEqual([...new Set(files.filter((file) => getLayer(file) < 0).map(getFolder))], []);
  });

  test('files import from their own folder and from lower layers', () => {
    const wrong = files.flatMap((file) =>
      getTargets(file)
        .filter((target) => getFolder(target) !== getFolder(file) && getLayer(target) >= getLayer(file))
        .map((target) => `${file} → ${target}`),
    );
    assert.deepEqual(wrong, []);
  });

  test('files of activation translate no message when they are loaded, before the language is set', () => {
    const loaded = getLoadedFiles('extension.ts');
    assert.ok(loaded.length > 20 && loaded.length < 100, String(loaded.length));
    assert.deepEqual(loaded.filter(translatesOnLoad), []);
    assert.ok(translatesOnLoad('model/text/heading.ts'));
  });

  test('no file imports itself through others', () => {
    assert.deepEqual(findCycles(), []);
  });

  test('folders without VS Code neither name nor load it', () => {
    const checked = files.filter((file) => WITHOUT_VSCODE.some((folder) => file.startsWith(`${folder}/`)));
    assert.ok(checked.length > 5);
    const wrong = checked.flatMap((file) => {
      const named = (imports.get(file) ?? []).some(({ target }) => target === 'vscode');
      const importer = named ? file : findVscodeImporter(file);
      return importer === undefined ? [] : [`${file} loads vscode through ${importer}`];
    });
    assert.deepEqual(wrong, []);
  });
});
