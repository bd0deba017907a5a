import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LogRow } from '../../../../../src/webviews/protocol/logs.ts';
import {
  getSearchText,
  parseSearch,
  splitMatches,
  toggleFacetTerm,
} from '../../../../../src/webviews/client/logs/table/search.ts';

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

  test('values of fields are chosen and excluded by terms, which are added to the text and removed again', () => {
    const includes = (text: string, ...statuses: readonly string[]): string[] =>
      statuses.filter((status) => parseSearch(text).includesValue('status', status));
    const all = ['completed', 'failed', 'pending'];
    assert.deepEqual(includes('mint Status:FAILED', ...all), ['failed']);
    assert.deepEqual(includes('status:failed status:pending', ...all), ['failed', 'pending']);
    assert.deepEqual(includes('-status:pending', ...all), ['completed', 'failed']);
    assert.deepEqual(parseSearch('mint status:failed http://x status:').terms, ['mint', 'http://x', 'status:']);
    assert.ok(!parseSearch('status:failed').empty);

    let text = toggleFacetTerm('mint', 'status', 'failed');
    text = toggleFacetTerm(text, 'action', 'Check "in" now');
    text = toggleFacetTerm(text, 'status', 'pending', true);
    assert.equal(text, 'mint status:failed action:"Check in now" -status:pending');
    assert.ok(parseSearch(text).includesValue('action', 'check "IN" now'));
    text = toggleFacetTerm(text, 'status', 'failed');
    assert.equal(text, 'mint action:"Check in now" -status:pending');
    text = toggleFacetTerm(toggleFacetTerm(text, 'action', 'Check "in" now'), 'status', 'pending', true);
    assert.equal(text, 'mint');
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
