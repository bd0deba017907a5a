/** The tail while the platform misbehaves in every way of the menu: it recovers without gaps, and says since when it is stale. */
import assert from 'node:assert/strict';
import { PlatformError } from '../../../src/platform/errors.ts';
import { groupOf, faultNames } from '../../../src/sandbox/faults.ts';
import { after, follow, makeRig, type Rig } from './support.ts';

const ROUTE = 'GET /ebus/action-logs';

suite('logs: tail under faults', function () {
  this.timeout(30_000);
  let rig: Rig;
  // A new one each time: what earlier tests left behind would be gone through again.
  setup(async () => {
    rig = await makeRig();
  });
  teardown(() => rig.close());

  for (const fault of faultNames)
    for (const count of [1, null] as const)
      test(`${fault}, ${count === null ? 'for a while' : 'once'}: recovers without gaps`, async () => {
        const { sandbox } = rig;
        sandbox.advance(120_000);
        const seen = follow(rig, { from: sandbox.world.clock.now(), pageSize: 40 });
        const ids: string[] = [];
        for (let step = 0; step < 5; step++) {
          sandbox.advance(3000);
          ids.push(
            ...sandbox.settlement.inject({
              count: 55,
              spread: 2900,
              tie: 10,
              status: 'mixed',
              late: 0,
              settle: 4000,
            }),
          );
          // In the middle of a window: its first page goes well.
          const size = fault === 'hugeBody' ? 16_000_000 : 300;
          if (step === 1) sandbox.faults.add({ route: ROUTE, fault, count, after: 1, delay: 300, size });
          if (step === 3) sandbox.faults.clear();
          await seen.look().catch(() => undefined);
        }
        for (let step = 0; step < 8; step++) {
          sandbox.advance(9000);
          await seen.look();
        }
        assert.deepEqual(
          ids.filter((id) => seen.firsts.get(id) !== 1),
          [],
        );
        const logs = sandbox.world.collection('action-logs');
        for (const id of ids) assert.equal(seen.buffer.get(`Test\n${id}`)?.row.status, logs.get(id)?.['status'], id);
      });

  test('a Retry pressed during a look that fails is followed by another at once, unless the platform asks for time; scrolling is not', async () => {
    const { clock } = rig.sandbox.world;
    const stop = new AbortController();
    const waits: number[] = [];
    let looks = 0;
    const { tail } = follow(rig, {
      from: clock.now(),
      read: () => {
        if (++looks === 1) tail.older(50);
        else tail.hurry();
        return Promise.reject(
          looks < 3 ? new Error('broken off') : new PlatformError('rateLimited', '', { retryAfter: 700 }),
        );
      },
      clock: {
        now: () => clock.now(),
        after,
        sleep(milliseconds) {
          waits.push(milliseconds);
          if (looks === 3) stop.abort();
          return Promise.resolve();
        },
      },
    });
    await tail.run(stop.signal);
    assert.deepEqual(waits, [6000, 0, 700]);
  });

  for (const fault of faultNames.filter((name) => groupOf(name) === 'status' || groupOf(name) === 'connection')) {
    // These two are answers like any other, or lead to one.
    if (fault === 'redirect') continue;
    test(`${fault}: the state says since when it is stale, and why; and no longer once it is over`, async () => {
      const { sandbox } = rig;
      const clock = sandbox.world.clock;
      const stop = new AbortController();
      let waits = 0;
      let good = 0;
      const seen = follow(rig, {
        from: clock.now(),
        clock: {
          now: () => clock.now(),
          after,
          sleep(milliseconds) {
            const { state } = seen.tail;
            if (waits === 0) {
              assert.equal(state.failure, undefined);
              good = clock.now();
              sandbox.faults.add({ route: ROUTE, fault, count: null, retryAfter: 7 });
            } else if (waits <= 2) {
              assert.equal(state.phase, 'stale');
              assert.equal(state.failure?.since, good);
              assert.ok(state.failure.error instanceof Error);
              assert.ok(milliseconds >= 3000 * 2 ** waits, 'backs off');
              if (fault === 'rateLimited') assert.ok(milliseconds >= 7000, 'waits as long as it was asked to');
              if (waits === 2) sandbox.faults.clear();
            } else {
              assert.equal(state.failure, undefined);
              stop.abort();
            }
            waits++;
            sandbox.advance(milliseconds);
            return Promise.resolve();
          },
        },
      });
      await seen.tail.run(stop.signal);
      assert.equal(waits, 4);
    });
  }
});
