import assert from 'node:assert/strict';
import { LogLookup } from '../../../../src/actions/follow/log-lookup.ts';
import { SignatureIndex } from '../../../../src/actions/follow/signature-index.ts';
import type { JournalRow } from '../../../../src/actions/bulk/journal/journal-format.ts';
import { systemClock } from '../../../../src/actions/run/run-platform.ts';

const REQUEST = { kind: 'update', values: [], signature: undefined };

/** Searches for the log of a row in vain. */
function search(row: JournalRow): JournalRow | undefined {
  const lookup = new LogLookup({
    time: systemClock,
    duration: 0,
    isKnown: () => false,
    signatures: new SignatureIndex(),
    getClockAhead: () => 0,
  });
  lookup.add(row, REQUEST);
  lookup.begin();
  return lookup.end(true)[0];
}

suite('search for the logs of rows without an answer', () => {
  test('the reason keeps its cause in full, however often the log is searched for', () => {
    const cause = 'Le serveur n’a pas répondu. Réessayez plus tard';
    const first = search({ row: 1, state: 'unknown', sentAt: 0, reason: cause });
    assert.equal(first?.reason, `${cause}. No action log was found`);
    assert.equal(search(first)?.reason, first.reason);
  });

  test('no status of a row that was searched in vain is a refusal', () => {
    for (const status of [200, 408, 409, 425, 499])
      assert.equal(search({ row: 1, state: 'unknown', status, sentAt: 0 })?.state, 'unknown');
  });
});
