/** Areas on top of each other, incomplete ends, and the line under the mouse. */
import assert from 'node:assert/strict';
import {
  canStack,
  findIsolated,
  findLineAt,
  splitIncomplete,
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

  test('the segments to incomplete points are split off, and meet the rest', () => {
    assert.deepEqual(splitIncomplete([1, 2, 3, 4], new Set([3])), [
      [1, 2, 3, null],
      [null, null, 3, 4],
    ]);
    assert.deepEqual(splitIncomplete([1, 2, 3, 4], new Set([0, 3])), [
      [null, 2, 3, null],
      [1, 2, 3, 4],
    ]);
    assert.deepEqual(splitIncomplete([9], new Set([0])), [[null], [9]]);
  });

  test('a line goes on at the times of other lines', () => {
    assert.deepEqual(
      stackValues([
        [1, undefined, 2, null],
        [3, undefined, null, undefined],
      ]),
      [
        [1, undefined, 2, null],
        [4, undefined, 2, null],
      ],
    );
    assert.deepEqual(splitIncomplete([1, undefined, 2, undefined, 3], new Set([4])), [
      [1, undefined, 2, undefined, null],
      [null, undefined, 2, undefined, 3],
    ]);
    assert.deepEqual(findIsolated([1, undefined, 2, null, undefined, 3, null], 0, 6), [5]);
    assert.deepEqual(findIsolated([undefined, 4], 1, 1), [1]);
  });

  test('finds the area or the near line under the mouse', () => {
    // From the top: 20 is the highest.
    const tops = [80, 50, 20, null];
    assert.deepEqual(
      [5, 15, 30, 60, 95].map((y) => findLineAt(tops, y, true)),
      [undefined, 2, 2, 1, 0],
    );
    assert.deepEqual(
      [5, 30, 45, 65, 85].map((y) => findLineAt(tops, y, false)),
      [undefined, 2, 1, undefined, 0],
    );
    assert.equal(findLineAt([null], 10, true), undefined);
  });
});
