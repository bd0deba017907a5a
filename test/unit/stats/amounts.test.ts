/** Amounts of statistics: to the digit, each unit by itself, and nothing where there is nothing. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { amountOf, changeOf, digits, Sums } from '../../../src/stats/amount.ts';

function sumOf(...values: readonly unknown[]): Sums {
  const sums = new Sums();
  for (const value of values) {
    const amount = amountOf(value);
    if (amount !== undefined) sums.add(amount);
  }
  return sums;
}

suite('statistics: amounts', () => {
  test('decimals are added as decimals', () => {
    assert.equal(sumOf('0.1', '0.2').text, '0.3');
    assert.equal(
      sumOf('0.000000000000000001', '123456789012345678901234567890').text,
      '123456789012345678901234567890.000000000000000001',
    );
    assert.equal(sumOf('1e-7', '1e21').text, '1000000000000000000000.0000001');
  });

  test('counts past 2^53 keep each digit', () => {
    assert.equal(sumOf(9007199254740993n, 1, 9007199254740993n).text, '18014398509481987');
  });

  test('units are kept apart', () => {
    assert.equal(sumOf('0.003 UNIT', '1 UNIT', '2').text, '2 + 1.003 UNIT');
    assert.equal(sumOf('1 USD2', '0.5 USD2', '2€').text, '1.5 USD2 + 2 €');
  });

  test('what is no number is nothing, and nothing is not zero', () => {
    for (const value of [undefined, null, '', 'many', '1.2.3', NaN, {}, true, '1e999', '0x10', 10n ** 300n])
      assert.equal(amountOf(value), undefined);
    assert.equal(sumOf().text, '');
    assert.equal(sumOf('0').text, '0');
  });

  test('any sum of integers agrees with bigint', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), { minLength: 1 }), (values) => {
        const total = values.reduce((sum, value) => sum + value, 0n);
        assert.equal(sumOf(...values).text, total.toString());
      }),
    );
  });

  test('digits never come in exponent form', () => {
    assert.equal(digits(amountOf('1e30')?.value ?? assert.fail()), `1${'0'.repeat(30)}`);
  });

  test('the change from the period before', () => {
    assert.equal(changeOf(sumOf(150), sumOf(100)), '+50 %');
    assert.equal(changeOf(sumOf('0.9'), sumOf('1.2')), '−25 %');
    assert.equal(changeOf(sumOf(5), sumOf(5)), '±0 %');
    assert.equal(changeOf(sumOf(5), sumOf(0)), undefined, 'nothing is infinitely more');
    assert.equal(changeOf(sumOf(5), sumOf()), undefined);
    assert.equal(changeOf(sumOf('5 A'), sumOf('4 B')), undefined, 'units do not compare');
  });
});
