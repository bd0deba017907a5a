import assert from 'node:assert/strict';
import { assignScales, formatShortNumber } from '../../../../../src/webviews/client/statistics/axis.ts';

suite('statistics: value axes', () => {
  const line = (total: string, isVisible = true) => ({ line: { name: total, values: [], total }, isVisible });

  test('each visible unit has an axis', () => {
    const [gas, coin, points] = [line('12.5 GAS'), line('3 Silver Coin'), line('70000 POINTS')];
    assert.deepEqual(assignScales([line('7'), line('5')]).axes, ['']);
    assert.deepEqual(assignScales([gas]).axes, ['GAS']);
    assert.deepEqual(assignScales([gas, line('8 GAS'), coin]), {
      units: ['GAS', 'Silver Coin', ''],
      axes: ['GAS', 'Silver Coin'],
      withoutAxis: [],
    });
    assert.deepEqual(assignScales([gas, coin, points]).withoutAxis, ['POINTS']);
    const off = assignScales([gas, line(coin.line.total, false), points]);
    assert.deepEqual([off.axes, off.withoutAxis], [['GAS', 'POINTS'], []]);
    assert.equal(assignScales([line('1 GAS', false)]).axes.length, 1);
    assert.deepEqual(assignScales([]).axes, ['']);
    // A line without values needs no axis.
    assert.deepEqual(assignScales([line(''), gas]).axes, ['GAS']);
  });

  test('axis labels are short for any magnitude', () => {
    assert.deepEqual(
      [0, 1500, 250_000_000, 5e14, 1e20, 1.5e21, -2e18, 0.25, 0.000_002, 0.000_000_1].map(formatShortNumber),
      ['0', '1.5K', '250M', '500T', '1E20', '1.5E21', '-2E18', '0.25', '0.000002', '1E-7'],
    );
  });
});
