import assert from 'node:assert/strict';
import { followActiveConnection, unpin } from '../../../../src/logs/view/follow-active.ts';
import type { Filters, ViewState } from '../../../../src/webviews/protocol/logs.ts';

const base: Filters = { connections: ['A', 'B'], organizations: [], range: 'latest' };

suite('following the active connection', () => {
  const state = (filters: Partial<Filters>, following?: boolean): ViewState => ({
    mode: 'logs',
    text: '',
    filters: { ...base, connections: ['A'], ...filters },
    ...(following !== undefined && { following }),
  });
  const connections = (of: ViewState): readonly string[] => of.filters.connections;

  test('follows the active connection unless pinned or filtered by something that belongs to one', () => {
    assert.deepEqual(connections(followActiveConnection(state({ status: 'failed' }, true), 'B')), ['B']);
    assert.deepEqual(connections(followActiveConnection(state({ connections: [] }), 'B')), ['B']);
    for (const unchanged of [
      state({}),
      state({}, false),
      state({ object: 'o' }, true),
      state({ organizations: ['x'] }, true),
      state({ actions: ['x'] }, true),
    ])
      assert.equal(followActiveConnection(unchanged, 'B'), unchanged);
    assert.deepEqual(connections(followActiveConnection(state({}, true), undefined)), ['A']);
  });

  test('unpinning drops filters that belong to another connection', () => {
    const { filters, following } = unpin(state({ object: 'o', status: 'failed', range: 'hour' }), 'B');
    assert.deepEqual(filters, { connections: ['B'], organizations: [], status: 'failed', range: 'hour' });
    assert.equal(following, true);
    assert.deepEqual(unpin(state({ object: 'o' }), 'A').filters.object, 'o');
  });
});
