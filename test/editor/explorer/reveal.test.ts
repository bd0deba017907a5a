/** Reveals a resource in the tree, in real VS Code: loaded, on a later page, or in no list. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import * as vscode from 'vscode';
import type { Node } from '../../../src/explorer/tree/nodes.ts';
import { getTestHooks, runCommand } from '../support/connections.ts';
import { eventually, getAnyResource, onSandbox } from '../support/documents.ts';
import { explorer, findRow } from '../support/explorer.ts';
import { ask, countRequests, fault, getSandbox } from '../support/sandbox.ts';

const CONNECTION = 'Reveal ü/#';
const reveal = (kind: string, id: string, organization?: string): Promise<unknown> =>
  runCommand('reveal', { connection: CONNECTION, kind, id, ...(organization !== undefined && { organization }) });

/** Waits until the row of the resource is selected. */
async function selected(id: string): Promise<Extract<Node, { type: 'resource' }>> {
  const { view } = await explorer();
  return eventually(() =>
    view.selection
      .filter((node) => node.type === 'resource')
      .find(({ resource, connection }) => resource?.id === id && connection === CONNECTION),
  );
}

/** Reads the ids of a list from the server. */
async function readIds(path: string, key: string): Promise<readonly string[]> {
  const answer = JSON.parse(await ask(path)) as Record<string, readonly { readonly id: string }[]>;
  return (answer[key] ?? []).map(({ id }) => id);
}

suite('revealing a resource in the tree', () => {
  onSandbox(CONNECTION, { pageSize: 10, environment: 'sandbox' });
  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.view.explorer');
  });

  test('a log of the first page is selected, and its list is expanded', async () => {
    const [, , third = ''] = await readIds('/ebus/action-logs?limit=10', 'action_logs');
    await reveal('action-logs', third);
    const node = await selected(third);
    assert.equal(node.parent?.type, 'list');
    assert.ok((await explorer()).view.visible);
    assert.notEqual(node.isExtra, true);
  });

  test('an item of a later page is requested by its id, is marked, survives a refresh, and joins its page later', async () => {
    const last = (await readIds('/ebus/action-logs?limit=100', 'action_logs')).at(-1) ?? '';
    const before = countRequests();
    await reveal('action-logs', last);
    const node = await selected(last);
    assert.equal(node.isExtra, true);
    assert.equal(countRequests(), before + 1);
    await reveal('action-logs', last);
    assert.equal(countRequests(), before + 1, 'what has a row is not asked for again');

    const list = await findRow(CONNECTION, 'All organizations', 'Action Logs');
    const { provider } = await explorer();
    const rows = async (): Promise<readonly Node[]> =>
      ((await provider.getChildren(list.node)) ?? []).filter(
        (each) => each.type === 'resource' && each.resource?.id === last,
      );
    const [shown] = await rows();
    assert.match(String((await provider.getTreeItem(shown ?? assert.fail())).description), /^from a later page · /);
    await runCommand('refresh', list.node);
    assert.equal((await rows()).length, 1);
    await runCommand('loadAll', list.node);
    const [loaded, ...more] = await rows();
    assert.equal(more.length, 0, 'one row for one log');
    assert.ok(loaded?.type === 'resource' && loaded.isExtra !== true);
  });

  test('a resource is selected in the given organization, and so is an organization', async () => {
    const organization = getSandbox().organizations[1]?.id ?? '';
    const [object = ''] = await readIds(`/objects?org_id=${organization}&limit=1`, 'objects');
    await reveal('objects', object, organization);
    assert.equal((await selected(object)).parent?.parent?.organization, organization);
    await reveal('organizations', organization);
    const { view } = await explorer();
    await eventually(() => (view.selection[0]?.type === 'scope' ? true : undefined));
    assert.equal(view.selection[0]?.organization, organization);
  });

  test('a list without an id parameter is read page by page', async () => {
    const last = (await readIds('/api-keys?limit=100', 'keys')).at(-1) ?? '';
    await reveal('api-keys', last);
    assert.notEqual((await selected(last)).isExtra, true);
  });

  test('a resource without a list is read and becomes discovered', async () => {
    const { id } = await getAnyResource('batches', CONNECTION);
    await reveal('batches', id);
    assert.equal((await selected(id)).parent?.type, 'kind');
    const role = await getAnyResource('roles', CONNECTION);
    await reveal('roles', role.id);
    assert.equal((await selected(role.id)).role, 'My role');
  });

  test('a filtered-out resource has no row: a message explains it, and its document is opened', async () => {
    const { ui } = await getTestHooks();
    const logs = JSON.parse(await ask('/ebus/action-logs?limit=100&status=completed')) as {
      action_logs: readonly { readonly id: string }[];
    };
    const completed = logs.action_logs[0]?.id ?? '';
    const list = await findRow(CONNECTION, 'All organizations', 'Action Logs');
    ui.answer('pick', 'Status', 'failed', 'Show Results');
    await runCommand('filter', list.node);
    try {
      await reveal('action-logs', completed);
      assert.match(
        ui.readMessages('info').join(),
        /is not shown in the tree\. .*Action Logs does not contain it with the current filter\./,
      );
      const document = await eventually(() => vscode.window.activeTextEditor?.document);
      assert.ok(document.uri.path.endsWith(`/action-logs/${completed}.json`));
    } finally {
      await runCommand('clearFilter', (await findRow(CONNECTION, 'All organizations', 'Action Logs')).node);
    }
  });

  test('a click opens the selected row, also while the rows are read again', async () => {
    const { id } = await getAnyResource('templates', CONNECTION);
    await reveal('templates', id);
    const { provider, view } = await explorer();
    const { command } = await provider.getTreeItem(await selected(id));
    assert.ok(command);
    // VS Code forgets arguments as soon as it reads the row again.
    assert.equal(command.arguments, undefined);
    await runCommand('refresh', (await findRow(CONNECTION)).node);
    // It reads the rows a moment after they were reported as changed, and knows no selection meanwhile.
    const end = Date.now() + 2000;
    while (view.selection.length > 0 && Date.now() < end) await new Promise(setImmediate);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand(command.command);
    const document = await eventually(() => vscode.window.activeTextEditor?.document);
    assert.ok(document.uri.path.endsWith(`/templates/${id}.json`), document.uri.path);
  });

  test('a failed request is reported with its reason', async () => {
    const { ui } = await getTestHooks();
    const { id } = await getAnyResource('faces', CONNECTION);
    fault({ route: 'GET /faces', fault: 'forbidden', count: null, message: 'Not for you' });
    await runCommand('refresh', (await findRow(CONNECTION)).node);
    await reveal('faces', id);
    assert.match(ui.readMessages('info').join(), /is not shown in the tree\. .*Not for you/);
  });

  for (const argument of [
    undefined,
    'action-logs',
    { connection: 'Nobody', kind: 'objects', id: 'x' },
    { connection: CONNECTION, kind: 'constructor', id: 'x' },
    { connection: CONNECTION, kind: 'objects', id: 'x'.repeat(2000) },
    { connection: CONNECTION, kind: 'objects', id: 7 },
  ]) {
    test(`refuses ${inspect(argument).slice(0, 60)} without a request`, async () => {
      const { ui } = await getTestHooks();
      const before = countRequests();
      await runCommand('reveal', argument);
      assert.match(ui.readMessages('error').join(), /Specify a resource of an existing connection/);
      assert.equal(countRequests(), before);
    });
  }
});
