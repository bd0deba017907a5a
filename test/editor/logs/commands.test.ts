/** Commands on action logs in real VS Code: histories with diffs, reports, links, two platforms at once. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { LogReader } from '../../../src/logs/view/log-reader.ts';
import type { LogsView } from '../../../src/logs/view/logs-view.ts';
import { openWorkspaceStorage } from '../../../src/model/files/workspace-storage.ts';
import { createRunRecord } from '../../../src/model/runs/run-record.ts';
import type { ObjectHistory } from '../../../src/webviews/protocol/logs.ts';
import { CONNECTION, eventually, getAnyResource, open } from '../support/documents.ts';
import {
  base,
  findJacket,
  hasAnyId,
  hasIds,
  hooks,
  injectLogs,
  injectLogsUntilShown,
  onLogs,
  openLogsTab,
  show,
} from '../support/logs.ts';
import { listPageStates } from '../support/pages.ts';
import { recordPosts } from '../support/webviews.ts';
import { ask, clearFaults, fault, getSandbox, sendRequest } from '../support/sandbox.ts';

const LINKS = {
  transaction: 'https://scan.example/tx/{hash}',
  object: 'https://scan.example/o/{id}',
  account: 'https://scan.example/a/{id}',
};

const update = (id: string, note: string): object => ({ action: { update: { id, data: { custom: { note } } } } });

/** Changes an object outside the extension. */
const executeElsewhere = (body: object): Promise<string> => sendRequest('POST', '/ebus/execute', body);

async function diffTab(): Promise<vscode.TabInputTextDiff> {
  return eventually(() => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff ? input : undefined;
  });
}

const readText = async (uri: vscode.Uri): Promise<string> => (await vscode.workspace.openTextDocument(uri)).getText();

suite('action logs: commands', () => {
  onLogs({ environment: 'sandbox', links: LINKS });

  let posts: ReturnType<typeof recordPosts>;
  setup(() => {
    posts = recordPosts();
  });
  teardown(() => {
    posts.restore();
  });

  /** Waits until the newest step of an object's history is settled and has its current root: logs may be indexed late. */
  async function openHistory(id: string): Promise<ObjectHistory> {
    await vscode.commands.executeCommand('smartObjects.showObjectHistory', {
      connection: CONNECTION,
      kind: 'objects',
      id,
    });
    const lastRefresh = { at: Date.now() };
    return eventually(() => {
      const history = listPageStates(posts).at(-1)?.history;
      const isCurrent = history?.object === id && !history.busy && history.tone === 'ok';
      if (isCurrent && history.steps.at(-1)?.status === 'completed') return history;
      if (Date.now() - lastRefresh.at > 1000) {
        lastRefresh.at = Date.now();
        posts.send('refresh', {});
      }
      return undefined;
    });
  }

  test('compares known states between steps of a history', async () => {
    const id = await findJacket();
    const document = { connection: CONNECTION, kind: 'objects', id };
    const { snapshots } = await (await hooks()).services();
    // States that were never read; earlier ones may belong to a run of this suite, which stores its states.
    for (const note of ['unseen', 'unseen too', `unseen ${String(Date.now())}`]) {
      await executeElsewhere(update(id, note));
      await eventually(async () => ((await ask(`/objects/${id}`)).includes(`"${note}"`) ? true : undefined));
    }
    // A new session starts without known states.
    await eventually(async () => {
      await open(document);
      return (await snapshots.list(document)).length > 0 ? true : undefined;
    });
    // Unique in each attempt.
    const note = `from elsewhere ${String(Date.now())}`;
    await executeElsewhere(update(id, note));
    await eventually(async () => ((await open(document)).getText().includes(note) ? true : undefined));
    const { steps } = await openHistory(id);
    const step = steps.at(-1) ?? assert.fail('no step');
    assert.equal(step.snapshot, 'both');
    assert.ok(
      step.changes.some((line) => line.includes('custom.note') && line.includes(note)),
      step.changes.join('\n'),
    );
    // Unknown states are not shown.
    assert.equal(steps.at(-3)?.snapshot, 'none');
    posts.send('diff', { key: step.key });
    const { original, modified } = await diffTab();
    assert.ok(!(await readText(original)).includes(note));
    assert.ok((await readText(modified)).includes(`"note": "${note}"`));
  });

  test('a run records the states around it beyond the session', async () => {
    const extension = await hooks();
    const { ui } = extension;
    const id = await findJacket();
    const uri = vscode.Uri.joinPath(
      vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/'),
      'ours.action.json',
    );
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(JSON.stringify(update(id, 'by a run'))));
    const runs = await vscode.commands.executeCommand<readonly { outcome?: string }[]>(
      'smartObjects.executeAction',
      uri,
    );
    assert.deepEqual(
      runs.map(({ outcome }) => outcome),
      ['completed'],
    );
    await extension.signOut(CONNECTION);
    await extension.signIn(CONNECTION, { apiKey: getSandbox().apiKey });
    const step = (await openHistory(id)).steps.at(-1);
    assert.equal(step?.snapshot, 'both');
    assert.ok(step.changes.some((line) => line.includes('by a run')));

    // The same file's runs are a preset of the table.
    await vscode.window.showTextDocument(uri);
    const view = await show();
    view.handlers.addFilter({ what: 'thisFile' });
    await eventually(() => (view.state.filters.actions?.length === 1 && view.entries.length === 1 ? true : undefined));
    assert.deepEqual(view.entries[0]?.row.objects, [id]);
    assert.deepEqual(ui.readMessages('error'), []);
  });

  test('the report of a failure names reason, position and batch, and no secret', async () => {
    const view = await show({ status: 'failed' });
    const entry = await eventually(() =>
      view.entries.find(({ row, text }) => row.message !== '' && text?.includes('"id":"obj_') === true),
    );
    fault({ route: 'GET /objects/{objectId}', fault: 'echoCredential', count: null });
    // A run on another connection, whose platform uses the same ids.
    const { context } = await (await hooks()).services();
    const runs = path.join(await openWorkspaceStorage(context, vscode.workspace), 'runs');
    await fs.mkdir(runs, { recursive: true });
    const origin = 'http://127.0.0.1';
    const name = 'other.action.json';
    const run = createRunRecord({ id: 'z', name, connection: 'Other', origin, effect: 'Burn', source: '{}' });
    await fs.writeFile(path.join(runs, 'z.json'), JSON.stringify({ ...run, logId: entry.id, phase: 'ended' }));
    view.handlers.report({ key: entry.key });
    const document = await eventually(() => {
      const shown = vscode.window.activeTextEditor?.document;
      return shown?.languageId === 'markdown' ? shown : undefined;
    });
    const text = document.getText();
    assert.ok(document.isUntitled, 'a person reads it before it is anywhere');
    assert.ok(text.startsWith('# Failed action: '));
    for (const part of [
      '| Reason |',
      '| Status | failed |',
      '| Environment | sandbox |',
      '## Action log',
      '## Current object',
    ])
      assert.ok(text.includes(part), `${part} in\n${text}`);
    assert.ok(text.includes(entry.id));
    assert.ok(!text.includes(getSandbox().apiKey));
    assert.ok(!text.includes('other.action.json'));
    await fs.rm(path.join(runs, 'z.json'));
  });

  test('a settled batch is read again for another identity', async () => {
    const h = await hooks();
    const services = await h.services();
    const reader = new LogReader(services);
    const { id } = await getAnyResource('batches');
    const read = async (): Promise<unknown> => {
      const session = services.sessions.get(CONNECTION);
      assert.ok(session);
      return reader.readBatch(session, id);
    };
    const batch = await read();
    assert.equal(Reflect.get(Object(batch), 'id'), id);
    fault({ route: 'GET /batches/{batchId}', fault: 'forbidden', count: 5 });
    try {
      assert.deepEqual(await read(), batch);
      await h.signIn(CONNECTION, { apiKey: getSandbox().readOnlyApiKey });
      assert.match(String(await read()), /^Read batch: /);
    } finally {
      clearFaults();
      await h.signIn(CONNECTION, { apiKey: getSandbox().apiKey });
    }
  });

  test('outside links are filled and opened only when they are clicked; a batch shows how it was settled', async () => {
    const { ui } = await hooks();
    const view = await show({ status: 'completed' });
    const entries = await eventually(() => {
      // Until they are replaced, those of the filter before are listed.
      const settled = view.entries.filter(
        ({ row }) =>
          row.status === 'completed' && row.batch !== '' && row.objectCount > 0 && row.time < Date.now() - 86_400_000,
      );
      return settled.length > 0 ? settled : undefined;
    });
    const showDetails = async ({ key }: { readonly key: string }) => {
      view.handlers.select({ key });
      const details = await eventually(() =>
        view.details?.key === key && !view.details.busy ? view.details : undefined,
      );
      return details.sections.flatMap((section) => section.fields);
    };
    let fields: Awaited<ReturnType<typeof showDetails>> = [];
    const getSettlement = (): string | undefined => fields.find(({ name }) => name === 'Settlement')?.value;
    // Batches of completed actions fail, too, and have no transaction then.
    for (const entry of entries) {
      if (getSettlement() === 'completed') break;
      fields = await showDetails(entry);
    }
    assert.equal(getSettlement(), 'completed');
    assert.deepEqual(ui.readMessages('browse'), []);
    for (const [name, address] of [
      ['Transaction', 'https://scan.example/tx/'],
      ['Object', 'https://scan.example/o/'],
      ['Signer', 'https://scan.example/a/'],
    ] as const) {
      const field = fields.find((one) => one.name === name);
      assert.ok(field?.url !== undefined, name);
      view.handlers.openUrl({ url: field.url });
      await eventually(() => (ui.readMessages('browse').at(-1) === address + field.value ? true : undefined));
    }
    assert.equal(ui.readMessages('browse').length, 3);
  });

  test('a hidden tab reads nothing, and continues when visible', async () => {
    const view = await show();
    await eventually(() => (view.entries.length > 100 ? true : undefined));
    const tab = await openLogsTab(view);
    await eventually(() => (tab.entries.length > 100 ? true : undefined));
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'in front' }));
    await eventually(() => (tab.visible ? undefined : true));
    const ids = await injectLogsUntilShown(view);
    assert.ok(!hasAnyId(tab, ids));
    await vscode.commands
      .executeCommand('workbench.action.openPreviousEditorFromHistory')
      .then(undefined, () => undefined);
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await vscode.commands.executeCommand('workbench.action.openEditorAtIndex1');
    await eventually(() => (tab.visible && hasIds(tab, ids) ? true : undefined));
    assert.equal(tab.state.following, false);
  });

  test('follows the active connection unless pinned or filtered; two platforms in one view', async () => {
    const { ui } = await hooks();
    await vscode.commands.executeCommand('smartObjects.startSandbox');
    const local = 'Local Sandbox';
    const getConnections = (view: LogsView): string => view.state.filters.connections.join();
    const select = (name: string): Thenable<unknown> =>
      vscode.commands.executeCommand('smartObjects.selectConnection', name);
    await select(CONNECTION);
    const view = await show();
    view.handlers.pin({ pinned: false });
    assert.equal(getConnections(view), CONNECTION);
    await select(local);
    await eventually(() => (getConnections(view) === local && view.entries.length > 100 ? true : undefined));
    assert.ok(view.entries.every(({ row }) => row.connection === local));
    view.handlers.pin({ pinned: true });
    await select(CONNECTION);
    assert.equal(getConnections(view), local);

    ui.answer('pick', CONNECTION);
    view.handlers.addFilter({ what: 'connection' });
    const countEntries = (name: string): number => view.entries.filter(({ row }) => row.connection === name).length;
    await eventually(() => (countEntries(local) > 100 && countEntries(CONNECTION) > 100 ? true : undefined));
    // One of them stopped: the other continues.
    ui.answer('confirm', true);
    await vscode.commands.executeCommand('smartObjects.stopSandbox');
    await eventually(() => (view.feed.stale.length > 0 ? true : undefined));
    assert.match(view.feed.reason ?? '', /Local Sandbox/);
    const ids = await injectLogs(9);
    await eventually(() => (hasIds(view, ids) ? true : undefined));
    view.handlers.filter(base);
    await eventually(() => (view.feed.stale.length > 0 ? undefined : true));
  });
});
