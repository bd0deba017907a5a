/** What editors show on hover: every exported function and class is described, with what its Promise rejects with. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const SRC = path.resolve(import.meta.dirname, '../../src');

interface Exported {
  /** file and name */
  readonly place: string;
  readonly node: ts.FunctionDeclaration | ts.ClassDeclaration;
  /** of all overloads; empty without one */
  readonly docstring: string;
}

function readExports(file: string): readonly Exported[] {
  const source = ts.createSourceFile(file, fs.readFileSync(path.join(SRC, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const nodes = source.statements.filter(
    (node): node is Exported['node'] =>
      (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) &&
      (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) !== 0,
  );
  const describe = (node: ts.Node): string =>
    ts
      .getJSDocCommentsAndTags(node)
      .map((part) => part.getText())
      .join();
  return nodes.map((node) => ({
    place: `${file}: ${node.name?.text ?? 'default'}`,
    node,
    docstring: nodes
      .filter(({ name }) => name?.text === node.name?.text)
      .map(describe)
      .join(),
  }));
}

const exported = fs.globSync('**/*.ts', { cwd: SRC }).flatMap(readExports);

suite('docstrings', () => {
  test('every exported function and class has one', () => {
    assert.deepEqual(
      exported.filter(({ docstring }) => docstring === '').map(({ place }) => place),
      [],
    );
  });

  test('an exported function says what its Promise rejects with, or that it never rejects', () => {
    const returnsPromise = ({ node }: Exported): boolean =>
      ts.isFunctionDeclaration(node) &&
      (node.type?.getText().startsWith('Promise<') === true ||
        node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true);
    assert.deepEqual(
      exported.filter((each) => returnsPromise(each) && !/rejects/i.test(each.docstring)).map(({ place }) => place),
      [],
    );
  });
});
