import assert from 'node:assert/strict';
import * as l10n from '@vscode/l10n';
import {
  compareTexts,
  formatAmount,
  formatBytes,
  formatList,
  formatNumber,
  formatPair,
  formatPercent,
  formatUnit,
  getDisplayLanguage,
  pluralize,
  quote,
  setDisplayLanguage,
} from '../../../../src/platform/text/localization.ts';

const ROWS = '{0} row of {1}|{0} rows of {1}';

function pluralizeRows(...counts: readonly number[]): readonly string[] {
  return counts.map((count) => pluralize(count, l10n.t(ROWS), 'x'));
}

suite('display language', () => {
  teardown(() => {
    setDisplayLanguage({ language: 'en' });
  });

  test('is English at first', () => {
    assert.deepEqual(pluralizeRows(0, 1, 2, 12_300), ['0 rows of x', '1 row of x', '2 rows of x', '12,300 rows of x']);
  });

  test('selects the forms of a language that has more of them', () => {
    setDisplayLanguage({
      language: 'ru',
      messages: { [ROWS]: '{0} строка из {1}|{0} строки из {1}|{0} строк из {1}' },
    });
    assert.deepEqual(pluralizeRows(1, 3, 5, 21), ['1 строка из x', '3 строки из x', '5 строк из x', '21 строка из x']);
  });

  test('selects the last form where a translation has fewer forms than the language', () => {
    setDisplayLanguage({ language: 'es', messages: { [ROWS]: '{0} fila de {1}|{0} filas de {1}' } });
    assert.deepEqual(pluralizeRows(1, 2, 1_000_000), ['1 fila de x', '2 filas de x', '1.000.000 filas de x']);
  });

  test('is English without translations', () => {
    setDisplayLanguage({ language: 'ru' });
    assert.deepEqual(
      [getDisplayLanguage(), formatNumber(1234.5), ...pluralizeRows(2)],
      ['en', '1,234.5', '2 rows of x'],
    );
  });

  test('numbers of an amount are rounded for reading, never before the decimal point', () => {
    const amounts = [
      ['0.002100002190855426', '0.0021'],
      ['0.00000012345678 ETH', '0.0000001235 ETH'],
      ['1234567.891', '1,234,568'],
      ['12345678901234567890.5', '12,345,678,901,234,567,891'],
      ['gas_fee 1.23456, fee2 0, 1.5e-9', 'gas_fee 1.235, fee2 0, 0.0000000015'],
      ['-12.3456 to 1.2.3 of 0x12ab', '-12.35 to 1.2.3 of 0x12ab'],
      ['', ''],
    ] as const;
    for (const [text, expected] of amounts) assert.equal(formatAmount(text), expected);
    setDisplayLanguage({ language: 'de', messages: {} });
    assert.equal(formatAmount('1234.56789 EUR'), '1.235 EUR');
  });

  test('numbers, percentages, units, sizes and lists are in English at first', () => {
    assert.deepEqual(
      [formatNumber(12_300n), formatNumber(1.5, 2), formatPercent(0.125, 1), formatPercent(0.5, 0, 'exceptZero')],
      ['12,300', '1.50', '12.5%', '+50%'],
    );
    assert.deepEqual(
      [
        formatUnit(5, 'minute'),
        formatUnit(1, 'minute', { unitDisplay: 'long' }),
        formatUnit(2, 'second', { digits: 1 }),
      ],
      ['5 min', '1 minute', '2.0 sec'],
    );
    assert.deepEqual(
      [0, 999, 1000, 999_949, 999_950, 1_234_567n, 5e15].map((size) => formatBytes(size)),
      ['0 B', '999 B', '1.0 kB', '999.9 kB', '1.0 MB', '1.2 MB', '5,000.0 TB'],
    );
    assert.deepEqual(
      [NaN, Infinity].map((size) => formatBytes(size)),
      ['NaN B', '∞ B'],
    );
    const items = ['a', 'b', 'c'];
    assert.deepEqual(
      [formatList(items), formatList(items, 'disjunction'), formatList(items, 'unit'), formatList([])],
      ['a, b, and c', 'a, b, or c', 'a, b, c', ''],
    );
  });

  test('formats that were used before follow the language', () => {
    const format = (): readonly string[] => [
      formatNumber(1234.5),
      formatPercent(0.125, 1),
      formatUnit(5, 'minute', { unitDisplay: 'long' }),
      formatBytes(1_234_567),
      formatList(['a', 'b']),
    ];
    assert.deepEqual(format(), ['1,234.5', '12.5%', '5 minutes', '1.2 MB', 'a and b']);
    setDisplayLanguage({ language: 'de', messages: {} });
    assert.deepEqual(format(), ['1.234,5', '12,5\u00a0%', '5 Minuten', '1,2 MB', 'a und b']);
  });

  test('texts are sorted as people of the language do, numbers by their value', () => {
    const names = ['apfel', 'object 10', 'object 9', 'Zebra', 'Äpfel'];
    assert.deepEqual(names.toSorted(compareTexts), ['apfel', 'Äpfel', 'object 9', 'object 10', 'Zebra']);
    setDisplayLanguage({ language: 'sv', messages: {} });
    assert.deepEqual(names.toSorted(compareTexts), ['apfel', 'object 9', 'object 10', 'Zebra', 'Äpfel']);
  });

  test('pairs and quotation marks are messages', () => {
    assert.deepEqual([formatPair('Status', 'failed'), quote('a')], ['Status: failed', '“a”']);
    setDisplayLanguage({ language: 'fr', messages: { '{0}: {1}': '{0} : {1}', '“{0}”': '« {0} »' } });
    assert.deepEqual([formatPair('Statut', 'échoué'), quote('a')], ['Statut : échoué', '« a »']);
  });

  test('text in a value is not a placeholder or another form', () => {
    assert.equal(pluralize(1, ROWS, '{0}|{1}'), '1 row of {0}|{1}');
  });
});
