/** Requests in flight that share a response. */
import assert from 'node:assert/strict';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { SharedRequests } from '../../../../src/platform/requests/shared-requests.ts';

const isCancelled = (error: unknown) => error instanceof PlatformError && error.code === 'cancelled';

suite('shared requests', () => {
  test('equal keys share one response; a later one sends another request', async () => {
    const flights = new SharedRequests<number>();
    let started = 0;
    const start = () => Promise.resolve(++started);
    assert.deepEqual(
      await Promise.all([flights.join('a', undefined, start), flights.join('a', undefined, start)]),
      [1, 1],
    );
    assert.equal(await flights.join('a', undefined, start), 2);
  });

  test('cancelling one caller does not affect the others; cancelling the last one ends the request', async () => {
    const flights = new SharedRequests<string>();
    let finish: (value: string) => void = () => assert.fail('not started');
    let stopped = false;
    const start = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => (stopped = true));
      return new Promise<string>((resolve) => (finish = resolve));
    };
    const [one, two] = [new AbortController(), new AbortController()];
    const first = flights.join('a', one.signal, start);
    const second = flights.join('a', two.signal, start);
    one.abort();
    await assert.rejects(first, isCancelled);
    assert.equal(stopped, false);
    finish('done');
    assert.equal(await second, 'done');
    const third = flights.join('b', one.signal, start);
    await assert.rejects(third, isCancelled);
    const last = new AbortController();
    const fourth = flights.join('b', last.signal, start);
    last.abort();
    await assert.rejects(fourth, isCancelled);
    assert.equal(stopped, true);
  });

  test('a new caller does not join a request that all callers have cancelled', async () => {
    const flights = new SharedRequests<number>();
    let started = 0;
    const never = () => {
      started++;
      return new Promise<number>(() => undefined);
    };
    const leaver = new AbortController();
    const left = flights.join('a', leaver.signal, never);
    leaver.abort();
    await assert.rejects(left, isCancelled);
    assert.equal(await flights.join('a', undefined, () => Promise.resolve(7)), 7);
    assert.equal(started, 1);
  });

  test('a caller that cancelled before sends nothing, and its error says so', async () => {
    const flights = new SharedRequests<number>();
    await assert.rejects(
      flights.join('a', AbortSignal.abort(), () => assert.fail('started')),
      (error) => isCancelled(error) && error instanceof PlatformError && error.detail.sent === false,
    );
  });

  test('a signal that fires after the response changes nothing for later callers', async () => {
    const flights = new SharedRequests<number>();
    const cancel = new AbortController();
    await flights.join('a', cancel.signal, () => Promise.resolve(1));
    let stopped = false;
    const later = flights.join('a', undefined, (signal) => {
      signal.addEventListener('abort', () => (stopped = true));
      return new Promise((resolve) => setImmediate(resolve, 2));
    });
    cancel.abort();
    assert.deepEqual([await later, stopped], [2, false]);
  });
});
