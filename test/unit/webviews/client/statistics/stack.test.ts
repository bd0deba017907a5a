/** Areas on top of each other, isolated points, and the line near the mouse. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  canStack,
  findIsolated,
  getDistance,
  stackValues,
} from '../../../../../src/webviews/client/statistics/stack.ts';

suite('statistics: stacked lines', () => {
  test('the top of the stack is the sum; a gap is where no line has a value', () => {
    assert.deepEqual(
      stackValues([
        [5, null, null, 1],
        [2, 3, null, null],
        [null, 1, null, 4],
      ]),
      [
        [5, 0, null, 1],
        [7, 3, null, 1],
        [7, 4, null, 5],
      ],
    );
    assert.deepEqual(stackValues([]), []);
  });

  test('lines with negative values, and one alone, are not stacked', () => {
    assert.equal(
      canStack([
        [1, null],
        [2, 0],
      ]),
      true,
    );
    assert.equal(canStack([[1], [-2]]), false);
    assert.equal(canStack([[1, 2]]), false);
  });

  test('isolated points are those between gaps', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(1, null), { maxLength: 12 }), (values) => {
        const text = values.map((value) => (value === null ? ' ' : 'x')).join('');
        assert.deepEqual(
          findIsolated(values),
          [...text.matchAll(/(?<!x)x(?!x)/g)].map(({ index }) => index),
        );
      }),
    );
  });

  test('the mouse is in an area, or near a line', () => {
    // From the top: 20 is the highest.
    const findNearest = (y: number, isArea: boolean): number | undefined => {
      const distances = [80, 50, 20].map((top) => getDistance(top, y, isArea));
      const least = Math.min(...distances);
      return least === Infinity ? undefined : distances.indexOf(least);
    };
    assert.deepEqual(
      [5, 15, 30, 60, 95].map((y) => findNearest(y, true)),
      [undefined, 2, 2, 1, 0],
    );
    assert.deepEqual(
      [5, 30, 45, 65, 85].map((y) => findNearest(y, false)),
      [undefined, 2, 1, undefined, 0],
    );
  });
});
