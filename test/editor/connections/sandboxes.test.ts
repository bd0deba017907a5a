/** The local sandboxes in real VS Code: several at once, with a row each; faults, clock and reset by command. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Session } from '../../../src/model/session/session.ts';
import { isObject } from '../../../src/platform/json/json.ts';
import { getTestHooks, runCommand, waitUntil } from '../support/connections.ts';
import { findRow, getLabels, getRowsBelow } from '../support/explorer.ts';

suite('local sandboxes', () => {
  setup(async () => (await getTestHooks()).reset());
  suiteTeardown(async () => (await getTestHooks()).reset());

  const getSession = async (name: string): Promise<Session> => {
    const session = (await (await getTestHooks()).services()).sessions.get(name);
    assert.ok(session);
    return session;
  };
  const findSandboxRow = async (connection: string): Promise<vscode.TreeItem> =>
    (await findRow(connection, 'Sandbox')).item;
  const countObjects = async (name: string): Promise<number> => {
    const { client } = await getSession(name);
    let count = 0;
    for await (const { items } of client.listPages('objects', { limit: 100 })) count += items.length;
    return count;
  };
  const mint = async (name: string): Promise<unknown> => {
    const { client } = await getSession(name);
    const { items } = await client.listPage('templates', { limit: 100 });
    const ticket = items.find(({ raw }) => isObject(raw) && raw['name'] === 'Harbour Concert Ticket');
    return client.execute(JSON.stringify({ action: { mint: { template_id: ticket?.id, num: 1 } } }));
  };

  test('a second one has its own name, size and data; the values of its form are kept', async () => {
    const { ui } = await getTestHooks();
    await runCommand('startSandbox');
    ui.answer('input', 'many', '12', '0x5', '77', '0');
    await runCommand('startSandboxWith');
    assert.deepEqual(ui.readMessages('error'), []);
    assert.equal(ui.readMessages('invalid').length, 2);
    assert.equal(await countObjects('Local Sandbox 2'), 12);
    assert.equal(await countObjects('Local Sandbox'), 500);
    const first = (await getSession('Local Sandbox')).profile.baseUrl;
    assert.notEqual(first, (await getSession('Local Sandbox 2')).profile.baseUrl);
    const { context } = await (await getTestHooks()).services();
    assert.deepEqual(context.globalState.get('sandbox.choice'), { objects: 12, seed: 77 });
    ui.answer('confirm', true);
    await runCommand('stopSandbox', 'Local Sandbox 2');
    const { sessions } = await (await getTestHooks()).services();
    assert.deepEqual(
      sessions.all.map(({ profile }) => profile.name),
      ['Local Sandbox'],
    );
    ui.answer('confirm', true);
    await runCommand('stopSandbox', 'Local Sandbox');
    // Without a question, as the user last chose; the port is used by another program.
    const { port } = new URL(first);
    const blocker = http.createServer().listen(Number(port), '127.0.0.1');
    await once(blocker, 'listening');
    try {
      await context.globalState.update('sandbox.choice', { objects: 12, seed: 77, port: Number(port) });
      await runCommand('startSandbox');
      assert.equal(await countObjects('Local Sandbox'), 12);
      assert.deepEqual(ui.readMessages('error'), []);
    } finally {
      await context.globalState.update('sandbox.choice', undefined);
      blocker.close();
    }
  });

  test('the state of one that cannot be started again stays, also if another one is stored', async () => {
    const extension = await getTestHooks();
    const { workspaceState } = (await extension.services()).context;
    const list = (): readonly string[] =>
      workspaceState.get<readonly { readonly name: string }[]>('sandbox.state', []).map(({ name }) => name);
    await runCommand('startSandbox');
    const [state] = workspaceState.get<readonly object[]>('sandbox.state', []);
    await workspaceState.update('sandbox.state', [state, { ...state, name: 'Local Sandbox 2' }]);
    await mint('Local Sandbox');
    await waitUntil(() => JSON.stringify(workspaceState.get('sandbox.state')).includes('mint'));
    assert.deepEqual(list(), ['Local Sandbox', 'Local Sandbox 2']);
    extension.ui.answer('confirm', true);
    await runCommand('stopSandbox', 'Local Sandbox');
    assert.deepEqual(list(), ['Local Sandbox 2']);
    await workspaceState.update('sandbox.state', undefined);
  });

  test('Faults… adds one in three steps; its row and a run show it, and Clear Faults ends it', async () => {
    const { ui } = await getTestHooks();
    await runCommand('startSandbox');
    assert.equal(getLabels(await getRowsBelow((await findRow('Local Sandbox')).node)).at(-1), 'Sandbox');
    ui.answer('pick', 'Executions', 'connection lost after the platform has executed', 'Next 3 executions');
    await runCommand('faults', 'Local Sandbox');
    const { description, contextValue } = await findSandboxRow('Local Sandbox');
    assert.match(String(description), /^500 objects · \d+ requests? · 1 fault · clock running$/);
    assert.equal(contextValue, 'sandbox clockRunning');
    await assert.rejects(mint('Local Sandbox'));
    assert.equal(await countObjects('Local Sandbox'), 501);
    await runCommand('clearFaults');
    await mint('Local Sandbox');
    await waitUntil(async () =>
      /^502 objects · \d+ requests · clock running$/.test(String((await findSandboxRow('Local Sandbox')).description)),
    );
    assert.deepEqual(ui.readMessages('error'), []);
  });

  test('the clock is paused and stepped, pending logs settle at once, and Reset brings back the seed', async () => {
    const { ui } = await getTestHooks();
    await runCommand('startSandbox');
    await runCommand('pauseSandbox', 'Local Sandbox');
    const paused = await findSandboxRow('Local Sandbox');
    assert.match(String(paused.description), /clock paused at /);
    assert.equal(paused.contextValue, 'sandbox clockPaused');
    const { context } = await (await getTestHooks()).services();
    const [stored] = context.workspaceState.get<readonly object[]>('sandbox.state') ?? [];
    assert.ok(stored !== undefined && 'pausedAt' in stored, 'a reload keeps it paused');
    await mint('Local Sandbox');
    const readStatus = async (): Promise<unknown> => {
      const { client } = await getSession('Local Sandbox');
      const [log] = (await client.listPage('action-logs', { limit: 1, order: 'descending' })).items;
      return isObject(log?.raw) && log.raw['action_name'] === 'mint' ? log.raw['status'] : undefined;
    };
    ui.answer('pick', '1 hour');
    await runCommand('stepSandbox', 'Local Sandbox');
    assert.equal(await readStatus(), 'completed');
    await mint('Local Sandbox');
    await runCommand('settleSandbox', 'Local Sandbox');
    assert.equal(await readStatus(), 'completed');
    await runCommand('resumeSandbox', 'Local Sandbox');
    assert.match(String((await findSandboxRow('Local Sandbox')).description), /clock running$/);
    const before = await getSession('Local Sandbox');
    await runCommand('resetSandbox', 'Local Sandbox');
    assert.equal(await countObjects('Local Sandbox'), 502, 'nobody agreed');
    ui.answer('confirm', true);
    await runCommand('resetSandbox', 'Local Sandbox');
    assert.equal(await countObjects('Local Sandbox'), 500);
    assert.equal(before.ended.aborted, true);
    assert.equal((await getSession('Local Sandbox')).profile.baseUrl, before.profile.baseUrl, 'watches go on');
    assert.deepEqual(ui.readMessages('error'), []);
  });

  test('a state is saved and loaded, and another sandbox is imported', async () => {
    const { ui } = await getTestHooks();
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'soe-sandbox-'));
    try {
      const file = path.join(folder, 'state.sandbox.json');
      await runCommand('startSandbox');
      const [object] = (await (await getSession('Local Sandbox')).client.listPage('objects', { limit: 1 })).items;
      await mint('Local Sandbox');
      ui.answer('input', file);
      await runCommand('saveSandboxState', 'Local Sandbox');
      await mint('Local Sandbox');
      assert.equal(await countObjects('Local Sandbox'), 502);
      ui.answer('confirm', true);
      await runCommand('loadSandboxState', 'Local Sandbox', vscode.Uri.file(file));
      assert.equal(await countObjects('Local Sandbox'), 501);
      await runCommand('startSandboxWith', { objects: 30, seed: 3 });
      ui.answer('pick', 'Local Sandbox 2');
      await runCommand('importIntoSandbox', 'Local Sandbox');
      assert.match(
        ui.readMessages('info').at(-1) ?? '',
        /^Imported into Local Sandbox: 30 objects, \d+ templates and \d+ faces\.$/,
      );
      assert.equal(await countObjects('Local Sandbox'), 531);
      assert.equal(await countObjects('Local Sandbox 2'), 30);
      const saved = await fs.readFile(file, 'utf8');
      await fs.writeFile(file, saved.replace(/"executions": \[/, '"executions": [{},'));
      ui.answer('confirm', true);
      await runCommand('loadSandboxState', 'Local Sandbox', vscode.Uri.file(file));
      assert.match(ui.readMessages('error').at(-1) ?? '', /sandbox failed to start/);
      assert.equal(await countObjects('Local Sandbox'), 531, 'it is as it was');
      // A state has so many executions.
      const { executions, ...rest } = JSON.parse(saved) as { readonly executions: readonly object[] };
      const body = { action: { transfer: { id: object?.id, to: `0x${'a'.repeat(40)}` } } };
      const many = Array.from({ length: 2000 }, () => ({ ...executions[0], body }));
      await fs.writeFile(file, JSON.stringify({ ...rest, executions: many }));
      ui.answer('confirm', true);
      await runCommand('loadSandboxState', 'Local Sandbox', vscode.Uri.file(file));
      ui.answer('input', file);
      ui.answer('confirm', true);
      await runCommand('saveSandboxState', 'Local Sandbox');
      assert.match(ui.readMessages('warn').at(-1) ?? '', /with its first 2,000 executions/);
      await fs.writeFile(file, '{"seed": 1}');
      await runCommand('loadSandboxState', 'Local Sandbox', vscode.Uri.file(file));
      assert.match(ui.readMessages('error').at(-1) ?? '', /state\.sandbox\.json is not the state of a sandbox/);
    } finally {
      await fs.rm(folder, { recursive: true });
    }
  });
});
