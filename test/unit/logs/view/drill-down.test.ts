import assert from 'node:assert/strict';
import { endDrillDown, toPresent } from '../../../../src/logs/view/drill-down.ts';
import type { Filters, ViewState } from '../../../../src/webviews/protocol/logs.ts';

const base: Filters = { connections: ['A'], organizations: [], range: 'latest' };

suite('action logs: drill-down', () => {
  const state = (filters: Partial<Filters>, change: Partial<ViewState> = {}): ViewState => ({
    mode: 'logs',
    text: '',
    filters: { ...base, ...filters },
    drillDown: true,
    ...change,
  });

  test('lasts until none of its filters is left', () => {
    for (const filtered of [
      state({ range: 'between', from: 1, to: 2 }),
      state({ object: 'o' }),
      state({ actions: ['x'] }),
      state({ status: 'failed' }),
      state({}, { text: 'mint' }),
      state({}, { failure: 'group' }),
    ])
      assert.equal(endDrillDown(filtered), filtered);
    assert.equal(endDrillDown(state({})).drillDown, undefined);
  });

  test('the present includes what happens now', () => {
    const change = { failure: 'group', brush: { from: 1, to: 2 }, text: 'mint', drillDown: undefined };
    const present = { mode: 'logs', text: 'mint', filters: { ...base, status: 'failed' }, drillDown: undefined };
    assert.deepEqual(toPresent(state({ status: 'failed', range: 'between', from: 1, to: 2 }, change)), present);
    assert.deepEqual(toPresent(state({ range: 'between', from: 1 })).filters, { ...base, range: 'between', from: 1 });
    assert.deepEqual(toPresent(state({ range: 'hour' })).filters.range, 'hour');
  });
});
