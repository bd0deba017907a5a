import assert from 'node:assert/strict';
import { FailureReasons } from '../../../../src/logs/view/failure-reasons.ts';
import type { LogRow } from '../../../../src/webviews/protocol/logs.ts';
import { row } from '../entries.ts';

const always = (): boolean => true;

suite('failure reasons', () => {
  const failed = (id: string, time: number, more: object): LogRow => row(id, time, { status: 'failed', ...more });

  test('prefers the error of the run step, then of the batch, then of the log', async () => {
    const rows = [
      failed('step', 1, { batch_id: 'b1', error: 'of the log' }),
      failed('batch', 2, { batch_id: 'b1', error: 'of the log' }),
      failed('log', 3, { batch_id: 'b2', error: 'of the log' }),
      failed('none', 4, { batch_id: 'b3' }),
      row('well', 5, { batch_id: 'b1' }),
    ];
    const read: string[] = [];
    let now = 0;
    const reasons = new FailureReasons({
      runs: () =>
        Promise.resolve([
          {
            id: 'run1',
            label: 'mint.action.json · 0123abcd',
            connection: 'Test',
            actionId: 'step',
            steps: [{ action: 'mint' }, { action: 'burn', error: 'of the step' }],
          },
          {
            id: 'run2',
            label: 'other',
            connection: 'Other',
            actionId: 'none',
            steps: [{ action: 'mint', error: 'another platform' }],
          },
        ]),
      readBatch: (_connection, id) => {
        read.push(id);
        if (id === 'b3') return Promise.resolve('The batch could not be read');
        return Promise.resolve(id === 'b1' ? { status: 'failed', error: 'of the batch' } : { status: 'completed' });
      },
      now: () => now,
    });
    const changed = await reasons.update(rows, always);
    assert.deepEqual(
      rows.map((one) => reasons.withReason(one)).map(({ message, reasonSource: reasonFrom }) => [message, reasonFrom]),
      [
        ['of the step', 'step'],
        ['of the batch', 'batch'],
        ['of the log', 'log'],
        ['', undefined],
        ['', undefined],
      ],
    );
    assert.deepEqual(
      rows.map((one) => reasons.withReason(one).run?.label),
      ['mint.action.json · 0123abcd', undefined, undefined, undefined, undefined],
    );
    assert.deepEqual(changed, ['Test\nstep', 'Test\nbatch', 'Test\nnone']);
    assert.deepEqual(read.sort(), ['b1', 'b2', 'b3']);
    // Settled batches are not read again; unreadable ones are, later.
    await reasons.update(rows, always);
    now = 60_000;
    await reasons.update(rows, always);
    assert.deepEqual(read.sort(), ['b1', 'b2', 'b3', 'b3']);
  });

  test('reads a few hundred batches at most, the newest first, and stops when it is told to', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => failed(`l${index}`, index, { batch_id: `b${index}` }));
    const read: string[] = [];
    const reasons = new FailureReasons({
      runs: () => Promise.resolve([]),
      readBatch: (_connection, id) => {
        read.push(id);
        return Promise.resolve({ status: 'failed', error: `of ${id}` });
      },
      now: () => 0,
    });
    await reasons.update(rows, () => read.length < 5);
    assert.deepEqual(read, ['b999', 'b998', 'b997', 'b996', 'b995']);
    for (let update = 0; update < 50; update++) await reasons.update(rows, always);
    assert.equal(new Set(read).size, 200);
    assert.equal(read.length, 200);
    // An older one says that its reason was not read, until it is selected.
    const [oldest = assert.fail()] = rows;
    assert.equal(reasons.withReason(oldest).reasonUnread, true);
    await reasons.update([oldest], always);
    assert.equal(reasons.withReason(oldest).message, 'of b0');
    assert.equal(read.at(-1), 'b0');
  });
});
