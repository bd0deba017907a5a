import assert from 'node:assert/strict';
import { isFullyCompleted, formatRunRow, formatRunConnection } from '../../../../src/actions/history/run-row.ts';
import type { RunRecord } from '../../../../src/model/runs/run-record.ts';
import { createRecord } from '../support.ts';

const ended: RunRecord = {
  ...createRecord('{"action":{"burn":{"id":"a"}}}', 'sell'),
  phase: 'ended',
  outcome: 'completed',
  reason: 'Settled',
  started: 0,
  ended: 1500,
};

suite('row of a run', () => {
  test('production comes first in description, label and tooltip', () => {
    const { description, label, tooltip } = formatRunRow({ ...ended, environment: 'production' });
    assert.match(description, /^PRODUCTION · Test · completed · .* · 1\.5 s$/);
    assert.equal(label, 'PRODUCTION · Test: sell, completed. Settled');
    assert.equal(tooltip[0], 'PRODUCTION · Test, http://127.0.0.1');
  });

  test('a completed run shows its reason if it was interrupted or its batch is open', () => {
    assert.equal(isFullyCompleted(ended), true);
    assert.equal(isFullyCompleted({ ...ended, batchId: 'bat_1', batchStatus: 'completed' }), true);
    assert.equal(isFullyCompleted({ ...ended, batchId: 'bat_1', batchStatus: 'processing' }), false);
    assert.equal(isFullyCompleted({ ...ended, interrupted: true }), false);
    assert.equal(isFullyCompleted({ ...ended, outcome: 'failed' }), false);
  });

  test('outside production the outcome comes first, and the environment is shown', () => {
    const { description, label } = formatRunRow({ ...ended, environment: 'staging' });
    assert.match(description, /^completed · Staging · Test · /);
    assert.equal(label, 'sell, completed, on Staging · Test. Settled');
  });

  test('a record without a known environment or origin is no other environment', () => {
    assert.equal(formatRunConnection(ended), 'Local · Test');
    assert.equal(formatRunConnection({ ...ended, origin: 'https://example.com' }), 'Environment not set · Test');
    assert.equal(
      formatRunConnection({ ...ended, environment: 'moon', origin: 'nowhere' }),
      'Environment not set · Test',
    );
  });
});
