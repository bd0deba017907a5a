import assert from 'node:assert/strict';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { getFaultGroup, faultNames } from '../../../../src/sandbox/faults/faults.ts';
import { neverRun, follow, startSandboxFixture, type SandboxFixture } from './tail-fixture.ts';

const ROUTE = 'GET /ebus/action-logs';

suite('tail under faults', function () {
  this.timeout(30_000);
  let rig: SandboxFixture;
  // A new sandbox for each test: its settler would read what earlier tests left pending.
  setup(async () => {
    rig = await startSandboxFixture();
  });
  teardown(() => rig.close());

  for (const fault of faultNames)
    for (const count of [1, null] as const)
      test(`${fault}, ${count === null ? 'for a while' : 'once'}: recovers without gaps`, async () => {
        const { sandbox } = rig;
        sandbox.advance(120_000);
        const followed = follow(rig, { from: sandbox.world.clock.now(), pageSize: 40 });
        const ids: string[] = [];
        for (let step = 0; step < 5; step++) {
          sandbox.advance(3000);
          ids.push(
            ...sandbox.settlement.injectLogs({
              count: 55,
              spread: 2900,
              tie: 10,
              status: 'mixed',
              late: 0,
              settle: 4000,
            }),
          );
          // In the middle of a window, after its first page.
          const size = fault === 'hugeBody' ? 16_000_000 : 300;
          if (step === 1) sandbox.faults.add({ route: ROUTE, fault, count, after: 1, delay: 300, size });
          if (step === 3) sandbox.faults.clear();
          await followed.poll().catch(() => undefined);
        }
        for (let step = 0; step < 8; step++) {
          sandbox.advance(9000);
          await followed.poll();
        }
        assert.deepEqual(
          ids.filter((id) => followed.additions.get(id) !== 1),
          [],
        );
        const logs = sandbox.world.collection('action-logs');
        for (const id of ids)
          assert.equal(followed.buffer.get(`Test\n${id}`)?.row.status, logs.get(id)?.['status'], id);
      });

  test('a retry during a failing poll polls again at once, except after Retry-After; scrolling does not', async () => {
    const { clock } = rig.sandbox.world;
    const stop = new AbortController();
    const waits: number[] = [];
    let requests = 0;
    const { tail } = follow(rig, {
      from: clock.now(),
      read: () => {
        if (++requests === 1) tail.readOlder(50);
        else tail.pollNow();
        return Promise.reject(
          requests < 3 ? new Error('broken off') : new PlatformError('rateLimited', '', { retryAfter: 700 }),
        );
      },
      clock: {
        now: () => clock.now(),
        after: neverRun,
        sleep(milliseconds) {
          waits.push(milliseconds);
          if (requests === 3) stop.abort();
          return Promise.resolve();
        },
      },
    });
    await tail.run(stop.signal);
    assert.deepEqual(waits, [6000, 0, 700]);
  });

  test('the back-off starts over after a success, and Retry-After is obeyed for at most a minute', async () => {
    const { clock } = rig.sandbox.world;
    const stop = new AbortController();
    const waits: number[] = [];
    const error = new Error('broken off');
    const asksToWait = (retryAfter: number): Error => new PlatformError('rateLimited', '', { retryAfter });
    const results: (Error | undefined)[] = [
      error,
      error,
      error,
      undefined,
      error,
      asksToWait(45_000),
      asksToWait(7_200_000),
    ];
    let result: Error | undefined;
    const { tail } = follow(rig, {
      from: clock.now(),
      read: () =>
        result === undefined ? Promise.resolve({ items: [], extraFields: {}, drift: [] }) : Promise.reject(result),
      clock: {
        now: () => clock.now(),
        after: neverRun,
        sleep(milliseconds) {
          waits.push(milliseconds);
          if (results.length === 0) stop.abort();
          result = results.shift();
          return Promise.resolve();
        },
      },
    });
    await tail.run(stop.signal);
    // The first and the fifth wait follow a success.
    assert.deepEqual([...waits.slice(1, 4), ...waits.slice(5)], [6000, 12_000, 20_000, 6000, 45_000, 60_000]);
  });

  for (const fault of faultNames.filter(
    (name) => getFaultGroup(name) === 'status' || getFaultGroup(name) === 'connection',
  )) {
    // A redirect leads to a regular answer.
    if (fault === 'redirect') continue;
    test(`${fault}: the state has the time and reason of the failure until it recovers`, async () => {
      const { sandbox } = rig;
      const clock = sandbox.world.clock;
      const stop = new AbortController();
      let waits = 0;
      let lastSuccess = 0;
      const followed = follow(rig, {
        from: clock.now(),
        clock: {
          now: () => clock.now(),
          after: neverRun,
          sleep(milliseconds) {
            const { state } = followed.tail;
            if (waits === 0) {
              assert.equal(state.failure, undefined);
              lastSuccess = clock.now();
              sandbox.faults.add({ route: ROUTE, fault, count: null, retryAfter: 7 });
            } else if (waits <= 2) {
              assert.equal(state.phase, 'stale');
              assert.equal(state.failure?.since, lastSuccess);
              assert.ok(state.failure.error instanceof Error);
              assert.ok(milliseconds >= 3000 * 2 ** waits, 'backs off');
              if (fault === 'rateLimited') assert.ok(milliseconds >= 7000, 'waits as long as Retry-After says');
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
      await followed.tail.run(stop.signal);
      assert.equal(waits, 4);
    });
  }
});
