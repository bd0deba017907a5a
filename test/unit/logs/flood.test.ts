/** A feed against a platform server that shares no code with the product: what it holds, when, and with how many requests. */
import assert from 'node:assert/strict';
import { faults, orders, randomOf, VirtualClock, type Fault, type LedgerLog } from '../../support/log-platform.ts';
import { MINUTE, START, watch, type Watched } from './watch.ts';

suite('logs: a flood', function () {
  this.timeout(20_000);
  let watched: Watched;
  teardown(() => watched.close());

  for (const [index, order] of orders.entries())
    test(`12,000 logs in a minute, ${order}, with faults and clocks that are apart: none lost, doubled or wrong`, async () => {
      const random = randomOf(index + 1);
      const clock = new VirtualClock(START);
      const end = START + MINUTE;
      const fault = (): Fault | undefined =>
        clock.now() < end && random() < 0.05 ? faults[Math.floor(random() * faults.length)] : undefined;
      const ahead = [5 * MINUTE, -5 * MINUTE, 0][index % 3] ?? 0;
      watched = await watch({ clock, order, ahead, fault, sendsDate: index !== 3 });
      const { platform, feed, held, until } = watched;
      const logs: LedgerLog[] = Array.from({ length: 12_000 }, (_, at) => {
        // Ties, some seconds between its own date and its appearance, and statuses that settle out of order.
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
      const wrong = logs.filter(({ id }) => held.get(id)?.times !== 1);
      assert.deepEqual(wrong.slice(0, 5), [], `${String(wrong.length)} lost or doubled`);
      assert.equal(feed.buffer.size, logs.length);
      const rows = new Map(feed.buffer.list.map(({ id, row }) => [id, row.status]));
      const stale = logs.filter((log) => rows.get(log.id) !== log.final);
      assert.deepEqual(stale.slice(0, 5), [], `${String(stale.length)} of another status`);
      assert.equal(feed.state.phase === 'stale', false);
      const most = platform.mostWithin(MINUTE);
      assert.ok(most <= 720, `${String(most)} requests within a minute`);
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

  /** Milliseconds that the most belated of them was there and not held. */
  function longestMissing(logs: readonly LedgerLog[], ahead: number): number {
    return Math.max(...logs.map(({ id, visible }) => (watched.held.get(id)?.at ?? Infinity) - (visible - ahead)));
  }

  for (const ahead of [0, 5 * MINUTE, -5 * MINUTE])
    for (const sendsDate of [true, false])
      test(`logs that appear 25 to 55 s late after a burst, with a clock ${String(ahead / MINUTE)} min ahead${sendsDate ? '' : ', unsaid'}: none is missing for more than 30 s`, async () => {
        watched = await watch({ ahead, sendsDate });
        const { platform, feed, until } = watched;
        const random = randomOf(11);
        const logs: LedgerLog[] = [];
        for (let at = 0; at < 3000; at++) {
          const created = START + ahead + 20_000 + at * 10;
          const late = random() < 0.1 ? 25_000 + random() * 30_000 : random() * 1000;
          logs.push(log(`log_${String(at)}`, created, Math.floor(created + late)));
        }
        // The usual ones before and after it.
        for (let at = 0; at < 60; at++) logs.push(log(`seldom_${String(at)}`, START + ahead - 400_000 + at * 10_000));
        for (const one of logs) platform.add(one);
        feed.setVisible(true);
        await until(START + 5 * MINUTE);
        const there = logs.filter(({ visible }) => visible - ahead > START + 5000 && visible - ahead < START + 270_000);
        const missing = longestMissing(there, ahead);
        assert.ok(missing <= 30_000, `${String(missing / 1000)} s`);
      });

  test('writers whose clocks are five minutes apart: none is missing for more than 30 s', async () => {
    watched = await watch();
    const { platform, feed, until } = watched;
    const logs = Array.from({ length: 2400 }, (_, at) => {
      const visible = START + 10_000 + at * 50;
      return log(`log_${String(at)}`, visible + (at % 2 === 0 ? 5 * MINUTE : 0), visible);
    });
    for (const one of logs) platform.add(one);
    feed.setVisible(true);
    await until(START + 3 * MINUTE);
    const missing = longestMissing(logs, 0);
    assert.ok(missing <= 30_000, `${String(missing / 1000)} s`);
  });

  test('logs minutes late: once some were seen, the next ones are soon', async () => {
    watched = await watch();
    const { platform, feed, until } = watched;
    const logs: LedgerLog[] = [];
    for (let at = 0; at < 6000; at++) {
      const created = START + at * 100;
      logs.push(log(`log_${String(at)}`, created, at % 40 === 0 ? created + 4 * MINUTE : created));
    }
    for (const one of logs) platform.add(one);
    feed.setVisible(true);
    await until(START + 11 * MINUTE);
    const late = logs.filter((one) => one.visible > one.created && one.visible > START + 7.5 * MINUTE);
    const missing = longestMissing(
      late.filter(({ visible }) => visible < START + 10 * MINUTE),
      0,
    );
    assert.ok(missing <= 30_000, `${String(missing / 1000)} s`);
  });

  test('a platform that answers again after minutes: nothing is missing 30 s later', async () => {
    let down = false;
    watched = await watch({ fault: () => (down ? 'internalError' : undefined) });
    const { platform, feed, until } = watched;
    const logs = Array.from({ length: 3000 }, (_, at) => log(`log_${String(at)}`, START + at * 100));
    for (const one of logs) platform.add(one);
    feed.setVisible(true);
    await until(START + MINUTE);
    down = true;
    await until(START + 4 * MINUTE);
    assert.deepEqual(feed.state.stale, ['Test stale']);
    down = false;
    await until(START + 4.5 * MINUTE);
    const missing = logs.filter(({ id, visible }) => visible < START + 4 * MINUTE && !watched.held.has(id));
    assert.deepEqual(missing, []);
    assert.deepEqual(feed.state.stale, []);
  });

  test('a request that is never answered: the view says stale after two intervals, and a later look does not wait for it', async () => {
    let silent = false;
    watched = await watch({ fault: () => (silent ? 'silence' : undefined) });
    const { platform, feed, held, until } = watched;
    const logs = Array.from({ length: 300 }, (_, at) => log(`log_${String(at)}`, START + at * 1000));
    for (const one of logs) platform.add(one);
    feed.setVisible(true);
    await until(START + 30_000);
    assert.deepEqual(feed.state.stale, []);
    silent = true;
    await until(START + 41_000);
    assert.deepEqual(feed.state.stale, ['Test stale']);
    assert.match(feed.state.reason ?? '', /has not answered for \d+ seconds/);
    await until(START + 44_000);
    silent = false;
    await until(START + 74_000);
    assert.deepEqual(feed.state.stale, []);
    assert.ok(logs.every(({ id, visible }) => visible > START + 70_000 || held.has(id)));
    // Asked to, it does not wait at all.
    silent = true;
    await until(START + 84_000);
    assert.deepEqual(feed.state.stale, ['Test stale']);
    silent = false;
    feed.retry();
    await until(START + 85_000);
    assert.deepEqual(feed.state.stale, []);
    assert.ok(logs.every(({ id, visible }) => visible > START + 83_000 || held.has(id)));
  });
});
