/** Compare With… in VS Code's diff editor: two resources, two times, two connections. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { registry, type Kind } from '../../../src/platform/registry.ts';
import { toPlainText } from '../../../src/platform/text/plain-text.ts';
import { getTestHooks } from '../support/connections.ts';
import {
  closeAll,
  connect,
  CONNECTION,
  eventually,
  getAnyResource,
  onSandbox,
  open,
  toUri,
} from '../support/documents.ts';
import { fault } from '../support/sandbox.ts';

interface Side {
  readonly uri: string;
  readonly text: string;
}

const compare = (...args: readonly unknown[]): Thenable<unknown> =>
  vscode.commands.executeCommand('smartObjects.compareResources', ...args);

/** Waits for the active diff. Resolves to its title and the texts of both editors. */
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

/** The name of the resource in a document, as titles show it. */
const getName = (kind: Kind, text = ''): string => toPlainText(registry[kind].summary(JSON.parse(text)).title, 40);

suite('documents: compare', () => {
  onSandbox();

  test('two resources: the chosen one on the left, the given one on the right', async () => {
    const { ui } = await getTestHooks();
    const object = await getAnyResource('objects');
    const template = await getAnyResource('templates');
    const texts = [(await open(template)).getText(), (await open(object)).getText()];
    ui.answer('pick', 'By ID', template.id);
    await compare(object);
    const { label, left, right } = await diffShown();
    const [templateName, objectName] = [getName('templates', texts[0]), getName('objects', texts[1])];
    assert.equal(label, `${templateName} (template) ↔ ${objectName} (object)`);
    assert.deepEqual([left.uri, right.uri], [toUri('templates', template.id), toUri('objects', object.id)].map(String));
    assert.deepEqual([left.text, right.text], texts);
    // If one of them cannot be read, a message is shown instead of a diff.
    await closeAll();
    await compare(undefined, [object, { ...object, id: 'obj_nowhere' }]);
    assert.match(ui.readMessages('error').at(-1) ?? '', /Compare.*|found nothing|404/i);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab, undefined);
  });

  test('one resource over time: the earlier text on the left, the current one on the right; also after a reload', async () => {
    const h = await getTestHooks();
    const resource = await getAnyResource('objects');
    await vscode.window.showTextDocument(await open(resource));
    const before = vscode.window.activeTextEditor?.document.getText() ?? '';
    fault({ route: 'GET /objects/{objectId}', fault: 'unknownField', field: 'custom.only_now', value: 1 });
    await vscode.commands.executeCommand('smartObjects.refreshDocument');
    await eventually(() =>
      vscode.window.activeTextEditor?.document.getText().includes('only_now') === true ? true : undefined,
    );
    h.ui.answer('pick', ({ choices }) => choices.find((label) => label.startsWith('$(history)')));
    await compare();
    const { label, left, right } = await diffShown();
    const name = getName('objects', before);
    assert.equal(label.replace(/\d\d:\d\d:\d\d(?:\s[AP]M)?/, 'TIME'), `${name} (TIME) ↔ ${name} (object)`);
    assert.equal(left.text, before);
    assert.equal(right.uri, toUri('objects', resource.id).toString());
    assert.match(right.text, /"only_now": 1/);

    // The snapshot survives a reload and is shared by windows, until signing out.
    const { snapshots } = await h.services();
    await snapshots.flush();
    const later = await h.anotherWindow();
    const hasSnapshot = async (): Promise<boolean> =>
      (await later.snapshots.list(resource)).some(
        ({ text, readAt }) => text === before && left.uri.endsWith(`?${String(readAt)}`),
      );
    assert.equal(await hasSnapshot(), true);
    await h.signOut(CONNECTION);
    assert.equal(await hasSnapshot(), false);
    await connect();
  });

  test('one resource on two connections: each side shows the response of its connection, and the title names both', async () => {
    const h = await getTestHooks();
    await connect('Production', { environment: 'production' });
    const resource = await getAnyResource('faces');
    // The first response is for the other connection, which is read first.
    await open(resource);
    fault({ route: 'GET /faces', fault: 'unknownField', field: 'only_there', value: 1 });
    h.ui.answer('pick', 'Production');
    await compare(resource);
    const { label, left, right } = await diffShown();
    const name = getName('faces', left.text);
    assert.equal(label, `${name} (Production) ↔ ${name} (${CONNECTION})`);
    assert.deepEqual(
      [left.uri, right.uri],
      [toUri('faces', resource.id, 'Production'), toUri('faces', resource.id)].map(String),
    );
    assert.match(left.text, /"only_there": 1/);
    assert.doesNotMatch(right.text, /only_there/);
    await h.reset();
    await connect();
  });
});
