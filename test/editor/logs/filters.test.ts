/** Filters, failures and the title of the action logs in real VS Code. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { formatFilterLabels } from '../../../src/logs/view/choose-filter.ts';
import type { ViewState } from '../../../src/webviews/protocol/logs.ts';
import { closeAll, connect, CONNECTION, eventually, open } from '../support/documents.ts';
import { base, hooks, onLogs, panel, show, views } from '../support/logs.ts';
import { getSandbox } from '../support/sandbox.ts';

suite('action logs: filters and failures', () => {
  onLogs();
  teardown(async () => {
    (await hooks()).ui.reset();
    await closeAll();
  });

  test('Show Failures reads all failures, not only those among the newest entries', async () => {
    const { ui } = await hooks();
    const newest = await show();
    await eventually(() => (newest.feed.phase === 'live' && !newest.feed.readingOlder ? true : undefined));
    const loaded = newest.entries.filter(({ row }) => row.status === 'failed').length;
    await vscode.commands.executeCommand('smartObjects.showFailures');
    const view = await panel();
    await eventually(() => (view.feed.complete ? true : undefined));
    assert.ok(view.entries.length > loaded, `${view.entries.length} failures, ${loaded} among the newest entries`);
    assert.ok(view.entries.every(({ row }) => row.status === 'failed'));
    assert.equal(view.state.filters.status, undefined, 'the filters stay as they are');
    // The entries of one group are read the same way; without it all are shown again.
    const all = view.entries.length;
    view.handlers.failure({ failure: 'some group' });
    view.handlers.mode({ mode: 'logs' });
    assert.equal(view.entries.length, all, 'nothing is read again');
    await vscode.commands.executeCommand('smartObjects.showActionLogs');
    assert.equal(view.state.failure, undefined);
    await eventually(() => (view.entries.some(({ row }) => row.status === 'completed') ? true : undefined));
    assert.deepEqual(ui.readMessages('error'), []);
  });

  test('the filters of a drill-down are not stored, and commands without an argument show the user’s own up to now', async () => {
    const { logs } = await hooks();
    const controller = await logs.controller();
    const { context } = await (await hooks()).services();
    const getStored = () => context.workspaceState.get<{ readonly view: ViewState }>('logs.view');
    const run = (id: string, argument?: unknown): Thenable<unknown> =>
      vscode.commands.executeCommand(`smartObjects.${id}`, argument);
    await run('showActionLogs');
    const view = await panel();
    view.handlers.filter({ ...base, status: 'completed' });
    await run('showActionLogs');
    const own = getStored();
    assert.equal(view.state.filters.status, 'completed');
    const period = { range: 'between', from: 1000, to: 2000 } as const;
    for (const command of ['showActionLogs', 'showFailures']) {
      const drilled = await show(period);
      assert.equal(drilled.state.filters.to, 2000);
      drilled.handlers.text({ text: 'mint' });
      assert.deepEqual(getStored(), own);
      await run(command);
      const { filters, text } = drilled.state;
      assert.deepEqual([filters.range, filters.to, filters.status, text], ['latest', undefined, 'completed', '']);
      await run('showActionLogs');
    }
    await run('showActionLogs', { connection: CONNECTION, kind: 'objects', id: 'obj' });
    assert.deepEqual(getStored(), own);
    // A reload creates the panel from what the webview and the workspace store.
    assert.deepEqual(controller.getRestoredState({ view: view.state }), own?.view);
    // What is left after its filters were removed is the user's own.
    view.handlers.filter(base);
    view.handlers.filter({ ...base, status: 'failed' });
    assert.deepEqual(getStored()?.view.filters, { ...base, status: 'failed' });
    // A period of the user is stored, but hides nothing new.
    view.handlers.filter({ ...base, ...period });
    assert.deepEqual(view.state.filters, { ...base, ...period });
    await run('showFailures');
    assert.deepEqual(view.state.filters, base);
    await run('showActionLogs');
  });

  test('filters are called as in the lists, and show names instead of known IDs', async () => {
    const organizations = getSandbox().organizations.map(({ id, name }) => ({ id, label: name }));
    await connect(CONNECTION, { organizations });
    const { ui } = await hooks();
    const services = await (await hooks()).services();
    const view = await show();
    await eventually(() => (view.entries.length > 100 ? true : undefined));
    // The first of the suggestions: there may be more objects than are suggested.
    const objects = Map.groupBy(
      view.entries.flatMap(({ row }) => row.objects),
      (id) => id,
    );
    const [object = ''] = [...objects].sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
    // Reading it makes its name known.
    await open({ connection: CONNECTION, kind: 'objects', id: object });
    const title = await eventually(
      () => services.knownIds.index.find(object).find(({ kind }) => kind === 'objects')?.title,
    );
    ui.answer('pick', 'Object', title);
    view.handlers.addFilter({});
    await eventually(() => (view.state.filters.object === object ? true : undefined));
    assert.deepEqual(formatFilterLabels(services, view.state.filters), [
      { name: 'object', label: `Object: ${title}`, title: `Object: ${title} (${object})` },
    ]);
    const [organization] = services.sessions.get(CONNECTION)?.organizations ?? [];
    assert.ok(organization?.label !== undefined);
    ui.answer('pick', 'Organization', organization.label);
    view.handlers.addFilter({});
    await eventually(() => (view.state.filters.organizations[0] === organization.id ? true : undefined));
    ui.answer('pick', 'Created', 'Last hour');
    view.handlers.addFilter({});
    await eventually(() => (view.state.filters.range === 'hour' ? true : undefined));
    ui.answer('pick', '$(clear-all) Clear Filters');
    view.handlers.addFilter({});
    await eventually(() => (view.state.filters.object === undefined ? true : undefined));
    assert.deepEqual(view.state.filters, base);
  });

  test('the buttons of the title act on the panel', async () => {
    const run = (id: string): Thenable<unknown> => vscode.commands.executeCommand(`smartObjects.${id}`);
    const { ui } = await hooks();
    const view = await show();
    await run('pauseLogs');
    assert.ok(view.feed.paused);
    await run('resumeLogs');
    assert.ok(!view.feed.paused);
    ui.answer('pick', 'Status', 'failed');
    await run('filterLogs');
    await eventually(() => (view.state.filters.status === 'failed' ? true : undefined));
    await run('openLogsInEditor');
    const tab = await eventually(async () => (await views()).find((other) => other.tab));
    assert.equal(tab.state.filters.status, 'failed');
  });
});
