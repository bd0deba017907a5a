/** What becomes of rows whose log is searched for. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { systemClock } from '../../../../../src/model/clock.ts';
import type { JournalRow } from '../../../../../src/actions/bulk/journal/journal-format.ts';
import { RowFollower } from '../../../../../src/actions/bulk/send/row-follower.ts';
import { SignatureIndex } from '../../../../../src/actions/bulk/rows/signature-index.ts';
import { shortLimits } from '../../support.ts';
import { formatText } from '../../../../../src/platform/text/message.ts';

const REQUEST = { kind: 'update', values: [], signature: undefined };
/** A list without pages. */
const logPages = () => Readable.from([]);
const refuse = (): Promise<never> => Promise.reject(new Error('not now'));

/** Searches for the log of a row in vain. */
async function search(row: JournalRow): Promise<JournalRow> {
  const results: JournalRow[] = [];
  const follower = new RowFollower({
    platform: { execute: refuse, object: refuse, batch: refuse, logs: refuse, logPages },
    time: systemClock,
    limits: shortLimits,
    searchDuration: 0,
    followsLedgerBatches: true,
    knownActions: new Set(),
    isKnown: () => false,
    signatures: new SignatureIndex(),
    report: (result) => results.push(result),
  });
  follower.follow(row, REQUEST);
  await follower.waitUntilIdle();
  return results[0] ?? assert.fail();
}

suite('search for the logs of rows without an answer', () => {
  test('the reason keeps its cause in full, however often the log is searched for', async () => {
    const cause = 'Le serveur n’a pas répondu. Réessayez plus tard';
    const first = await search({ row: 1, state: 'unknown', sentAt: 0, reason: cause });
    assert.equal(formatText(first.reason ?? ''), `${cause}. No action log was found`);
    assert.deepEqual((await search(first)).reason, first.reason);
  });

  test('no status of a row that was searched in vain is a refusal', async () => {
    for (const status of [200, 408, 409, 425, 499])
      assert.equal((await search({ row: 1, state: 'unknown', status, sentAt: 0 })).state, 'unknown');
  });
});
