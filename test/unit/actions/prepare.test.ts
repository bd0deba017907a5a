/** A broken source is named by its file and place; a step of a suite by its own name, for its lines are not the file's. */
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { prepare } from '../../../src/actions/prepare.ts';
import { PlacedError } from '../../../src/ui/placed-error.ts';

const text = '{\n  "action": {"burn": }\n}';

function uriOf(path: string): vscode.Uri {
  const parts: unknown = { path, toString: () => `file://${path}` };
  return parts as vscode.Uri;
}

suite('a source is read before anything is asked', () => {
  for (const [name, path] of [
    ['broken', '/w/broken.json'],
    ['sell', '/w/sell.action.json'],
  ] as const) {
    test(`${path} is named in full, with its place`, () => {
      assert.throws(
        () => prepare({ name, uri: uriOf(path), text }),
        (error: unknown) => {
          assert.ok(error instanceof PlacedError);
          assert.ok(error.message.startsWith(`${path.slice(3)}, line 2: Not JSON`), error.message);
          assert.deepEqual([error.uri, error.line], [`file://${path}`, 2]);
          return true;
        },
      );
    });
  }

  test('a step of a suite leads to no line of the file', () => {
    assert.throws(
      () => prepare({ name: 'first', uri: uriOf('/w/story.actions.json'), text }),
      (error: unknown) =>
        error instanceof Error && !(error instanceof PlacedError) && error.message.startsWith('first, line 2: '),
    );
  });
});
