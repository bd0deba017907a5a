import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { systemClock } from '../../../../src/model/clock.ts';
import { createRunPlatform } from '../../../../src/actions/run/run-platform.ts';
import { formatRunState, type RunRecord } from '../../../../src/model/runs/run-record.ts';
import { resumeRun } from '../../../../src/actions/run/pipeline.ts';
import { openWorkspaceStorage } from '../../../../src/model/files/workspace-storage.ts';
import { hasOpenRuns } from '../../../../src/model/runs/run-files.ts';
import { RunStore } from '../../../../src/actions/history/run-store.ts';
import { LedgerServer } from '../../../support/ledger-server.ts';
import { readIds, makeRig, createRecord, runText, shortLimits } from '../support.ts';
import { createTransport } from '../../../../src/platform/http/undici-transport.ts';
import { createTestClient } from '../../../support/platform-client.ts';

const log = {
  warn: (message: string): void => {
    assert.fail(message);
  },
};
const text = '{"action": {"update": {"id": "obj_1", "data": {"custom": {"marker": "killed"}}}}}';

suite('the history of runs', () => {
  let root: string;
  let storage: string;
  /** The storage of a window of one folder; VS Code gives the second one another `storageUri`. */
  const openWindow = (id: string): Promise<string> => {
    const [storageUri, globalStorageUri] = [path.join('workspaceStorage', id, 'extension'), 'globalStorage'].map(
      (name) => ({ fsPath: path.join(root, name) }),
    );
    assert.ok(globalStorageUri);
    return openWorkspaceStorage(
      { storageUri, globalStorageUri },
      { workspaceFile: undefined, workspaceFolders: [{ uri: 'file:///shop' }] },
    );
  };
  setup(async () => {
    root = await fs.mkdtemp(path.join(os.tmpdir(), 'runs-'));
    storage = await openWindow('shop');
    await fs.mkdir(storage, { recursive: true });
  });
  teardown(() => fs.rm(root, { recursive: true, force: true }));

  const interrupted: RunRecord[] = [];
  /** Loads the runs as a window that opens a minute later. */
  const stored = async (): Promise<RunRecord> => {
    interrupted.length = 0;
    const now = (): number => Date.now() + 60_000;
    const store = new RunStore({ storage, log, now, onInterrupted: (runs) => interrupted.push(...runs) });
    await store.load();
    await store.flush();
    store.dispose();
    return store.all[0] ?? assert.fail('nothing is stored');
  };

  test('a second window killed as its POST arrives leaves a run of unknown outcome, whose log the first one finds', async () => {
    let kill = (): void => undefined;
    const ledger = await LedgerServer.start({
      plan: { hiddenFor: 0 },
      onPost: () => {
        kill();
      },
    });
    const transport = createTransport({ environment: {} });
    try {
      const script = path.resolve(import.meta.dirname, '../../../support/killed-run.ts');
      const second = await openWindow('shop-1');
      const child = spawn(process.execPath, [script, ledger.baseUrl, second, text], { stdio: 'inherit' });
      kill = () => child.kill('SIGKILL');
      const [, signal] = (await once(child, 'exit')) as [unknown, string];
      assert.equal(signal, 'SIGKILL');
      assert.equal(ledger.entry('killed').posts, 1);
      assert.equal(await hasOpenRuns(storage), true);
      const run = await stored();
      assert.deepEqual([run.outcome, formatRunState(run), run.interrupted], ['unknown', 'outcome unknown', true]);
      assert.match(run.reason ?? '', /may have been executed/);
      assert.deepEqual(interrupted, [run]);
      assert.equal(await hasOpenRuns(storage), false);
      assert.equal((await stored()).interrupted, true);
      assert.deepEqual(interrupted, [], 'it is told once');
      const client = createTestClient(ledger.baseUrl, transport, { credential: () => Promise.resolve(undefined) });
      const resumed = await resumeRun(run, {
        platform: createRunPlatform(client),
        time: systemClock,
        signal: new AbortController().signal,
        report: () => undefined,
        searchDuration: 0,
      });
      assert.equal(resumed.outcome, 'unknown');
      assert.deepEqual(
        resumed.possible.map(({ sameParams, status }) => [sameParams, status]),
        [[true, 'pending']],
      );
      assert.equal(ledger.entry('killed').posts, 1, 'looking sends nothing');
    } finally {
      await transport.close();
      await ledger.close();
    }
  });

  test('a run that was followed when its window closed is followed again to its end', async () => {
    const rig = await makeRig();
    try {
      const { object } = await readIds(rig);
      const action = JSON.stringify({ action: { update: { id: object('Jacket'), data: { custom: { a: 1 } } } } });
      const { reports } = await runText(rig, action);
      const left = reports.find(({ phase, actionId }) => phase === 'following' && actionId !== undefined);
      const store = new RunStore({ storage, log });
      store.put({ ...(left ?? assert.fail()), note: 'Searching for its action log' });
      await store.flush();
      const run = await stored();
      assert.deepEqual([run.outcome, run.interrupted, run.note], ['unfinished', true, '']);
      const resumed = await resumeRun(run, {
        platform: createRunPlatform(rig.client),
        time: systemClock,
        signal: new AbortController().signal,
        report: () => undefined,
        limits: shortLimits,
      });
      assert.deepEqual([resumed.outcome, resumed.interrupted], ['completed', undefined]);
      assert.match(resumed.affected[0]?.after ?? '', /"a": 1/);
    } finally {
      await rig.close();
    }
  });

  test('a run of another open window is not interrupted, and its end is read', async () => {
    let now = Date.now();
    const time = (): number => now;
    const one = new RunStore({ storage, log, now: time });
    one.put({ ...createRecord(text), phase: 'sending', sentAt: now });
    await one.flush();
    const other = new RunStore({ storage, log, now: time, onInterrupted: () => assert.fail('it is under way') });
    await other.load();
    assert.deepEqual([other.all[0]?.phase, other.all[0]?.interrupted], ['sending', undefined]);
    const changed = new Promise((resolve) => other.onDidChange(resolve));
    one.put({ ...createRecord(text), phase: 'ended', outcome: 'completed' });
    await one.flush();
    now += 60_000;
    await changed;
    assert.equal(other.all[0]?.outcome, 'completed');
    one.dispose();
    other.dispose();
  });

  test('a run of another open window is not interrupted while the computer sleeps; after a crash it is, by any clock', async () => {
    let now = Date.now();
    const time = (): number => now;
    const one = new RunStore({ storage, log, now: time });
    one.put({ ...createRecord(text), phase: 'sending', sentAt: now });
    await one.flush();
    one.dispose();
    const interruptedRuns: RunRecord[] = [];
    const onInterrupted = (runs: readonly RunRecord[]): unknown => interruptedRuns.push(...runs);
    const other = new RunStore({ storage, log, now: time, onInterrupted });
    await other.load();
    const checked = (): Promise<unknown> => new Promise((resolve) => other.onDidChange(resolve));
    now += 3_600_000;
    await checked();
    assert.deepEqual([other.all[0]?.phase, interruptedRuns.length], ['sending', 0]);
    now -= 7_200_000;
    while (interruptedRuns.length === 0) await checked();
    await other.flush();
    other.dispose();
  });

  test('a run of another window that ends while the history is read is in it', async () => {
    const [open, ended] = ['b.open.json', 'b.json'].map((name) => path.join(storage, 'runs', name));
    assert.ok(open !== undefined && ended !== undefined);
    await fs.mkdir(path.dirname(open));
    await fs.writeFile(path.join(path.dirname(open), 'a.json'), 'unreadable');
    await fs.writeFile(open, JSON.stringify({ ...createRecord(text), id: 'b', phase: 'following' }));
    const end = { ...createRecord(text), id: 'b', phase: 'ended', outcome: 'completed' };
    const other = (): void => {
      writeFileSync(ended, JSON.stringify(end));
      rmSync(open);
    };
    const store = new RunStore({ storage, log: { warn: other } });
    await store.load();
    store.dispose();
    assert.deepEqual(
      store.all.map(({ id, outcome }) => [id, outcome]),
      [['b', 'completed']],
    );
  });

  test('nothing is sent if the history cannot be written', async () => {
    const rig = await makeRig();
    try {
      const file = path.join(storage, 'file');
      await fs.writeFile(file, '');
      const store = new RunStore({ storage: file, log: { warn: () => undefined } });
      const { run } = await runText(rig, '{"action": {"burn": {"id": "obj_1"}}}', { save: (one) => store.save(one) });
      assert.equal(run.outcome, 'notSent');
      assert.match(run.reason ?? '', /^The run could not be saved, so nothing was sent: ENOTDIR/);
      assert.equal(rig.sandbox.recorder.counts['POST /ebus/execute'], undefined);
    } finally {
      await rig.close();
    }
  });

  test('files are readable by their user only, also in a folder of an earlier version', async () => {
    // Windows has no such modes and reports the same for every file.
    if (process.platform === 'win32') return;
    const folder = path.join(storage, 'runs');
    await fs.mkdir(folder, { mode: 0o755 });
    await fs.chmod(folder, 0o755);
    const store = new RunStore({ storage, log });
    await store.save({ ...createRecord(text, 'one'), phase: 'queued' });
    store.put({ ...createRecord(text, 'two'), phase: 'ended', outcome: 'completed' });
    await store.flush();
    const mode = async (file: string): Promise<string> => ((await fs.stat(file)).mode & 0o777).toString(8);
    assert.equal(await mode(folder), '700');
    const names = (await fs.readdir(folder)).sort();
    assert.deepEqual(names, ['one.open.json', 'two.json']);
    for (const name of names) assert.equal(await mode(path.join(folder, name)), '600');
  });

  test('the ended runs of a connection are removed, from disk too', async () => {
    const store = new RunStore({ storage, log });
    const ended = { phase: 'ended', outcome: 'completed' } as const;
    store.put({ ...createRecord(text, 'a'), ...ended });
    store.put({ ...createRecord(text, 'b'), ...ended, connection: 'Other' });
    store.put({ ...createRecord(text, 'c'), phase: 'following' });
    await store.flush();
    assert.equal(await store.removeByConnection('Test'), 1);
    assert.deepEqual((await fs.readdir(path.join(storage, 'runs'))).sort(), ['b.json', 'c.open.json']);
    assert.deepEqual(store.all.map(({ id }) => id).sort(), ['b', 'c']);
  });
});
