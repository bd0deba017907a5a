/** Value axes: one for each unit, and numbers that fit beside them. */
import assert from 'node:assert/strict';
import { scalesOf, shortNumber } from '../../../src/webviews/client/statistics/axis.ts';

suite('statistics: value axes', () => {
  const line = (total: string, shown = true) => ({ line: { name: total, values: [], total }, shown });

  test('each unit has an axis of its own, and what is switched off leaves its axis to another', () => {
    const [gas, coin, points] = [line('12.5 GAS'), line('3 Silver Coin'), line('70000 POINTS')];
    assert.deepEqual(scalesOf([line('7'), line('5')]).axes, ['']);
    assert.deepEqual(scalesOf([gas]).axes, ['GAS']);
    assert.deepEqual(scalesOf([gas, line('8 GAS'), coin]), {
      units: ['GAS', 'Silver Coin', ''],
      axes: ['GAS', 'Silver Coin'],
      without: [],
    });
    assert.deepEqual(scalesOf([gas, coin, points]).without, ['POINTS']);
    const off = scalesOf([gas, line(coin.line.total, false), points]);
    assert.deepEqual([off.axes, off.without], [['GAS', 'POINTS'], []]);
    assert.equal(scalesOf([line('1 GAS', false)]).axes.length, 1);
    assert.deepEqual(scalesOf([]).axes, ['']);
    // A line without any value asks for no axis.
    assert.deepEqual(scalesOf([line(''), gas]).axes, ['GAS']);
  });

  test('numbers beside an axis are short, however large or small', () => {
    assert.deepEqual([0, 1500, 250_000_000, 5e14, 1e20, 1.5e21, -2e18, 0.25, 0.000_002, 0.000_000_1].map(shortNumber), [
      '0',
      '1.5K',
      '250M',
      '500T',
      '1E20',
      '1.5E21',
      '-2E18',
      '0.25',
      '0.000002',
      '1E-7',
    ]);
  });
});
