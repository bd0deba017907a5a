/** From a point to its action logs. */
import assert from 'node:assert/strict';
import { parseViewState } from '../../../src/logs/command-argument.ts';
import { createLogsView } from '../../../src/statistics/logs-view.ts';
import type { SeriesResult } from '../../../src/statistics/series-state.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 4, 1);

suite('statistics: logs of a point', () => {
  const read: SeriesResult = {
    now: { points: [{ when: START }, { when: START + DAY }] },
    window: { from: START + DAY / 2, until: START + 9.5 * DAY },
    interval: 'day',
    step: DAY,
    readAt: START + 9.5 * DAY,
  };
  const point = { series: 'executions', time: (START + DAY) / 1000, isBefore: false, key: 'mint' } as const;

  /** The range and text; what the command cannot read would show other logs. */
  function view(change: Partial<Parameters<typeof createLogsView>[1]>, of: SeriesResult = read): readonly unknown[] {
    const state = parseViewState(createLogsView('Harbour', { ...point, ...change }, of));
    assert.deepEqual([state?.mode, state?.filters.connections, state?.filters.range], ['logs', ['Harbour'], 'between']);
    return [state?.filters.from, state?.filters.to, state?.text];
  }
  const at = (days: number): number => (START + days * DAY) / 1000;

  test('shows the interval of the point and searches for its key', () => {
    assert.deepEqual(view({}), [START + DAY, START + 2 * DAY, 'mint']);
    assert.deepEqual(view({ key: undefined }), [START + DAY, START + 2 * DAY, '']);
    assert.equal(view({ key: 'my "own" action' })[2], '"my  own  action"');
    assert.equal(view({ key: 'x'.repeat(300) })[2], 'x'.repeat(190));
    assert.equal(view({ series: 'creations', key: 'tpl_1' })[2], 'mint');
  });

  test('stays within the range that was read, at both ends', () => {
    assert.deepEqual(view({ time: at(0) }), [START + DAY / 2, START + DAY, 'mint']);
    assert.deepEqual(view({ time: at(9) }), [START + 9 * DAY, START + 9.5 * DAY, 'mint']);
  });

  test('stays within the period before, whose last interval ends in this one', () => {
    const before = (days: number): readonly unknown[] => view({ time: at(days), isBefore: true });
    assert.deepEqual(before(-3), [START - 3 * DAY, START - 2 * DAY, 'mint']);
    assert.deepEqual(before(-9), [START - 8.5 * DAY, START - 8 * DAY, 'mint']);
    assert.deepEqual(before(0), [START, START + DAY / 2, 'mint']);
  });

  test('months have their own lengths; without a length all later logs are shown', () => {
    const wide = { ...read, window: { from: START - 99 * DAY, until: START + 99 * DAY }, readAt: START + 99 * DAY };
    assert.deepEqual(view({ time: at(0) }, { ...wide, step: 30 * DAY }), [START, START + 31 * DAY, 'mint']);
    assert.deepEqual(view({}, { ...wide, window: undefined, step: undefined }), [
      START + DAY,
      START + 99 * DAY,
      'mint',
    ]);
  });
});
