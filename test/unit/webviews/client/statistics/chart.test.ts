import assert from 'node:assert/strict';
import { alignLines } from '../../../../../src/webviews/client/statistics/chart.ts';

suite('statistics: aligned lines', () => {
  test('keeps gaps apart from the times of other lines', () => {
    const line = (times: readonly number[], values: (string | null)[]): Parameters<typeof alignLines>[0][number] => ({
      times,
      line: { id: 'mint', name: 'mint', values, total: '' },
    });
    assert.deepEqual(alignLines([line([10, 20, 30], ['1', null, '3']), line([15, 25], ['4', '5'])]), {
      times: [10, 15, 20, 25, 30],
      values: [
        [1, undefined, null, undefined, 3],
        [undefined, 4, undefined, 5, undefined],
      ],
    });
  });
});
