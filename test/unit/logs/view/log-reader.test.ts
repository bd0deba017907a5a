import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { Services } from '../../../../src/commands/context.ts';
import { LogReader } from '../../../../src/logs/view/log-reader.ts';
import type { Session } from '../../../../src/model/session/session.ts';

suite('single action logs and batches', () => {
  teardown(() => mock.restoreAll());

  test('a batch that has not settled is read again after 5 s, also if the clock was set back', async () => {
    let count = 0;
    const session = {
      ended: new AbortController().signal,
      client: { read: () => Promise.resolve({ item: { raw: { id: 'b1', status: 'pending', count: ++count } } }) },
    } as unknown as Session;
    const reader = new LogReader({} as unknown as Services);
    await reader.readBatch(session, 'b1');
    await reader.readBatch(session, 'b1');
    assert.equal(count, 1);
    const [time, date] = [performance.now(), Date.now()];
    mock.method(Date, 'now', () => date - 3_600_000);
    mock.method(performance, 'now', () => time + 6000);
    await reader.readBatch(session, 'b1');
    assert.equal(count, 2);
  });
});
