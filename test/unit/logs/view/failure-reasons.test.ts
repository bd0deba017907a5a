import assert from 'node:assert/strict';
import { FailureReasons } from '../../../../src/logs/view/failure-reasons.ts';
import type { LogRow } from '../../../../src/webviews/protocol/logs.ts';
import { row } from '../entries.ts';

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
    const changed: string[] = [];
    let now = 0;
    const reasons = new FailureReasons({
      runs: () =>
        Promise.resolve([
          {
            connection: 'Test',
            actionId: 'step',
            steps: [{ action: 'mint' }, { action: 'burn', error: 'of the step' }],
          },
          {
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
      changed: (keys) => changed.push(...keys),
    });
    await reasons.update(rows);
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
    assert.deepEqual(changed, ['Test\nstep', 'Test\nbatch']);
    assert.deepEqual(read.sort(), ['b1', 'b2', 'b3']);
    // Settled batches are not read again; unreadable ones are, later.
    await reasons.update(rows);
    now = 60_000;
    await reasons.update(rows);
    assert.deepEqual(read.sort(), ['b1', 'b2', 'b3', 'b3']);
  });
});
