/** Following an execution with a fake clock. */
import assert from 'node:assert/strict';
import { LogFollower, type FollowReader } from '../../../../src/actions/follow/log-follower.ts';
import type { FollowTarget } from '../../../../src/actions/follow/followed-post.ts';
import { getSnapshotFields } from '../../../../src/actions/follow/decide-outcome.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import type { FollowSnapshot } from '../../../../src/actions/follow/snapshot.ts';
import { getSignatureDigest, readRequestFacts } from '../../../../src/actions/follow/match-action-log.ts';
import { formatText } from '../../../../src/platform/text/message.ts';

const SENT = Date.parse('2026-05-01T12:00:00Z');
const limits = { indexing: 60_000, log: 60_000, batch: 60_000, noBatch: 3000, initialInterval: 250, maxInterval: 8000 };

interface FollowResult {
  readonly snapshot: FollowSnapshot;
  readonly reports: readonly FollowSnapshot[];
  /** milliseconds between two reads */
  readonly waits: readonly number[];
}

interface FollowTestOptions extends Partial<FollowTarget> {
  readonly isKnown?: (id: string) => boolean;
}

async function runFollow(
  reads: Partial<FollowReader>,
  { isKnown, ...target }: FollowTestOptions = {},
): Promise<FollowResult> {
  let now = SENT;
  const waits: number[] = [];
  const reports: FollowSnapshot[] = [];
  const follower = new LogFollower({
    reads: { logs: () => Promise.resolve([]), batch: () => Promise.resolve({ status: 'completed' }), ...reads },
    time: {
      now: () => now,
      sleep: (milliseconds) => {
        waits.push(milliseconds);
        now += milliseconds;
        return Promise.resolve();
      },
    },
    limits,
    ...(isKnown !== undefined && { isKnown }),
  });
  follower.follow({
    actionId: 'act_1',
    acceptsEqual: true,
    sentAt: SENT,
    limits,
    report: (current) => reports.push(current),
    ...target,
  });
  await follower.waitUntilIdle();
  return { snapshot: reports.at(-1) ?? assert.fail(), reports, waits };
}

const log = { id: 'log_9', action_id: 'act_1', status: 'completed', batch_id: 'bat_1' };

suite('following', () => {
  for (const by of ['action_id', 'id'] as const) {
    test(`a platform that knows only the filter ${by}`, async () => {
      const { snapshot } = await runFollow({
        logs: (query) => Promise.resolve(query[by] === 'act_1' ? [log] : []),
      });
      assert.equal(snapshot.batchStatus, 'completed');
    });

    test(`a platform that refuses any filter but ${by}`, async () => {
      const { snapshot } = await runFollow({
        logs: (query) => (query[by] === 'act_1' ? Promise.resolve([log]) : Promise.reject(new Error('bad request'))),
      });
      assert.equal(snapshot.batchStatus, 'completed');
    });
  }

  test('logs of other runs, returned by an ignored filter, do not match', async () => {
    const others = [
      { id: 'log_1', status: 'completed', when_created: new Date(SENT).toISOString() },
      { id: 'log_2', status: 'failed', when_created: new Date(SENT).toISOString() },
    ];
    const { snapshot } = await runFollow({ logs: () => Promise.resolve(others) });
    assert.equal(snapshot.log, undefined);
    assert.match(formatText(snapshot.note ?? ''), /No action log appeared/);
    const old = { ...others[0], when_created: new Date(SENT - 3_600_000).toISOString() };
    assert.equal((await runFollow({ logs: () => Promise.resolve([old]) })).snapshot.log, undefined);
  });

  test('every state up to the batch is reported, and the interval grows while nothing changes', async () => {
    let reads = 0;
    const { snapshot, reports, waits } = await runFollow({
      logs: () => {
        reads++;
        if (reads < 20) return Promise.resolve([]);
        return Promise.resolve([reads < 24 ? { ...log, status: 'pending', batch_id: undefined } : log]);
      },
    });
    assert.deepEqual(
      reports.map(({ stage, logStatus, batchStatus }) => [stage, logStatus, batchStatus]),
      [
        ['notIndexed', undefined, undefined],
        ['log', 'pending', undefined],
        ['batch', 'completed', undefined],
        ['batch', 'completed', 'completed'],
        ['batch', 'completed', 'completed'],
      ].slice(0, reports.length),
    );
    assert.equal(snapshot.isFinished, true);
    const silent = waits.slice(0, 8);
    assert.deepEqual(
      silent,
      [...silent].sort((a, b) => a - b),
    );
    assert.ok(Math.max(...waits) <= limits.maxInterval);
    // A new log shortens the next interval.
    assert.ok(waits.indexOf(limits.initialInterval, 3) > 3);
  });

  test('an unknown status is neither final nor a success', async () => {
    const { snapshot } = await runFollow({ logs: () => Promise.resolve([{ ...log, status: 'proving' }]) });
    assert.equal(snapshot.logStatus, 'proving');
    assert.match(formatText(snapshot.note ?? ''), /still proving/);
  });

  suite('where the filter is ignored and logs name no execution', () => {
    const request = readRequestFacts('{"action": {"mint": {"template_id": "tpl_1", "num": 2}}}');
    const own = {
      id: 'log_7',
      action_name: 'mint',
      params: [{ num: 2, template_id: 'tpl_1' }],
      status: 'completed',
      batch_id: 'bat_1',
      when_created: new Date(SENT + 1000).toISOString(),
    };
    const among = (...logs: readonly object[]): Promise<FollowResult> =>
      runFollow({ logs: () => Promise.resolve(logs) }, { request });

    test('the only log of this kind with these parameters is probably ours, after a while', async () => {
      const { snapshot, waits } = await among({ ...own, id: 'log_6', action_name: 'burn' }, own);
      assert.deepEqual([snapshot.log?.['id'], snapshot.probable, snapshot.logStatus], ['log_7', true, 'completed']);
      assert.ok(waits.reduce((sum, wait) => sum + wait, 0) >= 8000 - 250, waits.join());
    });

    const foreign: Readonly<Record<string, object>> = {
      'another kind': { ...own, action_name: 'burn' },
      'other parameters': { ...own, params: [{ template_id: 'tpl_1', num: 3 }] },
      'more parameters': { ...own, params: [{ template_id: 'tpl_1', num: 2, to: '0x12' }] },
      'another execution': { ...own, action_id: 'act_2' },
      'another execution, in camel case': { ...own, actionId: 'act_2' },
      'a time before ours': { ...own, when_created: new Date(SENT - 20_000).toISOString() },
    };
    for (const [name, log] of Object.entries(foreign))
      test(`a lone recent log of ${name} proves nothing`, async () => {
        assert.equal((await among(log)).snapshot.log, undefined);
      });

    test('two equal logs are ambiguous, unless one belongs to another run', async () => {
      const twin = { ...own, id: 'log_8' };
      assert.equal((await among(own, twin)).snapshot.log, undefined);
      const known = { request, isKnown: (id: string) => id === 'log_8' };
      const { snapshot } = await runFollow({ logs: () => Promise.resolve([own, twin]) }, known);
      assert.equal(snapshot.log?.['id'], 'log_7');
    });

    test('without a request no log matches', async () => {
      assert.equal((await runFollow({ logs: () => Promise.resolve([own]) })).snapshot.log, undefined);
    });
  });

  test('a numeric action id matches too', async () => {
    const { snapshot } = await runFollow(
      { logs: () => Promise.resolve([{ ...log, action_id: 12 }]) },
      { actionId: '12' },
    );
    assert.deepEqual([snapshot.logStatus, snapshot.probable], ['completed', undefined]);
  });

  test('a batch that is finalized is final; one that never comes is not waited for', async () => {
    const logs = (): Promise<readonly object[]> => Promise.resolve([log]);
    const final = await runFollow({ logs, batch: () => Promise.resolve({ status: 'finalized' }) });
    assert.deepEqual([final.waits, final.snapshot.isFinished], [[], true]);
    const { batch_id: _batch, ...alone } = log;
    const { snapshot, waits } = await runFollow({ logs: () => Promise.resolve([alone]) });
    assert.match(formatText(snapshot.note ?? ''), /did not report a batch/);
    assert.ok(waits.reduce((sum, wait) => sum + wait, 0) <= 3000, waits.join());
  });

  test('an older state of a log never replaces a final one, in whatever spelling', async () => {
    const { batch_id: _batch, ...alone } = log;
    let reads = 0;
    const { snapshot, reports } = await runFollow({
      logs: () => Promise.resolve([{ ...alone, status: reads++ % 2 === 0 ? 'COMPLETED' : 'pending' }]),
    });
    assert.equal(snapshot.logStatus, 'completed');
    assert.deepEqual([...new Set(reports.map(({ logStatus }) => logStatus))], [undefined, 'completed']);
    assert.ok(reads > 2);
  });

  test('the batch of a failed log is read once, for its reason', async () => {
    let reads = 0;
    const { snapshot } = await runFollow({
      logs: () => Promise.resolve([{ ...log, status: 'failed' }]),
      batch: () => {
        reads++;
        return Promise.resolve({ status: 'pending', error: 'no gas' });
      },
    });
    assert.deepEqual([snapshot.logStatus, snapshot.batch?.['error'], reads], ['failed', 'no gas', 1]);
  });

  test('deeply nested logs do not stop following', async () => {
    const deep: unknown = JSON.parse('{"a":'.repeat(6000) + '1' + '}'.repeat(6000));
    const { snapshot } = await runFollow({ logs: () => Promise.resolve([{ ...log, params: [deep] }]) });
    assert.equal(snapshot.batchStatus, 'completed');
  });

  test('a log or batch that did not change is the same object, which is not formatted again', async () => {
    let reads = 0;
    const pending = (): Promise<readonly object[]> =>
      Promise.resolve([{ ...structuredClone(log), status: ++reads < 4 ? 'pending' : 'completed' }]);
    let batches = 0;
    const { reports } = await runFollow({
      logs: pending,
      batch: () => Promise.resolve({ status: ++batches < 4 ? 'pending' : 'completed' }),
    });
    assert.deepEqual(
      reports.map(({ logStatus, batchStatus }) => [logStatus, batchStatus]),
      [
        [undefined, undefined],
        ['pending', undefined],
        ['completed', undefined],
        ['completed', 'pending'],
        ['completed', 'completed'],
      ],
    );
    const last = reports.at(-1) ?? assert.fail();
    const fields = getSnapshotFields(last, reports.at(-2) ?? assert.fail());
    assert.deepEqual([fields.log, fields.batch], [undefined, '{\n  "status": "completed"\n}']);
  });

  test('a search without permission ends at once', async () => {
    const refuse = (): Promise<never> => Promise.reject(new PlatformError('forbidden', 'No permission.'));
    const { snapshot, waits } = await runFollow({ logs: refuse }, { actionId: undefined });
    assert.deepEqual(
      [snapshot.stage, snapshot.isConclusive, formatText(snapshot.note ?? ''), waits],
      ['search', false, 'The action logs could not be read: No permission', []],
    );
  });

  test('the logs with its signature prove nothing if there are several', async () => {
    const request = readRequestFacts(`{"action": {"burn": {"id": "obj_1"}}, "signature": "${'s'.repeat(40)}"}`);
    const signature = getSignatureDigest(request?.signature);
    const one = { id: 'log_1', action_name: 'burn', status: 'completed', signature: request?.signature };
    const find = (...logs: readonly object[]): Promise<FollowResult> =>
      runFollow({ logs: () => Promise.resolve(logs) }, { actionId: undefined, request, signature });
    // A list can show a log twice.
    assert.equal((await find(one, one)).snapshot.log?.['id'], 'log_1');
    const { snapshot } = await find(one, { ...one, id: 'log_2' });
    assert.deepEqual([snapshot.log, snapshot.possible.map(({ id }) => id)], [undefined, ['log_1', 'log_2']]);
  });
});

suite('following many', () => {
  const PASSES = 4;
  interface Many {
    readonly snapshots: readonly FollowSnapshot[];
    readonly waits: readonly number[];
    readonly periods: readonly { readonly gte: Date; readonly lte?: Date }[];
  }

  /** Follows POSTs for some passes, of which the first began with the first POST. `duration`: milliseconds of each page of the list. */
  async function followMany(
    targets: readonly Partial<FollowTarget>[],
    { duration = 0, pages, ...reads }: Partial<FollowReader> & { duration?: number; pages?: () => readonly unknown[] },
  ): Promise<Many> {
    let now = SENT;
    const waits: number[] = [];
    const periods: Many['periods'][number][] = [];
    const snapshots: FollowSnapshot[] = [];
    const follower = new LogFollower({
      reads: {
        logs: () => Promise.resolve([]),
        batch: () => Promise.resolve({ status: 'pending' }),
        async *logPages(period) {
          periods.push(period);
          do {
            now += duration;
            yield await Promise.resolve(pages?.() ?? []);
          } while (pages !== undefined);
        },
        ...reads,
      },
      time: {
        now: () => now,
        sleep: (milliseconds) => {
          waits.push(milliseconds);
          now += milliseconds;
          if (waits.length >= PASSES) void follower.stop();
          return Promise.resolve();
        },
      },
      limits,
      searchDuration: 0,
    });
    for (const [index, target] of targets.entries())
      follower.follow({ sentAt: SENT, limits, report: (current) => (snapshots[index] = current), ...target });
    await follower.waitUntilIdle();
    return { snapshots, waits, periods };
  }
  const create = <T>(count: number, one: (index: number) => T): readonly T[] =>
    Array.from({ length: count }, (_none, index) => one(index));
  const act = (index: number): Partial<FollowTarget> => ({ actionId: `act_${String(index)}` });

  test('a list that does not end is read for 50 pages, and proves nothing', async () => {
    let read = 0;
    const pages = (): readonly object[] => [{ id: `log_${String(read++)}`, when_created: new Date(SENT) }];
    const { snapshots } = await followMany([{}], { pages });
    assert.deepEqual(
      [read, snapshots[0]?.isConclusive, formatText(snapshots[0]?.note ?? '')],
      [50, false, 'There are too many action logs'],
    );
  });

  test('of many possible logs the ten best are named', async () => {
    const request = readRequestFacts('{"action": {"burn": {"id": "obj_1"}}}');
    const of = (id: string, count: number): readonly object[] =>
      create(count, (index) => ({ id: `${id}_${String(index)}`, action_name: 'burn', params: [{ id, by: 'me' }] }));
    const { snapshots } = await followMany([{ request }], {
      async *logPages() {
        yield* await Promise.resolve([of('obj_2', 30), of('obj_1', 6)]);
      },
    });
    assert.deepEqual(
      snapshots[0]?.possible.map(({ quality }) => quality),
      [...Array<string>(6).fill('params'), ...Array<string>(4).fill('kind')],
    );
  });

  test('passes that take long are made less often', async () => {
    const { waits } = await followMany([act(0)], { duration: 1000 });
    assert.deepEqual(waits, [4000, 4000, 4000, 4000]);
  });

  test('at most 20 logs that are not listed are read by their id in a pass, in turn', async () => {
    const ids: string[] = [];
    const logs: FollowReader['logs'] = ({ action_id: id }) => {
      if (id !== undefined) ids.push(id);
      return Promise.resolve([]);
    };
    await followMany(create(30, act), { logs, duration: 2000 });
    assert.deepEqual([ids.length, new Set(ids).size], [1 + 3 * 20, 30]);
  });

  test('at most 60 ledger batches are read in a pass, and six at once, in turn', async () => {
    const ids: string[] = [];
    let [active, most] = [0, 0];
    const batch = async (id: string): Promise<object> => {
      ids.push(id);
      most = Math.max(most, ++active);
      await Promise.resolve();
      active--;
      return { status: 'pending' };
    };
    await followMany(
      create(100, (index) => ({ batchId: `bat_${String(index)}` })),
      { batch },
    );
    assert.deepEqual([ids.length, new Set(ids).size, most], [1 + 3 * 60, 100, 6]);
  });

  test('the list begins a minute before the first POST, 15 more for a search, and ends 15 minutes after the last', async () => {
    const minute = 60_000;
    const find = async (...targets: readonly Partial<FollowTarget>[]): Promise<unknown> => {
      const period = (await followMany(targets, {})).periods[targets.length - 1];
      return [period?.gte, period?.lte].map((time) => time && (time.getTime() - SENT) / minute);
    };
    assert.deepEqual(await find(act(0), act(1)), [-1, undefined]);
    assert.deepEqual(await find(act(0), {}), [-16, undefined]);
    const ago = (minutes: number): Partial<FollowTarget> => ({ ...act(minutes), sentAt: SENT - minutes * minute });
    assert.deepEqual(await find(ago(30), ago(20)), [-31, -5]);
  });
});
