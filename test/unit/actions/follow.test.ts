/** Following an execution over a clock of its own: which filter finds its log, what is never taken for it, how it backs off. */
import assert from 'node:assert/strict';
import { follow, type FollowReads, type Sight } from '../../../src/actions/follow.ts';

const SENT = Date.parse('2026-05-01T12:00:00Z');
const limits = { indexing: 60_000, log: 60_000, batch: 60_000, first: 250, longest: 8000 };

interface Followed {
  readonly sight: Sight;
  readonly reports: readonly Sight[];
  /** milliseconds between the looks */
  readonly waits: readonly number[];
}

async function followed(reads: Partial<FollowReads>): Promise<Followed> {
  let now = SENT;
  const waits: number[] = [];
  const reports: Sight[] = [];
  const sight = await follow({
    actionId: 'act_1',
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
});
