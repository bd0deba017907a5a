/** When the next request is sent: polls against pages that the test hands out, on a clock that it moves. */
import assert from 'node:assert/strict';
import { LogBuffer } from '../../../../src/logs/stream/buffer.ts';
import { Tail } from '../../../../src/logs/stream/tail.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { readPage, type Page } from '../../../../src/platform/page.ts';
import { actionLogs } from '../../../../src/platform/resources/action-logs.ts';
import { at } from '../entries.ts';

const START = Date.parse('2026-03-02T10:00:00Z');

suite('waits between polls', () => {
  const page = (ids: readonly string[], next?: string): Page =>
    readPage(actionLogs.list, actionLogs.schema, {
      action_logs: ids.map((id) => ({ id, status: 'completed', when_created: at(START) })),
      next,
    });
  const error = new Error('broken off');
  const requestsToWait = (retryAfter: number): Error => new PlatformError('rateLimited', '', { retryAfter });

  /** Polls once for each of the results of `respond`. Resolves to the waits after them, in milliseconds. */
  async function getWaits(
    polls: number,
    respond: (poll: number, cursor: unknown, tail: Tail) => Page | Error,
    interval = 3000,
  ): Promise<number[]> {
    const stop = new AbortController();
    const waits: number[] = [];
    let now = START;
    const tail = new Tail({
      connection: 'Test',
      read: (query) => {
        const result = respond(waits.length, query['next'], tail);
        return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
      },
      query: {},
      pageSize: 100,
      dateResolution: 1,
      interval,
      from: START,
      buffer: new LogBuffer(),
      serverNow: () => now,
      changed: () => undefined,
      clock: {
        now: () => now,
        after: () => () => undefined,
        sleep(milliseconds) {
          waits.push(milliseconds);
          if (waits.length === polls) stop.abort();
          now += milliseconds;
          return Promise.resolve();
        },
      },
    });
    await tail.run(stop.signal);
    return waits;
  }

  test('grow while nothing new comes, to 20 s or the interval, and start over with a new entry', async () => {
    const waits = await getWaits(9, (poll) => page(poll < 7 ? [] : ['new']));
    assert.deepEqual(waits, [4500, 6750, 10_125, 15_187.5, 20_000, 20_000, 20_000, 3000, 4500]);
    assert.deepEqual(await getWaits(2, () => page([]), 60_000), [60_000, 60_000]);
  });

  test('double after failures, to 20 s, and start over after a success; Retry-After counts for at most a minute', async () => {
    const results = [error, error, error, page([]), error, requestsToWait(45_000), requestsToWait(7_200_000)];
    const waits = await getWaits(results.length, (poll) => results[poll] ?? error);
    assert.deepEqual(waits, [6000, 12_000, 20_000, 4500, 6000, 45_000, 60_000]);
  });

  test('start over after a poll that read a page before it failed', async () => {
    const waits = await getWaits(4, (poll, cursor) =>
      poll === 2 && cursor === undefined ? page(['first'], 'second') : error,
    );
    assert.deepEqual(waits, [6000, 12_000, 6000, 12_000]);
  });

  test('end with a Refresh during a failing poll, except those of Retry-After; scrolling does not end them', async () => {
    const waits = await getWaits(3, (poll, _cursor, tail) => {
      if (poll === 0) tail.readOlder(50);
      else tail.refresh();
      return poll < 2 ? error : requestsToWait(700);
    });
    assert.deepEqual(waits, [6000, 0, 700]);
  });
});
