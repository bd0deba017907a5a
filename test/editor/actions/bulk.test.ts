/** Commands and panels of batches, without their page: what they open, what they find after an interruption, what is deleted. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { createBatchPlatform } from '../../../src/actions/bulk/batch-platform.ts';
import { formatRows, openDataFile } from '../../../src/actions/bulk/data/open-data.ts';
import { PanelBatch } from '../../../src/actions/bulk/panel/panel-batch.ts';
import { BatchStorage } from '../../../src/actions/bulk/panel/panel-storage.ts';
import { openWorkspaceStorage } from '../../../src/model/files/workspace-storage.ts';
import { actionSuite, CONNECTION, createOtherController, getLenses, readIds, write } from '../support/actions.ts';
import { waitUntil } from '../support/connections.ts';
import type { TestHooks } from '../support/hooks.ts';
import { countPosts } from '../support/sandbox.ts';
import { recordPosts } from '../support/webviews.ts';

const ACTION = { action: { update: { id: '${row:id}', data: { custom: { note: '${row:name}' } } } } };

const getTabLabels = (): readonly string[] =>
  vscode.window.tabGroups.all.flatMap((group) =>
    group.tabs.filter(({ input }) => input instanceof vscode.TabInputWebview).map(({ label }) => label),
  );

/** Leaves a batch of `ids` as a window does that closes after the first row. */
async function interruptBatch(extension: TestHooks, ids: readonly string[]): Promise<BatchStorage> {
  const session = (await extension.services()).sessions.get(CONNECTION);
  assert.ok(session);
  const storage = new BatchStorage(await openWorkspaceStorage(extension.features.context, vscode.workspace));
  const stored = {
    id: storage.createId(),
    action: { name: 'note', text: JSON.stringify(ACTION) },
    data: { name: 'rows' },
    connection: CONNECTION,
    pacing: { concurrency: 1, rate: 0.1 },
  };
  const columns = ['id', 'name'];
  await storage.save(
    stored,
    formatRows(
      columns,
      ids.map((id) => [id, 'interrupted']),
    ),
  );
  const batch = new PanelBatch({
    storage,
    stored,
    openData: (signal) => openDataFile({ path: storage.getData(stored.id), name: 'rows', signal }),
    onDidChange: () => undefined,
  });
  const reject = (): Promise<string> => Promise.reject(new Error('no such variable'));
  const context = {
    connection: { name: CONNECTION, baseUrl: session.profile.baseUrl, environment: 'sandbox' },
    platform: createBatchPlatform(session.client),
    variables: { input: reject, env: reject, secret: reject, file: reject, run: reject },
    getSigner: () => undefined,
  };
  await batch.load(context);
  const before = countPosts();
  await batch.run(context);
  await waitUntil(() => countPosts() > before);
  await batch.stop();
  await batch.close();
  return storage;
}

actionSuite('batches', (getExtension) => {
  teardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const storage = await openWorkspaceStorage(getExtension().features.context, vscode.workspace);
    await fs.rm(path.join(storage, 'batches'), { recursive: true, force: true });
  });

  test('a file with placeholders for rows is opened with its data file, which is offered first', async () => {
    const extension = getExtension();
    const uri = await write('seats.action.json', ACTION);
    await write('another.csv', 'id,name\n');
    await write('seats.csv', `id,name\n${(await readIds(extension)).object('Concert')},first\n`);
    await vscode.window.showTextDocument(uri);
    const titles = (await getLenses(uri)).map(({ command }) => command?.title ?? '');
    assert.match(titles[0] ?? '', /Run with Data…$/);
    const before = countPosts();
    extension.ui.answer('pick', ({ choices }) => {
      assert.match(choices[0] ?? '', /^seats\.csv/);
      return 'seats.csv';
    });
    await vscode.commands.executeCommand('smartObjects.runWithData', uri);
    assert.deepEqual(extension.ui.readMessages('error'), []);
    await waitUntil(() => getTabLabels().includes('seats: seats.csv'));
    assert.equal(countPosts(), before, 'nothing is sent before the panel is confirmed');
  });

  test('rows that are shown are replaced after a change of the data', async () => {
    const extension = getExtension();
    const id = (await readIds(extension)).object('Concert');
    const action = await write('changed.action.json', ACTION);
    const data = await write('changed.csv', `id,name\n${id},before\n`);
    extension.ui.answer('pick', 'changed.csv');
    const posts = recordPosts();
    const hasPost = (text: string): boolean => posts.messages.some((message) => JSON.stringify(message).includes(text));
    try {
      await vscode.commands.executeCommand('smartObjects.runWithData', action);
      await waitUntil(() => hasPost('"canRun":true'));
      posts.send('showRows', { from: 0, count: 1, version: 1 });
      await waitUntil(() => hasPost('"before"'));
      const editor = await vscode.window.showTextDocument(data, { viewColumn: vscode.ViewColumn.Beside });
      await editor.edit((edit) => edit.insert(new vscode.Position(1, id.length + 1), 'after and not '));
      await editor.document.save();
      await waitUntil(() => hasPost('"after and not before"'));
    } finally {
      posts.restore();
    }
  });

  test('selected rows of the tree are opened with an action file', async () => {
    const extension = getExtension();
    await write('stamp.action.json', ACTION);
    const id = (await readIds(extension)).object('Concert');
    extension.ui.answer('pick', 'stamp');
    const node = { connection: CONNECTION, kind: 'objects', id };
    await vscode.commands.executeCommand('smartObjects.runOnSelection', node, [node]);
    assert.deepEqual(extension.ui.readMessages('error'), []);
    await waitUntil(() => getTabLabels().includes('stamp: 1 object'));
  });

  test('a batch that is confirmed after its panel was closed is not sent, and says so', async () => {
    const extension = getExtension();
    await write('late.action.json', { action: { update: { id: '${row:id}', data: { custom: { note: 'late' } } } } });
    const id = (await readIds(extension)).object('Concert');
    extension.ui.answer('pick', 'late');
    const posts = recordPosts();
    const node = { connection: CONNECTION, kind: 'objects', id };
    await vscode.commands.executeCommand('smartObjects.runOnSelection', node, [node]);
    posts.restore();
    await waitUntil(() => posts.messages.some((message) => JSON.stringify(message).includes('"canRun":true')));
    const before = countPosts();
    extension.ui.whileOpen('confirm', async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await waitUntil(() => !getTabLabels().includes('late: 1 object'));
    });
    extension.ui.answer('confirm', true);
    posts.send('run', {});
    await waitUntil(() => extension.ui.readMessages('error').length > 0);
    assert.match(extension.ui.readMessages('error')[0] ?? '', /panel was closed\. Nothing was sent/);
    assert.equal(countPosts(), before);
  });

  test('an interrupted batch is offered until the user wants it no more', async () => {
    const extension = getExtension();
    const id = (await readIds(extension)).object('Concert');
    const storage = await interruptBatch(extension, [id, id, id]);
    // A lock that nobody removes: the name of the machine changed.
    const [{ stored } = assert.fail()] = await storage.list();
    const lock = `${storage.getJournal(stored.id)}.${'0'.repeat(16)}.1.${randomUUID()}.lock`;
    await vscode.workspace.fs.writeFile(vscode.Uri.file(lock), new Uint8Array());
    const other = await createOtherController(extension);
    try {
      const panels = await other.controller.bulkPanels();
      const isDismissed = async (): Promise<boolean> => (await storage.read(stored.id)).isDismissed === true;
      extension.ui.answer('warn', 'Don’t Offer Again');
      await panels.offerInterrupted();
      await waitUntil(isDismissed);
      await panels.offerInterrupted();
      assert.equal(extension.ui.readMessages('warn').length, 1);
      assert.equal(await panels.count(CONNECTION), 1);
    } finally {
      other.dispose();
    }
  });

  test('an interrupted batch is offered, shown, and deleted with the history of its connection', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    await interruptBatch(extension, [known.object('Concert'), known.object('Concert'), known.object('Concert')]);
    const other = await createOtherController(extension);
    try {
      const panels = await other.controller.bulkPanels();
      extension.ui.answer('warn', 'Show');
      await panels.offerInterrupted();
      const [text = ''] = extension.ui.readMessages('warn');
      assert.match(
        text,
        /^A batch was interrupted: note, rows\. 1 (?:accepted|completed), 2 not sent\. It can be resumed\.$/,
      );
      await waitUntil(() => getTabLabels().includes('note: rows'));
      assert.equal(await panels.count(CONNECTION), 1);
      const before = countPosts();
      await panels.delete(CONNECTION);
      assert.equal(await panels.count(CONNECTION), 0);
      await waitUntil(() => !getTabLabels().includes('note: rows'));
      assert.equal(countPosts(), before);
    } finally {
      other.dispose();
    }
  });
});
