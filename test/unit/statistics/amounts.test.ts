/** Amounts of statistics: to the digit, each unit by itself, and nothing where there is nothing. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseAmount, formatChange, UnitSums } from '../../../src/statistics/amounts.ts';

function addUp(...values: readonly unknown[]): UnitSums {
  const sums = new UnitSums();
  for (const value of values) {
    const amount = parseAmount(value);
    if (amount !== undefined) sums.add(amount);
  }
  return sums;
}

/** `12.5 UNIT + 3` */
function format(...values: readonly unknown[]): string {
  const sums = addUp(...values);
  return sums.units.map((unit) => `${sums.format(unit) ?? ''} ${unit}`.trim()).join(' + ');
}

suite('statistics: amounts', () => {
  test('decimals are added as decimals', () => {
    assert.equal(format('0.1', '0.2'), '0.3');
    assert.equal(
      format('0.000000000000000001', '123456789012345678901234567890'),
      '123456789012345678901234567890.000000000000000001',
    );
    assert.equal(format('1e-7', '1e21'), '1000000000000000000000.0000001');
  });

  test('counts past 2^53 keep each digit', () => {
    assert.equal(format(9007199254740993n, 1, 9007199254740993n), '18014398509481987');
  });

  test('adds up each unit separately', () => {
    assert.equal(format('0.003 UNIT', '1 UNIT', '2'), '2 + 1.003 UNIT');
    assert.equal(format('1 USD2', '0.5 USD2', '2€'), '1.5 USD2 + 2 €');
  });

  test('what is no number is nothing, and nothing is not zero', () => {
    for (const value of [undefined, null, '', 'many', '1.2.3', NaN, {}, true, '1e999', '0x10', 10n ** 300n])
      assert.equal(parseAmount(value), undefined);
    assert.equal(format(), '');
    assert.equal(format('0'), '0');
  });

  test('any sum of integers agrees with bigint', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), { minLength: 1 }), (values) => {
        const total = values.reduce((sum, value) => sum + value, 0n);
        assert.equal(format(...values), total.toString());
      }),
    );
  });

  test('digits never come in exponent form', () => {
    assert.equal(format('1e30'), `1${'0'.repeat(30)}`);
  });

  test('the change from the period before', () => {
    const change = (now: unknown, before: unknown): string | undefined =>
      formatChange(parseAmount(now)?.value, parseAmount(before)?.value);
    assert.equal(change(150, 100), '+50%');
    assert.equal(change('0.9', '1.2'), '-25%');
    assert.equal(change(5, 5), '0%');
    assert.equal(change(undefined, 5), '-100%');
    assert.equal(change(5, 0), undefined, 'nothing is infinitely more');
    assert.equal(change(5, undefined), undefined);
  });
});
