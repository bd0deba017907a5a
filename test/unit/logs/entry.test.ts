import assert from 'node:assert/strict';
import { formatRow } from '../../../src/logs/entry.ts';
import { at, row } from './entries.ts';

suite('log entries', () => {
  test('escapes formulas in copied rows, and leaves a missing time empty', () => {
    const more = {
      status: 'failed',
      action_alias: '=HYPERLINK("x")',
      error: '+1',
      fee: '0.5',
      affected_objects: [{ id: '@o' }],
    };
    assert.equal(formatRow(row('a', 1000, more)), `${at(1000)}\tfailed\t'=HYPERLINK("x")\t\t'@o\t0.5\t\t'+1`);
    assert.equal(formatRow(row('a', 1000, { when_created: undefined })), '\tcompleted\t\t\t\t\t\t');
  });
});
