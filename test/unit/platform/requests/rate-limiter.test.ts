/** How long callers wait, by a clock that only waiting moves. */
import assert from 'node:assert/strict';
import { RateLimiter } from '../../../../src/platform/requests/rate-limiter.ts';

suite('rate limiter', () => {
  let time: number;
  let waits: number[];
  let fails: boolean;

  setup(() => {
    time = 1000;
    waits = [];
    fails = false;
  });

  const create = (perSecond: number, burst: number): RateLimiter =>
    new RateLimiter({
      perSecond,
      burst,
      now: () => time,
      sleep: (milliseconds) => {
        waits.push(milliseconds);
        return fails ? Promise.reject(new Error('cancelled')) : Promise.resolve();
      },
    });

  test('a burst does not wait, each one after it waits an interval more', async () => {
    const limiter = create(10, 3);
    for (let call = 0; call < 6; call++) await limiter.acquire();
    assert.deepEqual(waits, [100, 200, 300]);
  });

  test('after an idle period the burst is whole again, and no larger', async () => {
    const limiter = create(10, 3);
    for (let call = 0; call < 5; call++) await limiter.acquire();
    time += 60_000;
    waits = [];
    for (let call = 0; call < 4; call++) await limiter.acquire();
    assert.deepEqual(waits, [100]);
  });

  test('time that passed is not waited again', async () => {
    const limiter = create(10, 1);
    await limiter.acquire();
    time += 60;
    await limiter.acquire();
    assert.deepEqual(waits, [40]);
  });

  test('who gives up while waiting takes no turn', async () => {
    const limiter = create(10, 1);
    await limiter.acquire();
    fails = true;
    await assert.rejects(limiter.acquire(), /cancelled/);
    fails = false;
    await limiter.acquire();
    assert.deepEqual(waits, [100, 100]);
  });

  test('the signal ends the wait', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const limiter = new RateLimiter({
      perSecond: 1,
      burst: 0,
      now: () => 0,
      sleep: (_milliseconds, signal) => Promise.resolve(void signals.push(signal)),
    });
    const { signal } = new AbortController();
    await limiter.acquire(signal);
    assert.deepEqual(signals, [signal]);
  });
});
