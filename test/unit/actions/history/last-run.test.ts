/** The text above an action about the last run of its file. */
import assert from 'node:assert/strict';
import { formatLastRun } from '../../../../src/actions/history/last-run.ts';
import { getChangedObjects, getRunDocumentPath } from '../../../../src/actions/history/run-documents.ts';
import { OBJECT_DELETED, type RunRecord } from '../../../../src/model/runs/run-record.ts';
import { formatTimestamp } from '../../../../src/model/text/time-format.ts';
import { createRecord } from '../support.ts';

const MINUTE = 60_000;
const ended: RunRecord = {
  ...createRecord('{"action":{"burn":{"id":"a"}}}', 'sell'),
  connection: 'Local Sandbox',
  phase: 'ended',
  outcome: 'completed',
  started: 0,
  ended: 1000,
};

suite('the last run of a file', () => {
  test('says outcome, age and connection', () => {
    const format = (change: Partial<RunRecord>): string[] => {
      const { icon, text } = formatLastRun({ ...ended, ...change }, 5900);
      return [icon, text];
    };
    assert.deepEqual(format({}), ['check', 'completed 4 s ago on Local Sandbox']);
    assert.deepEqual(format({ outcome: 'failed' }), ['error', 'failed 4 s ago on Local Sandbox']);
    assert.deepEqual(format({ outcome: 'unknown' }), ['question', 'outcome unknown 4 s ago on Local Sandbox']);
    assert.deepEqual(format({ outcome: 'notSent' }), ['circle-slash', 'not sent 4 s ago on Local Sandbox']);
    assert.deepEqual(format({ probable: true }), ['check', 'probably completed 4 s ago on Local Sandbox']);
    assert.deepEqual(format({ connection: 'Live', environment: 'production' }), [
      'check',
      'completed 4 s ago on Live (PRODUCTION)',
    ]);
  });

  test('a run under way says how far it is, also while its batch is open, and does not age', () => {
    const { ended: _ended, outcome: _outcome, ...open } = ended;
    assert.deepEqual(formatLastRun({ ...open, phase: 'sending' }, 9000), {
      icon: 'loading~spin',
      text: 'running on Local Sandbox: sending',
    });
    const waiting = { ...open, phase: 'following', outcome: 'completed', logStatus: 'completed' } as const;
    assert.equal(
      formatLastRun({ ...waiting, batchStatus: 'processing' }, 9000).text,
      'running on Local Sandbox: log completed, batch processing',
    );
  });

  test('an age is valid until it would read differently; seconds are counted in steps', () => {
    const format = (age: number): unknown => {
      const { text, validFor } = formatLastRun(ended, 1000 + age);
      return [/completed (.*) on/.exec(text)?.[1], validFor];
    };
    assert.deepEqual(format(-500), ['0 s ago', 5000]);
    assert.deepEqual(format(12_300), ['12 s ago', 2700]);
    assert.deepEqual(format(3 * MINUTE + 1), ['3 min ago', MINUTE - 1]);
    assert.deepEqual(format(119 * MINUTE), ['1 h ago', MINUTE]);
    const [date, validFor] = format(50 * 60 * MINUTE) as readonly unknown[];
    assert.equal(date, formatTimestamp(1000, 1000 + 50 * 60 * MINUTE));
    assert.equal(validFor, undefined);
  });

  test('a hostile name of a connection stays one short line', () => {
    const { text } = formatLastRun({ ...ended, connection: `a\n\u202e${'b'.repeat(500)}` }, 1000);
    assert.doesNotMatch(text, /[\n\u202e]/);
    assert.ok(text.length < 130);
  });

  test('changed objects are those of which both sides are known and differ', () => {
    const affected = [
      { id: 'obj_changed', before: '1', after: '2' },
      { id: 'obj_same', before: '1', after: '1' },
      { id: 'obj_new', created: true, after: '1' },
      { id: 'obj_not_read_before', after: '1' },
      { id: 'obj_not_read_after', before: '1' },
      { id: 'obj_deleted', before: '1', note: OBJECT_DELETED },
      { id: 'obj_not_read' },
    ];
    const run = { ...ended, affected };
    assert.deepEqual(getChangedObjects(run), [0, 2, 5]);
    assert.deepEqual(getChangedObjects({ ...run, phase: 'following' }), [], 'what is missing may still be read');
    assert.match(
      getRunDocumentPath(run, 'after', 2, 'Harbour Ticket · A/1 #7'),
      /\/Harbour Ticket · A_1 #7 after\.json$/,
      'a list of differences names the objects',
    );
  });
});
