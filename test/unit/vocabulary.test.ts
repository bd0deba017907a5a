/** Words that are not names here: CONTRIBUTING.md has a glossary of the words that are. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Each word with what to use in its place. */
const REPLACEMENTS: readonly (readonly [word: RegExp, replacement: string])[] = [
  [/^(?:rooms?|house|doors?|ground|surroundings)$/i, 'feature, controller, entry point, context'],
  [/^desk$|Desk$/, 'context'],
  [/^(?:persons?|someone|who|whoever)$/, 'user, caller'],
  [/^(?:met|everMet|seen)$/i, 'discovered, known, visited'],
  [/^(?:held|heldBy|kept)$/, 'cached, stored, last successful'],
  [/^taken$/, 'record, add'],
  [/errand/i, 'foreground task'],
  [/^(?:ways?|takeAway)$/, 'link, target'],
  [/^(?:rare|sight|told|tells|says|said|asks|anew|gone|heed)$/i, 'requests, reports, shows, deleted'],
  [/^MOST_/, 'MAX_'],
  [/[a-z]Words$/, 'format…'],
  [/(?<!^(?:lastI|i)ndex|^value|^getPrototype)Of$/, 'get… or a plain noun'],
];
/** Sample data of the sandbox has fields of these names. */
const EXEMPT = ['src/sandbox/data/object-content.ts', 'test/unit/sandbox/actions/execute.test.ts'];

const files = fs
  .globSync('{src,test}/**/*.ts', { cwd: ROOT, exclude: (file) => file.endsWith('node_modules') })
  .map((file) => file.replaceAll('\\', '/'));

function findReplacement(name: string): string | undefined {
  return REPLACEMENTS.find(([word]) => word.test(name))?.[1];
}

/** Names that a file declares or uses; strings and comments do not count. */
function readIdentifiers(file: string): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, fs.readFileSync(path.join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest));
  return names;
}

suite('vocabulary', () => {
  test('no file is named by a private word', () => {
    const wrong = files.filter((file) =>
      path
        .basename(file, '.ts')
        .split(/[.-]/)
        .some((word) => findReplacement(word) !== undefined),
    );
    assert.deepEqual(wrong, []);
  });

  test('no identifier is a private word', function () {
    // Slow: parses all of src and test.
    this.timeout(60_000);
    const checked = files.filter((file) => !EXEMPT.includes(file));
    const wrong = checked.flatMap((file) =>
      [...readIdentifiers(file)].flatMap((name) => {
        const replacement = findReplacement(name);
        return replacement === undefined ? [] : [`${file}: ${name} (${replacement})`];
      }),
    );
    assert.deepEqual(wrong, []);
  });
});
