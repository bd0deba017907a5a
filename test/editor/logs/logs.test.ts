/** Action logs in real VS Code: polling while visible, failures, sign-out, histories and links. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { CONNECTION, eventually } from '../support/documents.ts';
import {
  base,
  hasAnyId,
  hasIds,
  hooks,
  injectLogs,
  injectLogsUntilShown,
  onLogs,
  openLogsTab,
  panel,
  show,
} from '../support/logs.ts';
import { clearFaults, fault, getSandbox } from '../support/sandbox.ts';

suite('action logs', () => {
  onLogs();

  test('new entries appear without a refresh, and settle', async () => {
    const view = await show();
    await eventually(() => (view.entries.length > 100 ? true : undefined));
    const ids = await injectLogs(30, { status: 'mixed', spread: 500, tie: 100, late: 300, settle: 1500 });
    await eventually(() => (hasIds(view, ids) ? true : undefined));
    await eventually(() =>
      ids.every((id) => view.entries.find((entry) => entry.id === id)?.final) ? true : undefined,
    );
  });

  test('a hidden panel reads nothing; shown again, it continues without a gap', async () => {
    const view = await show();
    await eventually(() => (view.entries.length > 100 ? true : undefined));
    const tab = await openLogsTab(view);
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await eventually(() => (view.visible ? undefined : true));
    const ids = await injectLogsUntilShown(tab);
    assert.ok(!hasAnyId(view, ids));
    const again = await show();
    await eventually(() => (hasIds(again, ids) ? true : undefined));
  });

  test('a view that is taken out of the panel, or moved, reads nothing', async () => {
    const view = await show();
    await eventually(() => (view.entries.length > 100 ? true : undefined));
    const tab = await openLogsTab(view);
    await vscode.commands.executeCommand('smartObjects.actionLogs.removeView');
    await eventually(() => (view.visible ? undefined : true));
    const ids = await injectLogsUntilShown(tab);
    assert.ok(!hasAnyId(view, ids));
    const again = await show();
    assert.notEqual(again, view);
    await eventually(() => (hasIds(again, ids) ? true : undefined));
  });

  test('while the platform fails, entries stay with the time and reason; afterwards nothing is missing', async () => {
    const view = await show();
    await eventually(() => (view.entries.length > 100 ? true : undefined));
    const before = view.entries.map(({ id }) => id);
    fault({ route: 'GET /ebus/action-logs', fault: 'serverError', count: null, message: 'on purpose' });
    const stale = await eventually(() => (view.feed.phase === 'stale' ? view.feed : undefined));
    assert.match(stale.reason ?? '', /Read action logs of .*on purpose/);
    assert.ok(stale.since !== undefined && stale.since <= Date.now());
    assert.ok(hasIds(view, before));
    const ids = await injectLogs(15);
    clearFaults();
    await eventually(() => (hasIds(view, ids) ? true : undefined));
    await eventually(() => (view.feed.phase === 'stale' ? undefined : true));
  });

  test('signed out: entries stay, with a Sign In', async () => {
    const view = await show();
    await eventually(() => (view.entries.length > 100 ? true : undefined));
    await (await hooks()).signOut(CONNECTION);
    const state = await eventually(() => (view.feed.signIn === undefined ? undefined : view.feed));
    assert.equal(state.signIn, CONNECTION);
    assert.equal(state.reason, `Not signed in to Local · ${CONNECTION}.`);
    assert.ok(view.entries.length > 100);
    await (await hooks()).signIn(CONNECTION, { apiKey: getSandbox().apiKey });
    await eventually(() => (view.feed.phase !== 'stale' && view.entries.length > 100 ? true : undefined));
  });

  test('a resource, a tree row and filters become query parameters', async () => {
    const object = (await show()).entries.find(({ row }) => row.objects.length > 0)?.row.objects[0] ?? 'obj_1';
    await vscode.commands.executeCommand('smartObjects.showActionLogs', {
      resource: { connection: CONNECTION, kind: 'objects', id: object },
    });
    const view = await panel();
    assert.equal(view.state.filters.object, object);
    await eventually(() => (view.feed.complete ? true : undefined));
    assert.ok(view.entries.every(({ row }) => row.objects.includes(object)));
    const failed = await show({ status: 'failed' });
    await eventually(() => (failed.entries.length > 0 ? true : undefined));
    assert.ok(failed.entries.every(({ row }) => row.status === 'failed'));
  });

  test('a link shows its view after a confirmation, and sends nothing if declined', async () => {
    const { ui, logs } = await hooks();
    const controller = await logs.controller();
    const link = (query: string): vscode.Uri =>
      vscode.Uri.parse(`vscode://smart-objects.smart-object-explorer/logs?${query}`, true);
    const mine = `connection=${encodeURIComponent(CONNECTION)}`;
    await show({ status: 'pending' });
    ui.answer('confirm', false);
    await controller.openLink(link(`${mine}&status=failed`));
    assert.equal((await panel()).state.filters.status, 'pending');
    ui.answer('confirm', true);
    await controller.openLink(link(`${mine}&status=failed`));
    assert.equal((await panel()).state.filters.status, 'failed');
    assert.equal(ui.readMessages('confirm').length, 2);
    for (const bad of [
      'connection=Nobody',
      `${mine}&baseUrl=http://127.0.0.1:1`,
      mine + '&text=' + 'x'.repeat(3000),
      'status=failed',
    ])
      await controller.openLink(link(bad));
    assert.equal(ui.readMessages('confirm').length, 2, 'a bad link is not even asked about');
    assert.equal(ui.readMessages('warn').length, 4);
    assert.equal((await panel()).state.filters.status, 'failed');
  });

  test('a copied link opens the same view', async () => {
    const { ui, logs } = await hooks();
    await show({ status: 'completed', range: 'today' });
    const midnight = new Date().setHours(0, 0, 0, 0);
    await vscode.commands.executeCommand('smartObjects.copyLink');
    const link = await vscode.env.clipboard.readText();
    await show();
    ui.answer('confirm', true);
    await (await logs.controller()).openLink(vscode.Uri.parse(link, true));
    const { to = 0, ...filters } = (await panel()).state.filters;
    assert.deepEqual(filters, { ...base, status: 'completed', range: 'between', from: midnight });
    assert.ok(to > midnight && to <= Date.now());
  });

  for (const format of ['ndjson', 'csv'])
    test(`exports the shown entries as ${format}`, async () => {
      const { ui } = await hooks();
      const view = await show({ status: 'failed' });
      await eventually(() => (view.entries.length > 5 ? true : undefined));
      const file = path.join(await fs.mkdtemp(path.join(os.tmpdir(), 'logs-')), `out.${format}`);
      ui.answer('input', file);
      const some = view.entries.slice(0, 5);
      view.handlers.export({ keys: some.map(({ key }) => key) });
      const text = await eventually(() => fs.readFile(file, 'utf8').catch(() => undefined));
      const lines = text.trim().split(/\r?\n/);
      if (format === 'ndjson')
        assert.deepEqual(
          lines.map((line) => (JSON.parse(line) as { id: string }).id),
          some.map(({ id }) => id),
        );
      else {
        assert.match(lines[0] ?? '', /^id,batch_id,/);
        assert.deepEqual(
          lines.slice(1).map((line) => line.split(',')[0]),
          some.map(({ id }) => id),
        );
      }
      await fs.rm(path.dirname(file), { recursive: true });
    });
});
