/** A feed under load, against a server that shares no code with the product, on a virtual clock. */
import assert from 'node:assert/strict';
import { faults, orders, VirtualClock, type Fault, type LedgerLog } from '../../../support/action-log-server.ts';
import { MINUTE, START, followFeed, type FollowedFeed } from './feed-fixture.ts';
import { createSeededRandom } from '../../../support/seeded-random.ts';

suite('feed under load', () => {
  let watched: FollowedFeed;
  teardown(() => watched.close());

  for (const [index, order] of orders.entries())
    test(`12,000 logs in a minute, ${order}, with faults and different clocks: none lost, duplicated or wrong`, async () => {
      const random = createSeededRandom(index + 1);
      const clock = new VirtualClock(START);
      const end = START + MINUTE;
      const fault = (): Fault | undefined =>
        clock.now() < end && random() < 0.05 ? faults[Math.floor(random() * faults.length)] : undefined;
      const ahead = [5 * MINUTE, -5 * MINUTE, 0][index % 3] ?? 0;
      watched = await followFeed({ clock, order, ahead, fault, sendsDate: index !== 3 });
      const { platform, feed, added: added, advanceTo: until } = watched;
      const logs: LedgerLog[] = Array.from({ length: 12_000 }, (_, at) => {
        // Equal times, entries that appear late, and statuses that settle out of order.
        const created = START + ahead + Math.floor((at * 5) / 50) * 50;
        const visible = created + Math.floor(random() * 4000);
        return {
          id: `log_${String(Math.floor(random() * 1e6)).padStart(6, '0')}_${String(at)}`,
          created,
          visible,
          settles: visible + Math.floor(random() * 15_000),
          final: random() < 0.2 ? 'failed' : 'completed',
        };
      });
      for (const log of logs) platform.add(log);
      feed.setVisible(true);
      await until(end + 40_000);
      const wrong = logs.filter(({ id }) => added.get(id)?.times !== 1);
      assert.deepEqual(wrong.slice(0, 5), [], `${String(wrong.length)} lost or doubled`);
      assert.equal(feed.buffer.size, logs.length);
      const rows = new Map(feed.buffer.list.map(({ id, row }) => [id, row.status]));
      const stale = logs.filter((log) => rows.get(log.id) !== log.final);
      assert.deepEqual(stale.slice(0, 5), [], `${String(stale.length)} of another status`);
      assert.equal(feed.state.phase === 'stale', false);
      const maxRequests = platform.maxRequestsWithin(MINUTE);
      assert.ok(maxRequests <= 720, `${String(maxRequests)} requests within a minute`);
      feed.setVisible(false);
      const before = platform.requests.length;
      await until(end + 10 * MINUTE);
      assert.equal(platform.requests.length, before, 'requests while hidden');
    });

  const log = (id: string, created: number, visible = created): LedgerLog => ({
    id,
    created,
    visible,
    settles: visible,
    final: 'completed',
  });

  /** Longest time in milliseconds that a visible log was not loaded. */
  function maxDelay(logs: readonly LedgerLog[], ahead: number): number {
    return Math.max(...logs.map(({ id, visible }) => (watched.added.get(id)?.at ?? Infinity) - (visible - ahead)));
  }

  for (const ahead of [0, 5 * MINUTE, -5 * MINUTE])
    for (const sendsDate of [true, false])
      test(`logs 25 to 55 s late after a burst, server clock ${String(ahead / MINUTE)} min ahead${sendsDate ? '' : ' without Date header'}: loaded within 30 s`, async () => {
        watched = await followFeed({ ahead, sendsDate });
        const { platform, feed, advanceTo: until } = watched;
        const random = createSeededRandom(11);
        const logs: LedgerLog[] = [];
        for (let at = 0; at < 3000; at++) {
          const created = START + ahead + 20_000 + at * 10;
          const late = random() < 0.1 ? 25_000 + random() * 30_000 : random() * 1000;
          logs.push(log(`log_${String(at)}`, created, Math.floor(created + late)));
        }
        // Regular logs before and after the burst.
        for (let at = 0; at < 60; at++) logs.push(log(`seldom_${String(at)}`, START + ahead - 400_000 + at * 10_000));
        for (const one of logs) platform.add(one);
        feed.setVisible(true);
        await until(START + 5 * MINUTE);
        const checked = logs.filter(
          ({ visible }) => visible - ahead > START + 5000 && visible - ahead < START + 270_000,
        );
        const missing = maxDelay(checked, ahead);
        assert.ok(missing <= 30_000, `${String(missing / 1000)} s`);
      });

  test('writers whose clocks differ by five minutes: loaded within 30 s', async () => {
    watched = await followFeed();
    const { platform, feed, advanceTo: until } = watched;
    const logs = Array.from({ length: 2400 }, (_, at) => {
      const visible = START + 10_000 + at * 50;
      return log(`log_${String(at)}`, visible + (at % 2 === 0 ? 5 * MINUTE : 0), visible);
    });
    for (const one of logs) platform.add(one);
    feed.setVisible(true);
    await until(START + 3 * MINUTE);
    const missing = maxDelay(logs, 0);
    assert.ok(missing <= 30_000, `${String(missing / 1000)} s`);
  });

  test('after minutes of failure: everything is loaded within 30 s', async () => {
    let down = false;
    watched = await followFeed({ fault: () => (down ? 'internalError' : undefined) });
    const { platform, feed, advanceTo: until } = watched;
    const logs = Array.from({ length: 3000 }, (_, at) => log(`log_${String(at)}`, START + at * 100));
    for (const one of logs) platform.add(one);
    feed.setVisible(true);
    await until(START + MINUTE);
    down = true;
    await until(START + 4 * MINUTE);
    assert.deepEqual(feed.state.stale, ['Test: not up to date']);
    down = false;
    await until(START + 4.5 * MINUTE);
    const missing = logs.filter(({ id, visible }) => visible < START + 4 * MINUTE && !watched.added.has(id));
    assert.deepEqual(missing, []);
    assert.deepEqual(feed.state.stale, []);
  });

  test('a request without an answer: stale after two intervals, and the next poll does not wait for it', async () => {
    let silent = false;
    watched = await followFeed({ fault: () => (silent ? 'silence' : undefined) });
    const { platform, feed, added: added, advanceTo: until } = watched;
    const logs = Array.from({ length: 300 }, (_, at) => log(`log_${String(at)}`, START + at * 1000));
    for (const one of logs) platform.add(one);
    feed.setVisible(true);
    await until(START + 30_000);
    assert.deepEqual(feed.state.stale, []);
    silent = true;
    await until(START + 41_000);
    assert.deepEqual(feed.state.stale, ['Test: not up to date']);
    assert.match(feed.state.reason ?? '', /has not responded for \d+ seconds/);
    silent = false;
    // The request ends after 30 s.
    await until(START + 74_000);
    assert.deepEqual(feed.state.stale, []);
    assert.ok(logs.every(({ id, visible }) => visible > START + 60_000 || added.has(id)));
    // A retry does not wait.
    silent = true;
    await until(START + 84_000);
    assert.deepEqual(feed.state.stale, ['Test: not up to date']);
    silent = false;
    feed.refresh();
    await until(START + 85_000);
    assert.deepEqual(feed.state.stale, []);
    assert.ok(logs.every(({ id, visible }) => visible > START + 83_000 || added.has(id)));
  });

  test('a platform that asks to wait is named as the reason, and is not asked again before', async () => {
    let refuses = false;
    watched = await followFeed({ fault: () => (refuses ? 'tooMany' : undefined), retryAfter: 50 });
    const { platform, feed, advanceTo: until } = watched;
    feed.setVisible(true);
    await until(START + 5000);
    refuses = true;
    const before = platform.requests.length;
    await until(START + 45_000);
    assert.equal(platform.requests.length, before + 1);
    assert.deepEqual(feed.state.stale, ['Test: not up to date']);
    assert.match(feed.state.reason ?? '', /asks to wait 50 s \(429\)/);
    refuses = false;
    await until(START + 70_000);
    assert.deepEqual(feed.state.stale, []);
  });
});
