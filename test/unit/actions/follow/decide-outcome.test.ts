/** What a log, its batch and the steps of the response decide, and what of them a record keeps. */
import assert from 'node:assert/strict';
import { decideOutcome, getSnapshotFields } from '../../../../src/actions/follow/decide-outcome.ts';
import type { FollowSnapshot } from '../../../../src/actions/follow/snapshot.ts';
import type { RunStep } from '../../../../src/model/runs/run-record.ts';
import { formatText, stored } from '../../../../src/platform/text/message.ts';

const snapshot: FollowSnapshot = { stage: 'log', possible: [], isConclusive: true, isFinished: true };

suite('the outcome of an action', () => {
  const decide = (change: Partial<FollowSnapshot>, steps: readonly RunStep[] = []): readonly unknown[] => {
    const { outcome, reason, reasonFrom } = decideOutcome({ ...snapshot, ...change }, steps);
    return [outcome, formatText(reason), reasonFrom];
  };

  test('a failed step counts before the log', () => {
    const steps = [{ action: 'mint' }, { action: 'drop', error: 'no place' }];
    const reason = 'no place (step 2 of 2, drop). Succeeded: 1 (mint)';
    assert.deepEqual(decide({ logStatus: 'completed', batchStatus: 'completed' }, steps), ['failed', reason, 'step']);
    assert.deepEqual(decide({ logStatus: 'completed', batchStatus: 'completed' }, steps.slice(0, 1)), [
      'completed',
      'The action and its batch completed',
      undefined,
    ]);
  });

  test('a completed action, before and after its batch', () => {
    const note = stored('Not permitted');
    const completed = (change: Partial<FollowSnapshot>): unknown => {
      const [outcome, reason, from] = decide({ logStatus: 'completed', ...change });
      assert.deepEqual([outcome, from], ['completed', undefined]);
      return reason;
    };
    assert.equal(completed({}), 'The action completed. Its batch has not completed yet');
    assert.equal(completed({ batchStatus: 'proving' }), 'The action completed. Its batch has not completed yet');
    assert.equal(completed({ batchStatus: 'completed', note }), 'The action and its batch completed');
    assert.equal(completed({ batchStatus: 'finalized' }), 'The action completed. Batch status: finalized');
    assert.equal(completed({ note }), 'The action completed. Not permitted');
  });

  test('a failure of the log or of its batch, with the first reason that the platform gives', () => {
    const log = { error_message: 'no supply' };
    const batch = { error: { message: 'out of gas' } };
    for (const [change, reason, from] of [
      [{ logStatus: 'failed', log, batch }, 'out of gas (from the batch)', 'batch'],
      [{ logStatus: 'failed', log, batch: {} }, 'no supply (from `error_message` of the action log)', 'log'],
      [{ logStatus: 'failed', log: {} }, 'The action failed. The platform gave no reason', undefined],
      [{ logStatus: 'failed' }, 'The action failed. The platform gave no reason', undefined],
      [{ logStatus: 'completed', batchStatus: 'failed', log, batch }, 'out of gas (the batch failed)', 'batch'],
      [
        { logStatus: 'completed', batchStatus: 'failed', log },
        'no supply (the batch failed; from `error_message` of the action log)',
        'log',
      ],
      [{ logStatus: 'pending', batchStatus: 'failed' }, 'The batch failed. The platform gave no reason', undefined],
    ] as const)
      assert.deepEqual(decide(change), ['failed', reason, from], JSON.stringify(change));
  });

  test('an unknown or pending status never counts as completed', () => {
    const unfinished = 'Accepted, but the last known status of the action log was';
    assert.deepEqual(decide({}), ['unfinished', 'Accepted, but no action log was found', undefined]);
    assert.deepEqual(decide({ logStatus: 'pending' }), ['unfinished', `${unfinished} pending`, undefined]);
    assert.deepEqual(decide({ logStatus: 'Completed!', note: stored('Timed out') }), [
      'unfinished',
      `${unfinished} Completed!. Timed out`,
      undefined,
    ]);
    assert.deepEqual(decide({ batchStatus: 'completed' }).slice(0, 1), ['unfinished']);
  });
});

suite('what a record keeps of a snapshot', () => {
  test('ids, statuses and texts; a hash of zeros is none', () => {
    const log = { id: 'act_1', batch_id: 'bat_1' };
    const batch = { l1_tx_hash: '', l2_tx_hash: '0x12' };
    const now: FollowSnapshot = {
      ...snapshot,
      probable: true,
      log,
      logStatus: 'completed',
      batch,
      batchStatus: 'finalized',
      possible: [
        { id: 'act_1', log: { ...log, status: 'completed', signer: '0xab', when_created: 7 }, quality: 'kind' },
      ],
    };
    assert.deepEqual(getSnapshotFields(now, snapshot), {
      note: '',
      probable: true,
      log: '{\n  "id": "act_1",\n  "batch_id": "bat_1"\n}',
      logStatus: 'completed',
      logId: 'act_1',
      batchId: 'bat_1',
      batch: '{\n  "l1_tx_hash": "",\n  "l2_tx_hash": "0x12"\n}',
      batchStatus: 'finalized',
      transaction: '0x12',
      possible: [
        {
          id: 'act_1',
          sameParams: false,
          text: '{\n  "id": "act_1",\n  "batch_id": "bat_1",\n  "status": "completed",\n  "signer": "0xab",\n  "when_created": 7\n}',
          status: 'completed',
          signer: '0xab',
        },
      ],
    });
    assert.deepEqual(getSnapshotFields(snapshot, snapshot), { note: '' });
    const getHash = (hashes: object): unknown =>
      getSnapshotFields({ ...snapshot, batch: { ...hashes } }, snapshot).transaction;
    assert.equal(getHash({ l1_tx_hash: '0xab', l2_tx_hash: '0xcd' }), '0xab');
    for (const none of ['0x0000', '000', '0x', 7]) assert.equal(getHash({ l1_tx_hash: none }), undefined, String(none));
    assert.equal(getHash({ l1_tx_hash: '0x00100' }), '0x00100');
  });

  test('only what changed is formatted again', () => {
    const now: FollowSnapshot = { ...snapshot, log: { id: 'act_1' }, batch: { id: 'bat_1' }, logStatus: 'pending' };
    assert.deepEqual(getSnapshotFields({ ...now }, now), { note: '', logId: 'act_1', logStatus: 'pending' });
  });

  test('the note of a search tells how far it is', () => {
    const getNote = (change: Partial<FollowSnapshot>): string =>
      formatText(getSnapshotFields({ ...snapshot, ...change }, snapshot).note ?? '');
    const possible = [{ id: 'a', log: {}, quality: 'kind' }] as const;
    assert.equal(getNote({ stage: 'search', isFinished: false }), 'Searching for its action log');
    assert.equal(getNote({ stage: 'search' }), 'No action log was found');
    assert.equal(getNote({ stage: 'search', possible }), '');
    assert.equal(getNote({ stage: 'search', note: stored('Offline') }), 'Offline');
    assert.equal(getNote({ stage: 'log', isFinished: false }), '');
    assert.equal(getNote({ stage: 'log', note: stored('Offline') }), 'Offline');
  });
});
