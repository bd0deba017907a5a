/** The legend and the titles of an exported picture: wrapped, not cut. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { rowsOf } from '../../../src/webviews/client/statistics/rows.ts';

suite('statistics: rows of a picture', () => {
  test('what does not fit beside the others goes to the next row, and nothing is lost', () => {
    const length = (word: string): number => word.length;
    assert.deepEqual(rowsOf(['ab', 'cd', 'efg', 'far too long', 'h'], 6, 1, length), [
      ['ab', 'cd'],
      ['efg'],
      ['far too long'],
      ['h'],
    ]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.integer({ min: 1, max: 99 }), (widths, room) => {
        const rows = rowsOf(widths, room, 3, (width) => width);
        assert.deepEqual(rows.flat(), widths);
        for (const row of rows) {
          const width = row.reduce((sum, one) => sum + one + 3, -3);
          assert.ok(row.length > 0 && (row.length === 1 || width <= room));
        }
      }),
    );
  });
});
