/** What a user can rely on in Action Logs, against a server that shares no code with the product, on a virtual clock. */
import assert from 'node:assert/strict';
import { orders, type Fault, type LedgerLog } from '../../../support/action-log-server.ts';
import { createSeededRandom } from '../../../support/seeded-random.ts';
import { followFeed, latest, MINUTE, START, type FollowedFeed } from './feed-fixture.ts';

const HOUR = 60 * MINUTE;

const log = (id: string, created: number, more: Partial<LedgerLog> = {}): LedgerLog => {
  const { visible = created } = more;
  return { id, created, visible, settles: visible, final: 'completed', ...more };
};

suite('what action logs promise', () => {
  let watched: FollowedFeed;
  teardown(() => watched.close());

  async function open(...options: Parameters<typeof followFeed>): Promise<FollowedFeed> {
    watched = await followFeed(...options);
    return watched;
  }

  const addAll = (logs: readonly LedgerLog[]): void => {
    for (const one of logs) watched.platform.add(one);
  };
  const getIds = (): string[] => watched.feed.buffer.list.map(({ id }) => id);
  /** Fails with the first few of the logs that are not loaded exactly once. */
  const assertLoaded = (logs: readonly LedgerLog[], what: string): void => {
    const missing = logs.filter(({ id }) => watched.feed.buffer.get(`Test\n${id}`) === undefined);
    assert.equal(
      missing.length,
      0,
      `${what}: ${String(missing.length)} of ${String(logs.length)} missing, such as ${missing[0]?.id ?? ''}`,
    );
    assert.equal(new Set(getIds()).size, watched.feed.buffer.size);
  };
  const countRequestsSince = (time: number): number => watched.platform.requests.filter((at) => at >= time).length;

  test('a pause sends nothing, and after it nothing is missing', async () => {
    const { feed, advanceTo } = await open();
    const logs = Array.from({ length: 4000 }, (_, at) => log(`log_${String(at)}`, START + at * 200));
    addAll(logs);
    feed.setVisible(true);
    await advanceTo(START + MINUTE);
    feed.setPaused(true);
    await advanceTo(START + 10 * MINUTE);
    assert.equal(countRequestsSince(START + MINUTE + 1000), 0);
    feed.setPaused(false);
    await advanceTo(START + 10.5 * MINUTE);
    assertLoaded(
      logs.filter(({ visible }) => visible < START + 10 * MINUTE),
      'after the pause',
    );
  });

  for (const order of ['ascending', 'descending', 'shuffled'] as const)
    test(`after a pause in which more came than is held, ${order}: the newest are loaded, in few requests`, async () => {
      const { feed, advanceTo } = await open({ bufferSize: 1000, order });
      const logs = Array.from({ length: 30_000 }, (_, at) => log(`log_${String(at)}`, START + at * 20));
      addAll(logs);
      feed.setVisible(true);
      await advanceTo(START + 10_000);
      feed.setPaused(true);
      await advanceTo(START + 10 * MINUTE);
      feed.setPaused(false);
      await advanceTo(START + 11 * MINUTE);
      assert.equal(feed.buffer.size, 1000);
      assertLoaded(logs.slice(-1000), 'newest');
      assert.equal(feed.state.phase === 'stale', false);
      const requests = countRequestsSince(START + 10 * MINUTE);
      assert.ok(requests <= 500, `${String(requests)} requests`);
    });

  for (const order of orders)
    test(`older entries on request, ${order}: without gaps, and not much more than requested`, async () => {
      const { feed, advanceTo } = await open({ order });
      const random = createSeededRandom(3);
      // Ever older, at ever larger distances; and 12,000 within six seconds, a day ago.
      const logs = Array.from({ length: 3000 }, (_, at) =>
        log(`log_${String(at)}`, START - 1000 - Math.floor(at * at * 100 * random())),
      );
      const burst = Array.from({ length: 12_000 }, (_, at) => log(`burst_${String(at)}`, START - 24 * HOUR + at / 2));
      addAll([...logs, ...burst]);
      feed.setVisible(true);
      await advanceTo(START + 10_000);
      for (const wanted of [300, 800, 1300]) {
        const { readBackTo = Infinity } = feed.state;
        assert.ok(feed.buffer.size >= wanted, `${String(feed.buffer.size)} of ${String(wanted)}`);
        assertLoaded(
          [...logs, ...burst].filter(({ created }) => created >= readBackTo),
          'in the range that was read',
        );
        assert.equal(feed.state.complete, false);
        assert.equal(feed.state.readingOlder, false);
        feed.readOlder(500);
        await advanceTo(watched.clock.now() + MINUTE);
      }
      const requests = countRequestsSince(START);
      assert.ok(requests <= 800, `${String(requests)} requests`);
      for (let times = 0; times < 60 && !feed.state.complete; times++) {
        feed.readOlder(5000);
        await advanceTo(watched.clock.now() + MINUTE);
      }
      assertLoaded([...logs, ...burst], 'at the end');
    });

  test('dropped entries are neither added nor read again', async () => {
    const { feed, added, advanceTo } = await open({ bufferSize: 1000 });
    const logs = Array.from({ length: 12_000 }, (_, at) => log(`log_${String(at)}`, START + at * 50));
    addAll(logs);
    feed.setVisible(true);
    await advanceTo(START + 10 * MINUTE);
    assert.ok(feed.buffer.dropped >= 10_500);
    await advanceTo(START + 15 * MINUTE);
    assertLoaded(logs.slice(-1000), 'newest');
    assert.ok([...added.values()].every(({ times }) => times === 1));
    // What is loaded, in parts, and the overlap.
    const requests = countRequestsSince(START + 14 * MINUTE);
    assert.ok(requests <= 90, `${String(requests)} requests in a minute`);
  });

  for (const fault of ['internalError', 'badGateway', 'unavailable', 'tooMany', 'reset', 'cutBody'] as const)
    test(`${fault}: entries stay, with the time and the reason, until it recovers`, async () => {
      let now: Fault | undefined;
      const { feed, advanceTo } = await open({ fault: () => now });
      const logs = Array.from({ length: 400 }, (_, at) => log(`log_${String(at)}`, START - 50_000 + at * 500));
      addAll(logs);
      feed.setVisible(true);
      await advanceTo(START + 20_000);
      const { size } = feed.buffer;
      now = fault;
      await advanceTo(START + 80_000);
      const { stale, since = 0, reason = '' } = feed.state;
      assert.deepEqual(stale, ['Test: not up to date']);
      assert.ok(since > START + 10_000 && since <= START + 20_000, String(since - START));
      assert.match(reason, /^Read action logs of Test: ./);
      assert.equal(feed.buffer.size, size);
      now = undefined;
      await advanceTo(START + 2 * MINUTE);
      assert.deepEqual([feed.state.stale, feed.state.since, feed.state.reason], [[], undefined, undefined]);
      assertLoaded(
        logs.filter(({ visible }) => visible < START + 1.5 * MINUTE),
        'afterwards',
      );
    });

  test('thousands of logs of the same millisecond, before and after opening: each loaded once', async () => {
    const { feed, added, advanceTo } = await open();
    const logs = [START - 5000, START + 10_000].flatMap((created) =>
      Array.from({ length: 3000 }, (_, at) => log(`log_${String(created)}_${String(at)}`, created)),
    );
    addAll(logs);
    feed.setVisible(true);
    await advanceTo(START + 30_000);
    assertLoaded(logs, 'equal times');
    assert.ok([...added.values()].every(({ times }) => times === 1));
  });

  test('a clock that is set back delays neither late nor pending logs', async () => {
    let clockAhead = 0;
    const { feed, advanceTo } = await open({ clockAhead: () => clockAhead });
    addAll([
      log('old', START - 30 * MINUTE, { settles: START + 3 * MINUTE }),
      log('new', START),
      log('late', START + MINUTE, { visible: START + 2 * MINUTE }),
      log('newest', START + 1.5 * MINUTE),
    ]);
    feed.setVisible(true);
    await advanceTo(START + 1.8 * MINUTE);
    clockAhead = -2 * HOUR;
    await advanceTo(START + 8 * MINUTE);
    assert.equal(feed.buffer.get('Test\nold')?.row.status, 'completed');
    assert.notEqual(feed.buffer.get('Test\nlate'), undefined);
  });

  test('a pending log is shown with its status soon after it settles, also an old one', async () => {
    const { feed, advanceTo } = await open();
    const logs = Array.from({ length: 400 }, (_, at) => log(`log_${String(at)}`, START - at * 1000));
    const old = log('old', START - 30 * MINUTE, { settles: START + 5 * MINUTE, final: 'failed' });
    const fresh = log('fresh', START + 4.5 * MINUTE, { settles: START + 5 * MINUTE });
    addAll([...logs, old, fresh]);
    feed.setVisible(true);
    await advanceTo(START + 1000);
    feed.readOlder(500);
    const getStatus = (id: string): string | undefined => feed.buffer.get(`Test\n${id}`)?.row.status;
    await advanceTo(START + 5 * MINUTE - 1);
    assert.deepEqual([getStatus('old'), getStatus('fresh')], ['pending', 'pending']);
    await advanceTo(START + 5 * MINUTE + 30_000);
    assert.equal(getStatus('fresh'), 'completed');
    await advanceTo(START + 8 * MINUTE);
    assert.equal(getStatus('old'), 'failed');
  });

  test('filtered by a status: what leaves it disappears, what settles to it appears, though minutes old', async () => {
    const random = createSeededRandom(8);
    const logs = Array.from({ length: 300 }, (_, at) =>
      log(`log_${String(at)}`, START - 2 * MINUTE + at * 800, {
        settles: START - MINUTE + at * 800 + Math.floor(random() * 4 * MINUTE),
        final: at % 3 === 0 ? 'failed' : 'completed',
      }),
    );
    for (const status of ['pending', 'failed'] as const) {
      const { feed, platform, advanceTo } = await open({}, { ...latest, status });
      addAll(logs);
      feed.setVisible(true);
      await advanceTo(START + MINUTE);
      assert.ok(getIds().length > 0);
      await advanceTo(START + 9 * MINUTE);
      const expected = logs.filter((one) => platform.getStatus(one) === status).map(({ id }) => id);
      assert.deepEqual(new Set(getIds()), new Set(expected), status);
      assert.ok(feed.buffer.list.every(({ row }) => row.status === status));
      if (status === 'pending') await watched.close();
    }
  });

  test('a range in the past is loaded completely, and then left alone', async () => {
    const range = { ...latest, range: 'between' as const, from: START - 2 * HOUR, to: START - HOUR };
    const { feed, advanceTo } = await open({}, range);
    const logs = Array.from({ length: 1000 }, (_, at) => log(`log_${String(at)}`, START - 3 * HOUR + at * 15_000));
    addAll(logs);
    feed.setVisible(true);
    await advanceTo(START + MINUTE);
    const inside = logs.filter(({ created }) => created >= range.from && created < range.to);
    assertLoaded(inside, 'inside');
    assert.equal(feed.buffer.size, inside.length);
    assert.deepEqual([feed.state.phase, feed.state.complete], ['ended', true]);
    await advanceTo(START + 11 * MINUTE);
    assert.ok(countRequestsSince(START + MINUTE) <= 60);
  });

  test('a range that ends later is followed until then', async () => {
    const range = { ...latest, range: 'between' as const, from: START - MINUTE, to: START + 2 * MINUTE };
    const { feed, advanceTo } = await open({}, range);
    const logs = [
      ...Array.from({ length: 500 }, (_, at) => log(`log_${String(at)}`, START - MINUTE + at * 1000)),
      log('late', range.to - 10_000, { visible: range.to + MINUTE }),
    ];
    addAll(logs);
    feed.setVisible(true);
    for (const minute of [1, 4]) {
      await advanceTo(START + minute * MINUTE);
      assertLoaded(
        logs.filter(({ created }) => created < Math.min(range.to, START + (minute - 0.5) * MINUTE)),
        `after ${String(minute)} min`,
      );
    }
    assert.ok(feed.buffer.list.every(({ time }) => time < range.to));
    assert.equal(feed.state.phase, 'ended');
  });

  test('a server without cursors: everything is loaded in parts', async () => {
    const { feed, advanceTo } = await open({ fault: () => 'lostCursor' });
    const logs = Array.from({ length: 1000 }, (_, at) => log(`log_${String(at)}`, START - at * 30));
    addAll(logs);
    feed.setVisible(true);
    await advanceTo(START + 10_000);
    feed.readOlder(1000);
    await advanceTo(START + 20_000);
    assertLoaded(logs, 'in parts');
  });

  for (const dateFormat of ['unixSeconds', 'date'] as const)
    test(`dates as ${dateFormat}: nothing is missing`, async () => {
      const { feed, added, advanceTo } = await open({ dateFormat });
      const logs = Array.from({ length: 900 }, (_, at) => log(`log_${String(at)}`, START - 30_000 + at * 130));
      addAll(logs);
      feed.setVisible(true);
      await advanceTo(START + 3 * MINUTE);
      assertLoaded(logs, dateFormat);
      assert.ok([...added.values()].every(({ times }) => times === 1));
    });

  test('Refresh loads what came hours late among the loaded entries', async () => {
    const { feed, advanceTo } = await open();
    const logs = Array.from({ length: 2000 }, (_, at) => log(`log_${String(at)}`, START - at * 30_000));
    addAll(logs);
    feed.setVisible(true);
    await advanceTo(START + 5000);
    feed.readOlder(3000);
    await advanceTo(START + 10_000);
    const late = [2, 8, 15].map((hours) =>
      log(`late_${String(hours)}`, START - hours * HOUR, { visible: START + 20_000 }),
    );
    addAll(late);
    await advanceTo(START + 21_000);
    feed.refresh();
    await advanceTo(START + 23_000);
    assertLoaded(late, 'after Refresh');
  });

  test('without Refresh, what came minutes late is loaded within minutes', async () => {
    const { feed, advanceTo } = await open();
    const logs = Array.from({ length: 3000 }, (_, at) => {
      const created = START + at * 200;
      return log(`log_${String(at)}`, created, at % 20 === 0 ? { visible: created + 4 * MINUTE } : {});
    });
    addAll(logs);
    feed.setVisible(true);
    await advanceTo(START + 10 * MINUTE);
    assertLoaded(
      logs.filter(({ visible }) => visible < START + 7 * MINUTE),
      'late',
    );
  });

  test('what came seconds late is loaded with the next poll', async () => {
    const { feed, added, advanceTo } = await open();
    const logs = Array.from({ length: 300 }, (_, at) => {
      const created = START + at * 200;
      return log(`log_${String(at)}`, created, at % 20 === 0 ? { visible: created + 4000 } : {});
    });
    addAll(logs);
    feed.setVisible(true);
    await advanceTo(START + MINUTE);
    const delays = logs.slice(0, 250).map(({ id, visible }) => (added.get(id)?.at ?? Infinity) - visible);
    assert.ok(Math.max(...delays) <= 5000, `${String(Math.max(...delays))} ms`);
  });

  for (const [what, count, distance] of [
    ['few', 5000, 60_000],
    ['thousands of', 3000, 100],
  ] as const)
    test(`a quiet platform is left quiet, with ${what} loaded entries`, async () => {
      const { feed, advanceTo } = await open();
      addAll(Array.from({ length: count }, (_, at) => log(`log_${String(at)}`, START - at * distance)));
      feed.setVisible(true);
      await advanceTo(START + 1000);
      if (what === 'thousands of') feed.readOlder(count);
      await advanceTo(START + 5 * MINUTE);
      const requests = countRequestsSince(START + 4 * MINUTE);
      assert.ok(requests <= 60, `${String(requests)} requests in a minute, ${String(feed.buffer.size)} entries`);
      assert.equal(feed.state.phase, 'idle');
    });
});
