/** The files of activation translate no message when they are loaded, before the language is set. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
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

suite('activation', () => {
  test('translates nothing on load', () => {
    const loaded = getLoadedFiles('extension.ts');
    assert.ok(loaded.length > 20 && loaded.length < 100, String(loaded.length));
    assert.deepEqual(loaded.filter(translatesOnLoad), []);
    assert.ok(translatesOnLoad('model/text/heading.ts'));
  });
});
