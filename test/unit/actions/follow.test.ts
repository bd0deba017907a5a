/** Following an execution over a clock of its own: which filter finds its log, what is never taken for it, how it backs off. */
import assert from 'node:assert/strict';
import { follow, type FollowOptions, type FollowReads, type Sight } from '../../../src/actions/follow.ts';
import { requestFacts } from '../../../src/actions/possible.ts';

const SENT = Date.parse('2026-05-01T12:00:00Z');
const limits = { indexing: 60_000, log: 60_000, batch: 60_000, noBatch: 3000, first: 250, longest: 8000 };

interface Followed {
  readonly sight: Sight;
  readonly reports: readonly Sight[];
  /** milliseconds between the looks */
  readonly waits: readonly number[];
}

async function followed(reads: Partial<FollowReads>, options: Partial<FollowOptions> = {}): Promise<Followed> {
  let now = SENT;
  const waits: number[] = [];
  const reports: Sight[] = [];
  const sight = await follow({
    target: { actionId: 'act_1' },
    sentAt: SENT,
    reads: { logs: () => Promise.resolve([]), batch: () => Promise.resolve({ status: 'completed' }), ...reads },
    time: {
      now: () => now,
      sleep: (milliseconds) => {
        waits.push(milliseconds);
        now += milliseconds;
        return Promise.resolve();
      },
    },
    signal: new AbortController().signal,
    limits,
    report: (seen) => reports.push(seen),
    ...options,
  });
  return { sight, reports, waits };
}

const log = { id: 'log_9', action_id: 'act_1', status: 'completed', batch_id: 'bat_1' };

suite('following', () => {
  for (const by of ['action_id', 'id'] as const) {
    test(`a platform that knows only the filter ${by}`, async () => {
      const { sight } = await followed({ logs: (query) => Promise.resolve(query[by] === 'act_1' ? [log] : []) });
      assert.equal(sight.foundBy, by);
      assert.equal(sight.batchStatus, 'completed');
    });

    test(`a platform that refuses any filter but ${by}`, async () => {
      const { sight } = await followed({
        logs: (query) => (query[by] === 'act_1' ? Promise.resolve([log]) : Promise.reject(new Error('bad request'))),
      });
      assert.equal(sight.foundBy, by);
    });
  }

  test('a filter that is ignored yields the logs of others: none of them is taken for this one', async () => {
    const others = [
      { id: 'log_1', status: 'completed', when_created: new Date(SENT).toISOString() },
      { id: 'log_2', status: 'failed', when_created: new Date(SENT).toISOString() },
    ];
    const { sight } = await followed({ logs: () => Promise.resolve(others) });
    assert.equal(sight.log, undefined);
    assert.match(sight.note ?? '', /No action log has appeared/);
    const old = { ...others[0], when_created: new Date(SENT - 3_600_000).toISOString() };
    assert.equal((await followed({ logs: () => Promise.resolve([old]) })).sight.log, undefined);
  });

  test('not indexed, pending, completed, its batch: each is told, and silence makes the looks rarer', async () => {
    let looks = 0;
    const { sight, reports, waits } = await followed({
      logs: () => {
        looks++;
        if (looks < 20) return Promise.resolve([]);
        return Promise.resolve([looks < 24 ? { ...log, status: 'pending', batch_id: undefined } : log]);
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
    assert.equal(sight.over, true);
    const silent = waits.slice(0, 8);
    assert.deepEqual(
      silent,
      [...silent].sort((a, b) => a - b),
    );
    assert.ok(Math.max(...waits) <= limits.longest);
    // The log that came brings the next look closer again.
    assert.ok(waits.indexOf(limits.first, 3) > 3);
  });

  test('a status that nobody knows is no end and no success', async () => {
    const { sight } = await followed({ logs: () => Promise.resolve([{ ...log, status: 'proving' }]) });
    assert.equal(sight.logStatus, 'proving');
    assert.match(sight.note ?? '', /still proving/);
  });

  suite('where the filter is ignored and logs name no execution', () => {
    const request = requestFacts('{"action": {"mint": {"template_id": "tpl_1", "num": 2}}}');
    const own = {
      id: 'log_7',
      action_name: 'mint',
      params: [{ num: 2, template_id: 'tpl_1' }],
      status: 'completed',
      batch_id: 'bat_1',
      when_created: new Date(SENT + 1000).toISOString(),
    };
    const among = (...logs: readonly object[]): Promise<Followed> =>
      followed({ logs: () => Promise.resolve(logs) }, { request });

    test('the only log of this kind with these parameters is probably ours, after a while', async () => {
      const { sight, waits } = await among({ ...own, id: 'log_6', action_name: 'burn' }, own);
      assert.deepEqual([sight.log?.['id'], sight.probable, sight.logStatus], ['log_7', true, 'completed']);
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
        assert.equal((await among(log)).sight.log, undefined);
      });

    test('two that are alike cannot be told apart; one of them that is known to be of another run is', async () => {
      const twin = { ...own, id: 'log_8' };
      assert.equal((await among(own, twin)).sight.log, undefined);
      const known = { request, knownLogs: () => new Set(['log_8']) };
      const { sight } = await followed({ logs: () => Promise.resolve([own, twin]) }, known);
      assert.equal(sight.log?.['id'], 'log_7');
    });

    test('without a request to compare with, none is taken', async () => {
      assert.equal((await followed({ logs: () => Promise.resolve([own]) })).sight.log, undefined);
    });
  });

  test('a numeric id is the id of the execution all the same', async () => {
    const { sight } = await followed(
      { logs: () => Promise.resolve([{ ...log, action_id: 12 }]) },
      { target: { actionId: '12' } },
    );
    assert.deepEqual([sight.logStatus, sight.probable], ['completed', undefined]);
  });

  test('a batch that is finalized is final; one that never comes is not waited for', async () => {
    const logs = (): Promise<readonly object[]> => Promise.resolve([log]);
    const final = await followed({ logs, batch: () => Promise.resolve({ status: 'finalized' }) });
    assert.deepEqual([final.waits, final.sight.over], [[], true]);
    const { batch_id: _batch, ...alone } = log;
    const { sight, waits } = await followed({ logs: () => Promise.resolve([alone]) });
    assert.match(sight.note ?? '', /named no batch/);
    assert.ok(waits.reduce((sum, wait) => sum + wait, 0) <= 3000, waits.join());
  });

  test('the reason of a failed log is looked for in its batch, once', async () => {
    let reads = 0;
    const { sight } = await followed({
      logs: () => Promise.resolve([{ ...log, status: 'failed' }]),
      batch: () => {
        reads++;
        return Promise.resolve({ status: 'pending', error: 'no gas' });
      },
    });
    assert.deepEqual([sight.logStatus, sight.batch?.['error'], reads], ['failed', 'no gas', 1]);
  });

  test('logs nested thousands deep end nothing', async () => {
    const deep: unknown = JSON.parse('{"a":'.repeat(6000) + '1' + '}'.repeat(6000));
    const { sight } = await followed({ logs: () => Promise.resolve([{ ...log, params: [deep] }]) });
    assert.equal(sight.batchStatus, 'completed');
  });
});
