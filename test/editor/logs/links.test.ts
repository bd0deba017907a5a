/** Links to action logs, and views that follow connections, in real VS Code. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LogEntry } from '../../../src/logs/entry.ts';
import { connect, CONNECTION, eventually } from '../support/documents.ts';
import { hasIds, hooks, onLogs, panel, show } from '../support/logs.ts';
import { listRequests } from '../support/sandbox.ts';

suite('action logs: links', () => {
  onLogs({ environment: 'sandbox' });

  test('an entry that a link names is shown in full although it is not loaded', async () => {
    const { ui, logs } = await hooks();
    const view = await show();
    // From before the session.
    const old = Date.now() - 3_600_000;
    const entry = await eventually(() => view.entries.find(({ row }) => row.status === 'failed' && row.time < old));
    const hour = `connection=${encodeURIComponent(CONNECTION)}&range=session&selected=${entry.id}&brush=1000-2000`;
    ui.answer('confirm', true);
    await (
      await logs.controller()
    ).openLink(vscode.Uri.parse(`vscode://smart-objects.smart-object-explorer/logs?${hour}`, true));
    const { state } = await panel();
    assert.deepEqual(state.brush, { from: 1000, to: 2000 });
    await eventually(() => (view.details?.key === entry.key ? true : undefined));
    assert.ok(!hasIds(view, [entry.id]));
  });

  test('with two connections to one platform, a click opens the entry of its connection', async () => {
    const { ui } = await hooks();
    const twin = 'Twin';
    await connect(twin);
    const view = await show({ connections: [CONNECTION, twin] });
    const findEntry = (name: string): LogEntry | undefined =>
      view.entries.find(({ id, row }) => row.connection === name && id === view.entries[0]?.id);
    const [one, other] = await eventually(() => {
      const [one, other] = [findEntry(CONNECTION), findEntry(twin)];
      return one === undefined || other === undefined ? undefined : [one, other];
    });
    for (const { key } of [other, one, other]) {
      view.handlers.select({ key });
      await eventually(() => (view.details?.key === key && !view.details.busy ? true : undefined));
    }
    await vscode.commands.executeCommand('smartObjects.copyLink');
    const link = await vscode.env.clipboard.readText();
    view.handlers.select({ key: one.key });
    ui.answer('confirm', true);
    await (await (await hooks()).logs.controller()).openLink(vscode.Uri.parse(link, true));
    await eventually(() => (view.details?.key === other.key ? true : undefined));
    assert.equal(view.state.selectedConnection, twin);
  });

  test('a link is confirmed before its first request, and a hostile one is refused', async () => {
    const { ui, logs } = await hooks();
    const controller = await logs.controller();
    await show();
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await eventually(async () => ((await panel()).visible ? undefined : true));
    const mine = `connection=${encodeURIComponent(CONNECTION)}`;
    ui.answer('confirm', ({ text, detail }) => {
      assert.match(text, /: Show the action logs that a link requests\?$/);
      assert.match(detail ?? '', /^Connection: .*\nStatus: \[x\]\(command:evil\)$/);
      return false;
    });
    const openLink = (query: string, path = '/logs'): Promise<void> =>
      controller.openLink(
        vscode.Uri.from({ scheme: 'vscode', authority: 'smart-objects.smart-object-explorer', path, query }),
      );
    await openLink(`${mine}&status=${encodeURIComponent('[x](command:evil)')}`);
    assert.equal(ui.readMessages('confirm').length, 1);
    await openLink(`${mine}&status=failed`, '/execute');
    for (const bad of [
      `${mine}&text=${'é'.repeat(1100)}`,
      'connection=No%20such',
      `${mine}&connection=No%20such`,
      `${mine}&apiKey=abc`,
      `${mine}&mode=table`,
      `${mine}&__proto__=x`,
      `${mine}&from=1e99`,
    ])
      await openLink(`${bad}&status=failed`);
    assert.equal(ui.readMessages('confirm').length, 1);
    assert.equal(ui.readMessages('warn').length, 8);
    // Requests of the panel may still arrive, but none of a link before those of one that was confirmed.
    ui.answer('confirm', true);
    await openLink(`${mine}&status=completed`);
    const statuses = (): readonly (string | undefined)[] => listRequests().map(({ query }) => query['status']);
    await eventually(() => (statuses().includes('completed') ? true : undefined));
    assert.deepEqual([...new Set(statuses())].sort(), ['completed', undefined]);
  });
});
