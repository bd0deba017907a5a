import assert from 'node:assert/strict';
import { LogLookup } from '../../../../src/actions/bulk/follow/log-lookup.ts';
import { SignatureIndex } from '../../../../src/actions/bulk/follow/signature-index.ts';
import type { JournalRow } from '../../../../src/actions/bulk/journal/journal-format.ts';
import { systemClock } from '../../../../src/actions/run/run-platform.ts';

const REQUEST = { kind: 'update', values: [] };

/** Searches for the log of a row in vain. */
function search(row: JournalRow): JournalRow | undefined {
  const lookup = new LogLookup({
    time: systemClock,
    duration: 0,
    knownActions: new Set(),
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

  test('a refused row has the cause alone as its reason', () => {
    const cause = 'HTTP 409: sold out. Try another';
    const first = search({ row: 1, state: 'unknown', status: 500, sentAt: 0, reason: cause });
    assert.ok(first !== undefined);
    const refused = search({ ...first, status: 409 });
    assert.deepEqual([refused?.state, refused?.reason], ['refused', cause]);
  });
});
