/** The row of a run names its environment in words, PRODUCTION before everything else. */
import assert from 'node:assert/strict';
import { isDone, runWords, whereOf } from '../../../src/actions/run-words.ts';
import type { RunRecord } from '../../../src/actions/record.ts';
import { recordOf } from './support.ts';

const ended: RunRecord = {
  ...recordOf('{"action":{"burn":{"id":"a"}}}', 'sell'),
  phase: 'ended',
  outcome: 'completed',
  reason: 'Settled',
  started: 0,
  ended: 1500,
};

suite('the words of a run', () => {
  test('production comes first in what is seen, read aloud and hovered', () => {
    const { description, label, tooltip } = runWords({ ...ended, environment: 'production' });
    assert.match(description, /^PRODUCTION · Test · completed · .* · 1\.5 s$/);
    assert.equal(label, 'PRODUCTION · Test: sell, completed. Settled');
    assert.equal(tooltip[0], 'PRODUCTION · Test, http://127.0.0.1');
  });

  test('a completed run says why where it was interrupted, or its batch is not decided', () => {
    assert.equal(isDone(ended), true);
    assert.equal(isDone({ ...ended, batchId: 'bat_1', batchStatus: 'completed' }), true);
    assert.equal(isDone({ ...ended, batchId: 'bat_1', batchStatus: 'processing' }), false);
    assert.equal(isDone({ ...ended, interrupted: true }), false);
    assert.equal(isDone({ ...ended, outcome: 'failed' }), false);
  });

  test('elsewhere the outcome comes first, and the environment is named', () => {
    const { description, label } = runWords({ ...ended, environment: 'staging' });
    assert.match(description, /^completed · Staging · Test · /);
    assert.equal(label, 'sell, completed, on Staging · Test. Settled');
  });

  test('a record without a known environment or origin is no other environment', () => {
    assert.equal(whereOf(ended), 'This machine · Test');
    assert.equal(whereOf({ ...ended, origin: 'https://example.com' }), 'Environment not named · Test');
    assert.equal(whereOf({ ...ended, environment: 'moon', origin: 'nowhere' }), 'Environment not named · Test');
  });
});
