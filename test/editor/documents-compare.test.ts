/** Compare With… in VS Code's own diff: two resources, one then and now, one on two connections; by what the tab shows. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hooks } from './support/connections.ts';
import {
  closeAll,
  connect,
  CONNECTION,
  eventually,
  fault,
  oneOf,
  onSandbox,
  open,
  uriOf,
} from './support/documents.ts';

interface Side {
  readonly uri: string;
  readonly text: string;
}

const compare = (...args: readonly unknown[]): Thenable<unknown> =>
  vscode.commands.executeCommand('smartObjects.compareResources', ...args);

/** The diff in front, as soon as there is one; the texts are those that its two editors show. */
async function diffShown(): Promise<{ readonly label: string; readonly left: Side; readonly right: Side }> {
  const { label, input } = await eventually(() => {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return tab?.input instanceof vscode.TabInputTextDiff ? { label: tab.label, input: tab.input } : undefined;
  });
  const side = async (uri: vscode.Uri): Promise<Side> => {
    const editor = await eventually(() =>
      vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString()),
    );
    return { uri: uri.toString(), text: editor.document.getText() };
  };
  return { label, left: await side(input.original), right: await side(input.modified) };
}

suite('documents: compare', () => {
  onSandbox();

  test('two resources: the one that is chosen beside the one that was asked for', async () => {
    const { ui } = await hooks();
    const object = await oneOf('objects');
    const template = await oneOf('templates');
    const texts = [(await open(template)).getText(), (await open(object)).getText()];
    ui.answer('pick', 'By ID', template.id);
    await compare(object);
    const { label, left, right } = await diffShown();
    assert.equal(label, `${template.id} ↔ ${object.id}`);
    assert.deepEqual([left.uri, right.uri], [uriOf('templates', template.id), uriOf('objects', object.id)].map(String));
    assert.deepEqual([left.text, right.text], texts);
    // Where one of them cannot be read, no half-empty diff opens: it is said in words.
    await closeAll();
    await compare(undefined, [object, { ...object, id: 'obj_nowhere' }]);
    assert.match(ui.said('error').at(-1) ?? '', /Compare.*|found nothing|404/i);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab, undefined);
  });

  test('one resource over time: what it was on the left, what it is on the right; also after a reload', async () => {
    const h = await hooks();
    const resource = await oneOf('objects');
    await vscode.window.showTextDocument(await open(resource));
    const before = vscode.window.activeTextEditor?.document.getText() ?? '';
    await fault({ route: 'GET /objects/{objectId}', fault: 'unknownField', field: 'custom.only_now', value: 1 });
    await vscode.commands.executeCommand('smartObjects.refreshDocument');
    await eventually(() =>
      vscode.window.activeTextEditor?.document.getText().includes('only_now') === true ? true : undefined,
    );
    h.ui.answer('pick', ({ choices }) => choices.find((label) => label.startsWith('$(history)')));
    await compare();
    const { label, left, right } = await diffShown();
    assert.match(label, new RegExp(`^${resource.id} at \\d\\d:\\d\\d:\\d\\d ↔ ${resource.id}$`));
    assert.equal(left.text, before);
    assert.equal(right.uri, uriOf('objects', resource.id).toString());
    assert.match(right.text, /"only_now": 1/);

    // After a reload, or in another window, it is still there; after signing out nowhere.
    const { snapshots } = await h.services();
    await snapshots.flush();
    const later = await h.anotherWindow();
    const seen = async (): Promise<boolean> =>
      (await later.snapshots.of(resource)).some(
        ({ text, readAt }) => text === before && left.uri.endsWith(`?${String(readAt)}`),
      );
    assert.equal(await seen(), true);
    await h.signOut(CONNECTION);
    assert.equal(await seen(), false);
    await connect();
  });

  test('one resource on two connections: each side is the answer of its own, and the title names both', async () => {
    const h = await hooks();
    await connect('Production', { environment: 'production' });
    const resource = await oneOf('faces');
    // The first of the two answers is the other connection's: it is read first.
    await open(resource);
    await fault({ route: 'GET /faces', fault: 'unknownField', field: 'only_there', value: 1 });
    h.ui.answer('pick', 'Production');
    await compare(resource);
    const { label, left, right } = await diffShown();
    assert.equal(label, `${resource.id} (Production) ↔ ${resource.id} (${CONNECTION})`);
    assert.deepEqual(
      [left.uri, right.uri],
      [uriOf('faces', resource.id, 'Production'), uriOf('faces', resource.id)].map(String),
    );
    assert.match(left.text, /"only_there": 1/);
    assert.doesNotMatch(right.text, /only_there/);
    await h.reset();
    await connect();
  });
});
