/** When rows may be sent, by a clock that moves only while something sleeps. */
import assert from 'node:assert/strict';
import { SendGate } from '../../../../../src/actions/bulk/send/send-gate.ts';

suite('send gate', () => {
  test('pause ends waiting for the platform', async () => {
    const sleep = (_milliseconds: number, signal: AbortSignal): Promise<void> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('stopped'));
        });
      });
    const gate = new SendGate({ concurrency: 1 }, { now: () => 0, sleep });
    assert.ok(await gate.enter());
    gate.hold(60_000);
    const waiting = gate.waitForPlatform();
    gate.pause();
    assert.equal(await waiting, false);
  });

  test('a clock that is set back an hour lets no row wait longer', async () => {
    let [now, slept] = [10 * 3_600_000, 0];
    const sleep = (milliseconds: number): Promise<void> => {
      now += milliseconds;
      slept += milliseconds;
      return Promise.resolve();
    };
    const gate = new SendGate({ concurrency: 9, rate: 5 }, { now: () => now, sleep });
    await gate.enter();
    now -= 3_600_000;
    await gate.enter();
    assert.equal(slept, 200);
    gate.hold(1000);
    now -= 3_600_000;
    assert.ok(await gate.waitForPlatform());
    assert.equal(slept, 1200);
  });

  test('a platform that names no time is given a second, then twice as long each time, up to a minute', () => {
    let now = 0;
    const gate = new SendGate({ concurrency: 1 }, { now: () => now, sleep: () => Promise.resolve() });
    const hold = (): number => {
      gate.hold();
      const wait = (gate.waitingUntil ?? NaN) - now;
      now += wait;
      return wait / 1000;
    };
    assert.deepEqual(Array.from({ length: 8 }, hold), [1, 2, 4, 8, 16, 32, 60, 60]);
    gate.resetBackoff();
    assert.equal(hold(), 1);
  });
});
