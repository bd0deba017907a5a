/** The Runs view, and runs that were interrupted by closing the window. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { openWorkspaceStorage } from '../../../src/model/files/workspace-storage.ts';
import { MAY_HAVE_OPEN_RUNS } from '../../../src/actions/history/state-keys.ts';
import type { RunRecord } from '../../../src/model/runs/run-record.ts';
import { Runner } from '../../../src/actions/run/runner.ts';
import { LiveDataBySession } from '../../../src/actions/language/live-data.ts';
import { RunsView, type RunRow } from '../../../src/actions/history/runs-view.ts';
import { RecentStarts } from '../../../src/actions/run/confirm/recent-starts.ts';
import { RunStore } from '../../../src/actions/history/run-store.ts';
import { actionSuite, CONNECTION, createOtherController, execute, folder, readIds, write } from '../support/actions.ts';
import { eventually } from '../support/documents.ts';
import { clearFaults, countRequests, EXECUTE, fault, getSandbox } from '../support/sandbox.ts';

function recordAt(id: string, change: Partial<RunRecord>): RunRecord {
  return {
    id,
    name: 'mint',
    connection: CONNECTION,
    environment: 'sandbox',
    origin: new URL(getSandbox().baseUrl).origin,
    started: Date.now() - 60_000,
    sentAt: Date.now() - 60_000,
    phase: 'following',
    effect: 'Mints 1 object',
    source: '{"action": {"mint": {"template_id": "tpl_1"}}}',
    steps: [],
    affected: [],
    possible: [],
    ...change,
  };
}

actionSuite('actions: the Runs view', (getExtension) => {
  test('objects of a run are links while it runs, and open the difference afterwards', async () => {
    const services = await getExtension().services();
    const storage = path.join(folder().fsPath, 'runs of a view');
    const store = new RunStore({ storage, log: services.log });
    const runner = new Runner({
      services,
      store,
      liveData: new LiveDataBySession(services.labels),
      starts: new RecentStarts(path.join(storage, 'starts')),
    });
    const view = new RunsView(runner, ({ id }) => id);
    const getCommands = async (run: RunRecord): Promise<readonly unknown[]> => {
      store.put(run);
      const rows = await view.getChildren(view.getRow(run.id));
      const objects = rows.filter(({ child }) => child?.contextValue === 'runObject');
      // VS Code forgets arguments as soon as it reads the row again.
      assert.ok(rows.every(({ child }) => child?.command?.arguments === undefined));
      return objects.map(({ command }) => command && { command: command.command, of: command.arguments });
    };
    const open = (id: string): unknown => ({
      command: 'smartObjects.openResource',
      of: [{ connection: CONNECTION, kind: 'objects', id }],
    });
    const diff = (index: number): unknown => ({ command: 'smartObjects.openRunDiff', of: ['one', index] });
    const going = recordAt('one', { affected: [{ id: 'obj_1', before: '{}' }, { id: 'obj_2' }, { id: '••••' }] });
    try {
      assert.deepEqual(await getCommands(going), [open('obj_1'), open('obj_2'), undefined]);
      const affected = going.affected.map((object) => ({ ...object, after: '{}' }));
      assert.deepEqual(await getCommands({ ...going, phase: 'ended', affected }), [diff(0), diff(1), diff(2)]);
      const icon = (run: Partial<RunRecord>): unknown => {
        store.put({ ...going, ...run });
        return Reflect.get(Object(view.getTreeItem(view.getRow('one')).iconPath), 'id');
      };
      assert.equal(icon({ phase: 'queued' }), 'watch');
      assert.equal(icon({}), 'loading~spin');
      assert.equal(icon({ outcome: 'completed', logStatus: 'completed' }), 'pass');
      assert.equal(icon({ outcome: 'failed' }), 'error');
      const countPossible = async (): Promise<number> =>
        (await view.getChildren(view.getRow('lost'))).filter(({ child }) => child?.id?.includes('possible')).length;
      const possible = ['act_1', 'act_2'].map((id) => ({ id, sameParams: true, text: '{}' }));
      store.put(recordAt('lost', { phase: 'ended', outcome: 'unknown', possible }));
      assert.equal(await countPossible(), 2);
      store.put({ ...going, actionId: 'act_1' });
      assert.equal(await countPossible(), 1, 'the log of another run is not its own');
    } finally {
      await store.flush();
      store.dispose();
      await fs.rm(storage, { recursive: true, force: true });
    }
  });

  test('a click opens the selected row, also while the rows are read again', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const id = known.object('Jacket');
    const [run] = await execute(await write('click.action.json', { action: { update: { id, data: { custom: {} } } } }));
    const selection: RunRow[] = [];
    const other = await createOtherController(extension, {
      visible: false,
      selection,
      reveal: () => Promise.resolve(),
    });
    try {
      const { controller } = other;
      const row = (await controller.view.getChildren(undefined)).find((one) => one.run === run?.id) ?? assert.fail();
      const rows = await controller.view.getChildren(row);
      const opening = controller.openSelectedRow();
      selection.push(rows.find(({ child }) => child?.label === 'Request') ?? assert.fail());
      controller.getRowItem(row);
      await opening;
      const document = await eventually(() => vscode.window.activeTextEditor?.document);
      assert.match(document.uri.path, /request/);
    } finally {
      other.dispose();
    }
  });

  test('a run that was interrupted by closing the window is reported, and a search finds its outcome', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    const id = known.object('Jacket');
    const [run] = await execute(
      await write('left.action.json', { action: { update: { id, data: { custom: { left: 'open' } } } } }),
    );
    assert.equal(run?.outcome, 'completed', run?.reason);
    const { context } = await extension.services();
    // Makes the next start search for interrupted runs.
    assert.equal(context.workspaceState.get(MAY_HAVE_OPEN_RUNS), true);
    const runs = path.join(await openWorkspaceStorage(context, vscode.workspace), 'runs');
    // The file as of the response.
    const { outcome: _outcome, reason: _reason, ended: _ended, log: _log, logStatus: _status, ...rest } = run;
    const open = path.join(runs, `${run.id}.open.json`);
    await eventually(async () => ((await fs.readdir(runs)).includes(`${run.id}.json`) ? true : undefined));
    await eventually(async () => ((await fs.readdir(runs)).includes(path.basename(open)) ? undefined : true));
    await fs.writeFile(open, JSON.stringify({ ...rest, phase: 'following' }));
    await fs.utimes(open, 0, 0);
    await fs.rm(path.join(runs, `${run.id}.json`));
    extension.ui.reset();
    extension.ui.answer('warn', 'Find Action Log');
    const other = await createOtherController(extension);
    const { controller, commands } = other;
    try {
      await controller.store.load();
      assert.match(
        extension.ui.readMessages('warn').join(),
        /^left was in progress on .*Actions when its window was closed: not finished\.$/,
      );
      const lookUp = await eventually(() => commands.find(([command]) => command === 'lookUpRun'));
      assert.deepEqual(lookUp, ['lookUpRun', run.id]);
      const after = await controller.runCommands.lookUp(run);
      assert.equal(Reflect.get(Object(after), 'outcome'), 'completed');
      assert.equal(Reflect.get(Object(after), 'interrupted'), undefined);
    } finally {
      other.dispose();
    }
  });

  test('a failed step is reported at once', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    fault({ route: 'GET /ebus/action-logs', fault: 'serverError', count: null });
    let isFinished = false;
    const running = execute(
      await write('step.action.json', { action: { mint: { template_id: known.template('Limited') } } }),
    ).finally(() => (isFinished = true));
    const message = await eventually(() => extension.ui.readMessages('error')[0]);
    assert.match(message, /^step: failed on Actions\. .* \(step mint\)/);
    assert.equal(isFinished, false);
    clearFaults();
    const [run] = await running;
    assert.equal(run?.outcome, 'failed');
    assert.equal(extension.ui.readMessages('error').length, 1, 'reported once');
  });

  test('a refused credential is reported at once, and the logs are not read', async () => {
    const extension = getExtension();
    const known = await readIds(extension);
    fault({ route: EXECUTE, fault: 'unauthorized' });
    const before = countRequests('GET /ebus/action-logs');
    const [run] = await execute(
      await write('refused.action.json', { action: { mint: { template_id: known.template('Jacket') } } }),
    );
    assert.deepEqual(
      [run?.outcome, run?.status, run?.possible],
      ['refused', 401, []],
      JSON.stringify(extension.ui.messages),
    );
    assert.equal(countRequests('GET /ebus/action-logs'), before);
  });
});
