/** The Runs view in real VS Code: what its rows lead to while a run goes on, and runs that a closed window left. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { MAY_HAVE_OPEN_RUNS } from '../../src/actions/state-keys.ts';
import type { RunRecord } from '../../src/actions/record.ts';
import { createRoom } from '../../src/actions/room.ts';
import { Runner } from '../../src/actions/runner.ts';
import { RunsView } from '../../src/actions/runs-view.ts';
import { RecentStarts } from '../../src/actions/starts.ts';
import { RunStore } from '../../src/actions/store.ts';
import type { Disposable } from '../../src/ui/disposables.ts';
import { actionSuite, CONNECTION, control, execute, EXECUTE, folder, ids, write } from './support/actions.ts';
import { sandbox } from './support/connections.ts';
import { eventually } from './support/documents.ts';

function recordAt(id: string, change: Partial<RunRecord>): RunRecord {
  return {
    id,
    name: 'mint',
    connection: CONNECTION,
    environment: 'sandbox',
    origin: new URL(sandbox().baseUrl).origin,
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

actionSuite('actions: the Runs view', (held) => {
  test('objects of a run are links while it goes on, and lead to the difference afterwards', async () => {
    const services = await held().services();
    const storage = path.join(folder().fsPath, 'runs of a view');
    const store = new RunStore({ storage, log: services.log });
    const runner = new Runner({ services, store, starts: new RecentStarts(path.join(storage, 'starts')) });
    const view = new RunsView(runner);
    const commandsOf = async (run: RunRecord): Promise<readonly unknown[]> => {
      store.put(run);
      const rows = await view.getChildren(view.rowOf(run.id));
      const objects = rows.flatMap(({ child }) => (child?.contextValue === 'runObject' ? [child] : []));
      return objects.map(({ command }) => command && { command: command.command, of: command.arguments });
    };
    const open = (id: string): unknown => ({
      command: 'smartObjects.openResource',
      of: [{ connection: CONNECTION, kind: 'objects', id }],
    });
    const diff = (index: number): unknown => ({ command: 'smartObjects.openRunDiff', of: ['one', index] });
    const going = recordAt('one', { affected: [{ id: 'obj_1', before: '{}' }, { id: 'obj_2' }, { id: '••••' }] });
    try {
      assert.deepEqual(await commandsOf(going), [open('obj_1'), open('obj_2'), undefined]);
      const affected = going.affected.map((object) => ({ ...object, after: '{}' }));
      assert.deepEqual(await commandsOf({ ...going, phase: 'ended', affected }), [diff(0), diff(1), diff(2)]);
      const icon = (run: Partial<RunRecord>): unknown => {
        store.put({ ...going, ...run });
        return Reflect.get(Object(view.getTreeItem(view.rowOf('one')).iconPath), 'id');
      };
      assert.equal(icon({ phase: 'queued' }), 'watch');
      assert.equal(icon({}), 'loading~spin');
      assert.equal(icon({ outcome: 'completed', logStatus: 'completed' }), 'pass');
      assert.equal(icon({ outcome: 'failed' }), 'error');
    } finally {
      await store.flush();
      store.dispose();
      await fs.rm(storage, { recursive: true, force: true });
    }
  });

  test('a run that a closed window left is told of, and a look at the platform finds how it ended', async () => {
    const extension = held();
    const known = await ids(extension);
    const id = known.object('Jacket');
    const [run] = await execute(
      await write('left.action.json', { action: { update: { id, data: { custom: { left: 'open' } } } } }),
    );
    assert.equal(run?.outcome, 'completed', run?.reason);
    const { context } = await extension.services();
    // What makes the next start look.
    assert.equal(context.workspaceState.get(MAY_HAVE_OPEN_RUNS), true);
    const runs = path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'runs');
    // As it stood on disk when the answer had come.
    const { outcome: _outcome, reason: _reason, ended: _ended, log: _log, logStatus: _status, ...rest } = run;
    const open = path.join(runs, `${run.id}.open.json`);
    await eventually(async () => ((await fs.readdir(runs)).includes(`${run.id}.json`) ? true : undefined));
    await eventually(async () => ((await fs.readdir(runs)).includes(path.basename(open)) ? undefined : true));
    await fs.writeFile(open, JSON.stringify({ ...rest, phase: 'following' }));
    await fs.utimes(open, 0, 0);
    await fs.rm(path.join(runs, `${run.id}.json`));
    extension.ui.reset();
    extension.ui.answer('warn', 'Look for Its Action Log');
    const events = {
      runs: new vscode.EventEmitter<object | undefined>(),
      parts: new vscode.EventEmitter<vscode.Uri>(),
      lenses: new vscode.EventEmitter<void>(),
    };
    let looked: unknown[] = [];
    const own: Disposable[] = [];
    const room = createRoom(
      {
        ...extension.entry,
        own: (disposable) => {
          own.push(disposable);
          return disposable;
        },
        run: (...args: unknown[]) => {
          looked = args;
          return Promise.resolve();
        },
      },
      await extension.services(),
      events,
    );
    try {
      await room.loadRuns();
      assert.match(
        extension.ui.said('warn').join(),
        /^left was under way on .*Actions when its window closed: not finished\.$/,
      );
      await eventually(() => (looked.length > 0 ? true : undefined));
      assert.deepEqual(looked, ['lookUpRun', run.id]);
      const after = await room.run('lookUpRun', [run.id]);
      assert.equal(Reflect.get(Object(after), 'outcome'), 'completed');
      assert.equal(Reflect.get(Object(after), 'interrupted'), undefined);
    } finally {
      for (const one of own) one.dispose();
    }
  });

  test('a failed step is told before anything else is waited for', async () => {
    const extension = held();
    const known = await ids(extension);
    await control('POST', 'faults', { route: 'GET /ebus/action-logs', fault: 'serverError', count: null });
    let over = false;
    const running = execute(
      await write('step.action.json', { action: { mint: { template_id: known.template('Limited') } } }),
    ).finally(() => (over = true));
    const said = await eventually(() => extension.ui.said('error')[0]);
    assert.match(said, /^step: failed\. The step mint failed: /);
    assert.equal(over, false);
    await control('DELETE', 'faults');
    const [run] = await running;
    assert.equal(run?.outcome, 'failed');
    assert.equal(extension.ui.said('error').length, 1, 'told once');
  });

  test('a refusal of the credential is told at once, and the logs are not read', async () => {
    const extension = held();
    const known = await ids(extension);
    await control('POST', 'faults', { route: EXECUTE, fault: 'unauthorized' });
    const logs = async (): Promise<number> => {
      const { routes } = (await control('GET', 'stats')) as { readonly routes: Readonly<Record<string, number>> };
      return routes['GET /ebus/action-logs'] ?? 0;
    };
    const before = await logs();
    const [run] = await execute(
      await write('refused.action.json', { action: { mint: { template_id: known.template('Jacket') } } }),
    );
    assert.deepEqual([run?.outcome, run?.status, run?.possible], ['refused', 401, []]);
    assert.equal(await logs(), before);
  });
});
