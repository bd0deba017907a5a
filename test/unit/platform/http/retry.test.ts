/** Retries: which errors, how often, and after how long. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PlatformError, type ErrorCode, type ErrorDetail } from '../../../../src/platform/errors.ts';
import { PollMemory, runPoll } from '../../../../src/platform/http/poll.ts';
import {
  getRetryDelay,
  isRetryable,
  parseRetryAfter,
  withRetry,
  type RetryOptions,
} from '../../../../src/platform/http/retry.ts';

const error = (code: ErrorCode, detail: ErrorDetail = {}): PlatformError => new PlatformError(code, code, detail);
const lost = error('network');
const NOW = Date.UTC(2026, 0, 31, 23, 59, 50);

suite('retry', () => {
  test('429, 500, 502, 503, 504 and lost connections are retried', () => {
    for (const status of [500, 502, 503, 504]) assert.equal(isRetryable(error('server', { status })), true);
    assert.equal(isRetryable(error('rateLimited', { status: 429 })), true);
    assert.equal(isRetryable(lost), true);
    assert.equal(isRetryable(error('network', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) })), true);
  });

  test('other errors are not retried', () => {
    const codes: readonly ErrorCode[] = [
      'timeout',
      'cancelled',
      'unauthenticated',
      'forbidden',
      'notFound',
      'badRequest',
      'notJson',
      'tooLarge',
      'contract',
    ];
    for (const code of codes) assert.equal(isRetryable(error(code, { status: 503 })), false, code);
    assert.equal(isRetryable(error('server', { status: 501 })), false);
    assert.equal(isRetryable(error('server')), false);
    assert.equal(isRetryable(new Error('network')), false);
    for (const code of ['CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN', 'PROXY_AUTHENTICATION']) {
      assert.equal(isRetryable(error('network', { cause: Object.assign(new Error(), { code }) })), false, code);
    }
  });

  test('the wait doubles, has jitter, and respects Retry-After', () => {
    const highest = [1, 2, 3, 9].map((attempt) => getRetryDelay(attempt, lost, () => 1));
    assert.deepEqual(highest, [300, 600, 1200, 5000]);
    assert.equal(
      getRetryDelay(1, lost, () => 0),
      150,
    );
    assert.equal(
      getRetryDelay(1, error('rateLimited', { retryAfter: 7000 }), () => 0),
      7150,
    );
    assert.equal(
      getRetryDelay(2, error('rateLimited', { retryAfter: 7000 }), () => 0.5),
      7450,
    );
    assert.equal(
      getRetryDelay(2, error('rateLimited', { retryAfter: 60_000 }), () => 1),
      60_000,
    );
  });

  test('Retry-After as seconds and as all three forms of a date', () => {
    const cases: readonly [string | undefined, number | undefined][] = [
      ['0', 0],
      [' 7 ', 7000],
      ['61', 61_000],
      ['99999999999999999999999', 86_400_000],
      ['Sun, 01 Feb 2026 00:00:00 GMT', 10_000],
      ['Sunday, 01-Feb-26 00:00:00 GMT', 10_000],
      ['Sat, 31 Jan 2026 23:59:00 GMT', 0],
      ['Mon, 02 Feb 2026 00:00:00 GMT', 86_400_000],
      [undefined, undefined],
      ['', undefined],
      ['-1', undefined],
      ['1.5', undefined],
      ['1e3', undefined],
      ['0x10', undefined],
      ['soon', undefined],
      ['Soon 5', undefined],
      ['Sunday 5', undefined],
      ['2026-02-01', undefined],
      ['Sun, 99 Foo 2026 00:00:00 GMT', undefined],
    ];
    for (const [value, wait] of cases) assert.equal(parseRetryAfter(value, NOW), wait, value);
  });

  test('a date without a zone is GMT in every local time zone', () => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Asia/Tokyo';
    assert.equal(parseRetryAfter('Sun Feb  1 00:00:00 2026', NOW), 10_000);
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  test('property: seconds and dates agree, invalid values never throw, the maximum applies', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), (seconds) => {
        const date = new Date(NOW + seconds * 1000).toUTCString();
        assert.equal(parseRetryAfter(date, NOW), parseRetryAfter(String(seconds), NOW));
      }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.date().map(String), fc.double().map(String)), (value) => {
        const wait = parseRetryAfter(value, NOW);
        assert.ok(wait === undefined || (wait >= 0 && wait <= 86_400_000));
      }),
    );
    fc.assert(
      fc.property(
        fc.nat(20),
        fc.option(fc.nat(60_000)),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, retryAfter, part) => {
          const wait = getRetryDelay(
            attempt + 1,
            error('server', retryAfter === null ? {} : { retryAfter }),
            () => part,
          );
          assert.ok(wait >= (retryAfter ?? 0) && wait <= 60_000);
        },
      ),
    );
  });

  suite('withRetry', () => {
    /** Fails that many times, then resolves to the number of the attempt. */
    const failing = (times: number, reason: Error = lost) => {
      const tries: number[] = [];
      const run = (attempt: number): Promise<number> => {
        tries.push(attempt);
        return attempt <= times ? Promise.reject(reason) : Promise.resolve(attempt);
      };
      return { tries, run };
    };
    const options = (more: Partial<RetryOptions> = {}): RetryOptions & { readonly waits: number[] } => {
      const waits: number[] = [];
      const sleep = (milliseconds: number): Promise<void> => {
        waits.push(milliseconds);
        return Promise.resolve();
      };
      return { repeatable: true, sleep, random: () => 0.5, waits, ...more };
    };

    test('resolves to the first success', async () => {
      const { tries, run } = failing(2);
      const settings = options();
      assert.equal(await withRetry(run, settings), 3);
      assert.deepEqual(
        [tries, settings.waits],
        [
          [1, 2, 3],
          [225, 450],
        ],
      );
    });

    test('stops after three attempts with the last error', async () => {
      const { tries, run } = failing(9);
      await assert.rejects(withRetry(run, options()), lost);
      assert.equal(tries.length, 3);
    });

    test('attempts only once if not repeatable or not retryable, and in a poll, which comes again', async () => {
      const once = failing(9);
      await assert.rejects(withRetry(once.run, options({ repeatable: false })), lost);
      const timeout = failing(9, error('timeout'));
      await assert.rejects(withRetry(timeout.run, options()), /timeout/);
      const poll = failing(9);
      await assert.rejects(
        runPoll(new PollMemory(), () => withRetry(poll.run, options())),
        lost,
      );
      assert.deepEqual([once.tries, timeout.tries, poll.tries], [[1], [1], [1]]);
    });

    test('calls onRetry before each wait', async () => {
      const calls: unknown[] = [];
      const { run } = failing(1, error('rateLimited', { status: 429, retryAfter: 1000 }));
      await withRetry(
        run,
        options({
          onRetry: (...args) => calls.push(args.map((part) => (part instanceof Error ? part.message : part))),
        }),
      );
      assert.deepEqual(calls, [[1, 'rateLimited', 1225]]);
    });

    test('the real wait ends when cancelled, and nothing runs after it', async () => {
      const stop = new AbortController();
      const { tries, run } = failing(9, error('rateLimited', { status: 429, retryAfter: 60_000 }));
      const running = withRetry(run, {
        repeatable: true,
        signal: stop.signal,
        onRetry: () =>
          setImmediate(() => {
            stop.abort();
          }),
      });
      await assert.rejects(running, (reason) => reason instanceof PlatformError && reason.code === 'cancelled');
      assert.deepEqual(tries, [1]);
      const late = failing(9);
      await assert.rejects(withRetry(late.run, { repeatable: true, signal: stop.signal }), lost);
      assert.equal(late.tries.length, 1);
    });

    test('the real wait passes', async () => {
      const { run } = failing(1);
      assert.equal(
        await withRetry(run, { repeatable: true, random: () => 0.001, signal: new AbortController().signal }),
        2,
      );
    });
  });
});
