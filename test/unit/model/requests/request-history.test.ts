import assert from 'node:assert/strict';
import { MAX_HISTORY_BYTES, RequestHistory } from '../../../../src/model/requests/request-history.ts';
import type { RequestTrace } from '../../../../src/platform/requests/request-trace.ts';

/** A request for the object of that number, with a body of that many characters. */
function createTrace(number: number, characters: number): RequestTrace {
  const text = 'x'.repeat(characters);
  return {
    operation: 'GET /objects/{objectId}',
    method: 'GET',
    isRead: true,
    attempt: 1,
    startedAt: number,
    url: `https://api.example/objects/${number}`,
    timings: { queue: 0, connect: 1, wait: 2, receive: 3 },
    status: 200,
    size: characters,
    details: { requestHeaders: [], responseHeaders: [], responseBody: { text, size: characters, isCut: false } },
  };
}

suite('history of requests', () => {
  test('has the last 1,000 requests, the oldest first', () => {
    const history = new RequestHistory();
    for (let number = 0; number < 1234; number++) history.add(createTrace(number, 10));
    assert.equal(history.requests.length, 1000);
    assert.equal(history.requests[0]?.trace.startedAt, 234);
    assert.equal(history.requests.at(-1)?.trace.startedAt, 1233);
    assert.equal(new Set(history.requests.map(({ id }) => id)).size, 1000);
  });

  test('stays below 16 MB: the oldest requests lose their bodies, and none its row', () => {
    const history = new RequestHistory();
    let most = 0;
    for (let number = 0; number < 1500; number++) {
      history.add(createTrace(number, 64 * 1024));
      most = Math.max(most, history.bytes);
    }
    assert.equal(MAX_HISTORY_BYTES, 16 * 1024 * 1024);
    assert.ok(most <= MAX_HISTORY_BYTES, String(most));
    assert.equal(history.requests.length, 1000);
    const withBodies = history.requests.filter(({ trace }) => trace.details !== undefined);
    // 64 Ki characters are 128 KB.
    assert.ok(withBodies.length > 100 && withBodies.length < 128, String(withBodies.length));
    assert.deepEqual(withBodies, history.requests.slice(-withBodies.length));
    // What it counts is what it keeps.
    const characters = history.requests.reduce(
      (sum, { trace }) => sum + (trace.details?.responseBody?.text.length ?? 0),
      0,
    );
    assert.ok(history.bytes >= 2 * characters);
  });

  test('counts nothing once all requests were dropped', () => {
    const history = new RequestHistory();
    for (let number = 0; number < 2000; number++) history.add(createTrace(number, 100));
    history.clear();
    assert.equal(history.bytes, 0);
    assert.deepEqual(history.requests, []);
    history.add(createTrace(1, 100));
    assert.equal(history.requests.length, 1);
  });
});
