/** Lines of two periods side by side. */
import assert from 'node:assert/strict';
import type { SeriesLine, SeriesState } from '../../../../../src/webviews/protocol/statistics.ts';
import { createEmptySeries } from '../../../../../src/statistics/series-state.ts';
import { pairLines } from '../../../../../src/webviews/client/statistics/line-pairs.ts';

suite('statistics: line pairs', () => {
  test('lines are paired by id, whatever their names', () => {
    const line = (id: string, name: string): SeriesLine => ({ id, name, values: [], total: '' });
    const state: SeriesState = {
      ...createEmptySeries({ id: 'fees', label: 'Fees' }),
      groups: [line('a', 'Ticket'), line('b', 'Ticket′')],
      previous: {
        from: 0,
        until: 1,
        times: [],
        originalTimes: [],
        sums: [],
        groups: [line('b', 'Ticket'), line('c', 'Gone')],
      },
    };
    assert.deepEqual(
      pairLines(state, true).map(({ id, name, now, before }) => [id, name, now?.name, before?.name]),
      [
        ['a', 'Ticket', 'Ticket', undefined],
        ['b', 'Ticket′', 'Ticket′', 'Ticket'],
        ['c', 'Gone', undefined, 'Gone'],
      ],
    );
  });
});
