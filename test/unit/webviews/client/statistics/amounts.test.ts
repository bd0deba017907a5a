import assert from 'node:assert/strict';
import type { SeriesLine } from '../../../../../src/webviews/protocol/statistics.ts';
import {
  formatExactAmount,
  formatShortAmount,
  formatShortNumber,
  formatTotals,
} from '../../../../../src/webviews/client/statistics/amounts.ts';

suite('statistics: numbers for reading', () => {
  test('amounts are rounded in the style of the locale, with their unit', () => {
    const amounts = [
      ['0', ''],
      ['7', ''],
      ['1234', ''],
      ['3400000.5', 'GAS'],
      ['0.00312345', 'Silver Coin'],
      ['-1500', ''],
    ] as const;
    assert.deepEqual(
      amounts.map(([decimal, unit]) => formatShortAmount(decimal, unit, 'en')),
      ['0', '7', '1.23K', '3.4M GAS', '0.00312 Silver Coin', '-1.5K'],
    );
    assert.equal(formatShortAmount('3400000.5', 'GAS', 'de'), '3,4\u00a0Mio. GAS');
    assert.equal(formatShortAmount('', 'GAS', 'en'), '');
  });

  test('exact amounts keep every digit, and nothing is a dash', () => {
    assert.equal(
      formatExactAmount('12345678901234567890.123456789012345678', 'GAS', 'en'),
      '12,345,678,901,234,567,890.123456789012345678 GAS',
    );
    assert.equal(formatExactAmount('1234.5', '', 'de'), '1.234,5');
    assert.equal(formatExactAmount('0.000000000000000001', '', 'en'), '0.000000000000000001');
    assert.deepEqual(
      [null, undefined, ''].map((nothing) => formatExactAmount(nothing, 'GAS', 'en')),
      ['—', '—', '—'],
    );
  });

  test('totals are those of a period, in every unit that it has', () => {
    const line = (unit: string, total: string, before: string): SeriesLine => ({
      id: '',
      name: '',
      unit,
      values: [],
      total,
      before: { values: [], total: before },
    });
    const lines = [line('', '12345', ''), line('GAS', '2.5', '1')];
    assert.equal(formatTotals(lines, 'now'), '12.3K + 2.5 GAS');
    assert.equal(formatTotals(lines, 'now', true), '12,345 + 2.5 GAS');
    assert.equal(formatTotals(lines, 'before', true), '1 GAS');
    assert.equal(formatTotals([], 'now'), '');
  });

  test('axis labels are short for any magnitude', () => {
    assert.deepEqual(
      [0, 1500, 250_000_000, 5e14, 1e20, 1.5e21, -2e18, 0.25, 0.000_002, 0.000_000_1].map((value) =>
        formatShortNumber(value, 'en'),
      ),
      ['0', '1.5K', '250M', '500T', '1E20', '1.5E21', '-2E18', '0.25', '0.000002', '1E-7'],
    );
  });
});
