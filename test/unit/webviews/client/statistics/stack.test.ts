/** Areas on top of each other, incomplete ends, and the line under the mouse. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
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

  test('isolated points are those between gaps, found by reading each value of the range once', () => {
    const value = fc.constantFrom(1, null, undefined);
    const input = fc.array(value, { minLength: 1, maxLength: 12 }).chain((values) => {
      const index = fc.nat(values.length - 1);
      return fc.tuple(fc.constant(values), index, index);
    });
    fc.assert(
      fc.property(input, ([values, one, other]) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const points = [...values.entries()].filter(([, at]) => at !== undefined);
        const expected = points
          .filter(([, at], place) => {
            const [before, after] = [points[place - 1]?.[1] ?? null, points[place + 1]?.[1] ?? null];
            return at !== null && before === null && after === null;
          })
          .map(([index]) => index);
        assert.deepEqual(
          findIsolated(values, from, to),
          expected.filter((index) => index >= from && index <= to),
        );
      }),
    );
    let reads = 0;
    const counted = new Proxy<number[]>(
      Array.from({ length: 1000 }, () => 1),
      {
        get: (target, key, receiver) => {
          if (key !== 'length') reads++;
          return Reflect.get(target, key, receiver) as unknown;
        },
      },
    );
    assert.deepEqual(findIsolated(counted, 0, 999), []);
    assert.ok(reads < 1010, String(reads));
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
