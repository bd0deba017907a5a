import assert from 'node:assert/strict';
import { formatTestOutput, formatTestResult } from '../../../../src/actions/testing/format-test-result.ts';
import type { TestCase } from '../../../../src/actions/testing/test-cases.ts';
import { createRecord } from '../support.ts';

suite('actions: output of a test', () => {
  test('the last line of a failed test is what was expected, not the completed action', () => {
    const testCase: TestCase = {
      name: 'mint',
      path: '/mint.action.json',
      text: '{}',
      expect: {},
      location: { path: '', offset: 0, text: '' },
    };
    const run = { ...createRecord('{}'), outcome: 'completed', reason: 'The action completed' } as const;
    const mismatch = { path: 'custom.event', expected: '"concert"', actual: '"fair"' };
    assert.deepEqual(formatTestOutput(testCase, run, [mismatch]), [
      'mint: completed. The action completed',
      '✗ custom.event: expected "concert", got "fair"',
    ]);
    assert.equal(formatTestOutput(testCase, run, []).length, 1);
    const ended = { ...run, phase: 'ended' as const, ended: run.started + 2000 };
    assert.equal(formatTestResult(testCase, ended, []), 'ok    mint: completed (2 s)');
    assert.equal(formatTestResult(testCase, ended, [mismatch]), 'FAIL  mint: completed (2 s)');
  });
});
