/** The limit of concurrent requests. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { ConcurrencyLimiter } from '../../../../src/platform/requests/concurrency-limiter.ts';

const isCancelled = (error: unknown) => error instanceof PlatformError && error.code === 'cancelled';

suite('concurrency limiter', () => {
  test('never more tasks at once than allowed, and all of them run', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.boolean(), { maxLength: 40 }),
        async (maxConcurrent, fates) => {
          const limiter = new ConcurrencyLimiter(maxConcurrent);
          let now = 0;
          let peak = 0;
          const results = await Promise.allSettled(
            fates.map((fails) =>
              limiter.run(async () => {
                peak = Math.max(peak, ++now);
                await Promise.resolve();
                now--;
                if (fails) throw new Error('fails');
              }),
            ),
          );
          assert.ok(peak <= maxConcurrent);
          assert.deepEqual(
            results.map(({ status }) => status === 'rejected'),
            fates,
          );
        },
      ),
    );
  });

  test('a waiting task can be cancelled and does not run', async () => {
    const limiter = new ConcurrencyLimiter(1);
    let release: () => void = () => assert.fail('not started');
    const holder = limiter.run(() => new Promise<void>((resolve) => (release = resolve)));
    const leaver = new AbortController();
    let ran = false;
    const waiting = limiter.run(() => {
      ran = true;
      return Promise.resolve();
    }, leaver.signal);
    leaver.abort();
    await assert.rejects(waiting, (error) => isCancelled(error) && (error as PlatformError).detail.sent === false);
    release();
    await holder;
    await limiter.run(() => Promise.resolve());
    assert.equal(ran, false);
  });

  test('a task that was cancelled before does not run, and its error says so', async () => {
    const limiter = new ConcurrencyLimiter(1);
    await assert.rejects(
      limiter.run(() => assert.fail('ran'), AbortSignal.abort()),
      (error) => error instanceof PlatformError && error.code === 'cancelled' && error.detail.sent === false,
    );
    assert.equal(await limiter.run(() => Promise.resolve(1)), 1);
  });
});
