/** A stored choice that is gone never becomes another one: connection and identity, and all code that looks one up. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { resolveChoice } from '../../../../src/model/session/stored-choice.ts';

const SRC = path.resolve(import.meta.dirname, '../../../../src');
/** An expression that looks up a connection or identity by its name; runs and other resources have ids. */
const LOOKUP = /(?:(?:sessions|store|this)\.get|\bgetIdentity|\bgetCurrent)\((?![\w.]*\.id\))[^()]*\)\)?$/i;

/** Places that use something else where a lookup, or a search for the chosen one, finds nothing: `file: expression`. */
function findReplacedChoices(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.QuestionQuestionToken) return;
    const [left, right] = [node.left.getText(source), node.right.getText(source)];
    const isChoice = LOOKUP.test(left) || (left.includes('.find(') && /\b(?:chosen|active|current)\w*\b/.test(left));
    if (isChoice && !/^(?:undefined|\[\]|\{\})$/.test(right)) found.push(`${file}: ${node.getText(source)}`);
  };
  visit(source);
  return found;
}

suite('stored choices', () => {
  test('one that is gone is not replaced; before the first choice there is an initial one', () => {
    const values = new Map([['kept', 1]]);
    const resolve = (choice: string | undefined): number | undefined =>
      resolveChoice(
        choice,
        (name) => values.get(name),
        () => 2,
      );
    assert.deepEqual(['kept', 'gone', undefined].map(resolve), [1, undefined, 2]);
  });

  test('no other code falls back to another connection or identity', () => {
    const former = `
      const a = (chosen === undefined ? undefined : this.get(connection, chosen)) ?? this.get(connection);
      const b = sessions.getIdentity(connection, identity) ?? requireSession(sessions, connection);
      const c = all.find((other) => other.name === chosen) ?? all[0];
      const d = sessions.getIdentity(name, as) ?? [];`;
    assert.equal(findReplacedChoices('former.ts', former).length, 3);
    const found = fs
      .globSync('**/*.ts', { cwd: SRC })
      .flatMap((file) => findReplacedChoices(file, fs.readFileSync(path.join(SRC, file), 'utf8')));
    assert.deepEqual(found, []);
  });
});
