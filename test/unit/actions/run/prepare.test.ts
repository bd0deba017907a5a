/** A broken source is reported with its file and position; a step of a suite with its name. */
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { prepare, prepareSingle } from '../../../../src/actions/run/prepare.ts';
import { LocatedError } from '../../../../src/model/command-errors.ts';

const text = '{\n  "action": {"burn": }\n}';

function createUri(path: string): vscode.Uri {
  const parts: unknown = { path, toString: () => `file://${path}` };
  return parts as vscode.Uri;
}

suite('preparing a source', () => {
  for (const [name, path] of [
    ['broken', '/w/broken.json'],
    ['sell', '/w/sell.action.json'],
  ] as const) {
    test(`${path} is reported with its full path and position`, () => {
      assert.throws(
        () => prepare({ name, uri: createUri(path), text }),
        (error: unknown) => {
          assert.ok(error instanceof LocatedError);
          assert.ok(error.message.startsWith(`${path.slice(3)}, line 2: Invalid JSON`), error.message);
          assert.deepEqual([error.uri, error.line], [`file://${path}`, 2]);
          return true;
        },
      );
    });
  }

  test('a file with columns of data is not run singly', () => {
    const rows = '{\n  "action": {"burn": {"id": "${row:id}"}}\n}';
    const source = { name: 'burn', uri: createUri('/w/burn.action.json'), text: rows };
    assert.equal(prepare(source).source, source);
    assert.throws(() => prepareSingle(source), {
      name: 'LocatedError',
      message:
        'burn.action.json, line 2: ${row:id} is a column of a data file. Use Run with Data… to run the file. Nothing was sent',
    });
  });

  test('a text without a file is run, and reported by its name', () => {
    const source = { name: 'selection', text: '{"action": {"burn": {"id": "a"}}}' };
    assert.equal(prepareSingle(source).source, source);
    assert.throws(() => prepare({ name: 'selection', text }), /^Error: selection, line 2: /);
    const secret = { name: 'selection', text: '{"action": {"burn": {"id": "${secret:ID}"}}}' };
    assert.equal(prepareSingle(secret).source, secret);
  });

  test('a suite is not run as an action; its steps are', () => {
    const uri = createUri('/w/story.actions.json');
    const good = '{"action": {"burn": {"id": "a"}}}';
    assert.throws(
      () => prepare({ name: 'story.actions', uri, text: good }),
      /^Error: story.actions is a suite\. Run it in/,
    );
    assert.equal(prepare({ name: 'first', uri, text: good }).source.name, 'first');
  });

  test('a step of a suite has no position in the file', () => {
    assert.throws(
      () => prepare({ name: 'first', uri: createUri('/w/story.actions.json'), text }),
      (error: unknown) =>
        error instanceof Error && !(error instanceof LocatedError) && error.message.startsWith('first, line 2: '),
    );
  });
});
