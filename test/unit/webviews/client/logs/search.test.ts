import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LogRow } from '../../../../../src/webviews/protocol/logs.ts';
import { getSearchText, parseSearch, splitMatches } from '../../../../../src/webviews/client/logs/table/search.ts';

suite('search in logs', () => {
  test('matches all terms, keeps quoted ones together, and splits a text without loss', () => {
    assert.ok(parseSearch('MINT fail').matches('failed mint'));
    assert.ok(!parseSearch('"mint fail"').matches('failed mint'));
    assert.ok(parseSearch('  ').empty);
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, search) => {
        const parts = splitMatches(text, parseSearch(search));
        assert.equal(parts.map((part) => part.text).join(''), text);
      }),
    );
    assert.deepEqual(splitMatches('A mint of mints', parseSearch('mint')).filter(({ hit }) => hit).length, 2);
  });

  test('a signer is found by address and by label', () => {
    const row: LogRow = {
      key: 'A\n1',
      id: '1',
      connection: 'A',
      time: 0,
      status: 'failed',
      action: 'mint',
      alias: '',
      signer: '0xABC',
      signerLabel: 'Box office',
      objects: [],
      objectCount: 0,
      fee: '',
      batch: '',
      message: '',
    };
    for (const text of ['"box office"', '0xabc']) assert.ok(parseSearch(text).matches(getSearchText(row)), text);
  });
});
