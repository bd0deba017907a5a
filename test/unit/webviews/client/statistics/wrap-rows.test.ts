/** The legend and the titles of an exported picture: wrapped, not cut. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { wrapRows } from '../../../../../src/webviews/client/statistics/wrap-rows.ts';

suite('statistics: rows of a picture', () => {
  test('items that do not fit wrap to the next row', () => {
    const length = (word: string): number => word.length;
    assert.deepEqual(wrapRows(['ab', 'cd', 'efg', 'far too long', 'h'], 6, 1, length), [
      ['ab', 'cd'],
      ['efg'],
      ['far too long'],
      ['h'],
    ]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.integer({ min: 1, max: 99 }), (widths, maxWidth) => {
        const rows = wrapRows(widths, maxWidth, 3, (width) => width);
        assert.deepEqual(rows.flat(), widths);
        for (const row of rows) {
          const width = row.reduce((sum, one) => sum + one + 3, -3);
          assert.ok(row.length > 0 && (row.length === 1 || width <= maxWidth));
        }
      }),
    );
  });
});
