import assert from 'node:assert/strict';
import {
  getBounds,
  getDateResolution,
  parseTypedTime,
  isSameFilters,
  getStreams,
} from '../../../../src/logs/stream/query.ts';
import type { Filters } from '../../../../src/webviews/protocol/logs.ts';
import { at } from '../entries.ts';

suite('log filters', () => {
  const base: Filters = { connections: ['A'], organizations: [], range: 'latest' };

  test('makes a stream for each connection, organization and action', () => {
    const streams = getStreams({
      ...base,
      connections: ['A', 'B'],
      organizations: ['o1', 'o2'],
      status: 'failed',
      wallet: 'w',
      actions: ['x', 'y'],
    });
    assert.equal(streams.length, 8);
    assert.deepEqual(streams[7], {
      connection: 'B',
      query: { org_id: 'o2', status: 'failed', wallet_id: 'w', action_id: 'y' },
    });
  });

  test('requests only what is filtered', () => {
    assert.deepEqual(getStreams(base), [{ connection: 'A', query: {} }]);
    const one = { ...base, action: 'x', signer: 's', object: 'o', batch: 'b' };
    const query = { action_id: 'x', signer: 's', object_id: 'o', batch_id: 'b' };
    assert.deepEqual(getStreams(one), [{ connection: 'A', query }]);
  });

  test('an organization is requested from the connections that have it, or from all if none has', () => {
    const filters = { ...base, connections: ['A', 'B'], organizations: ['of A', 'of none'] };
    assert.deepEqual(
      getStreams(filters, (connection, id) => connection === 'A' && id === 'of A').map((stream) => [
        stream.connection,
        stream.query['org_id'],
      ]),
      [
        ['A', 'of A'],
        ['A', 'of none'],
        ['B', 'of none'],
      ],
    );
  });

  test('parses typed dates in the local time zone', () => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'America/New_York';
    try {
      assert.equal(at(parseTypedTime('2026-03-02 10:00:00')), '2026-03-02T15:00:00.000Z');
      assert.equal(at(parseTypedTime(' 2026-03-02 ')), '2026-03-02T05:00:00.000Z');
      assert.equal(at(parseTypedTime('2026-03')), '2026-03-01T05:00:00.000Z');
      assert.equal(at(parseTypedTime('2026-03-02T10:00:00Z')), '2026-03-02T10:00:00.000Z');
      for (const odd of ['', 'soon', '2026-13-40', '1900-01-01']) assert.ok(Number.isNaN(parseTypedTime(odd)), odd);
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  test('bounds of presets and resolution of date formats', () => {
    const now = new Date(2026, 2, 2, 10, 30).getTime();
    assert.deepEqual(getBounds(base, now, 5), {});
    assert.deepEqual(getBounds({ ...base, range: 'hour' }, now, 5), { from: now - 3_600_000 });
    assert.deepEqual(getBounds({ ...base, range: 'today' }, now, 5), { from: new Date(2026, 2, 2).getTime() });
    assert.deepEqual(getBounds({ ...base, range: 'session' }, now, 5), { from: 5 });
    assert.deepEqual(getBounds({ ...base, range: 'between', from: 1, to: 2 }, now, 5), { from: 1, to: 2 });
    assert.deepEqual(
      ['iso8601', 'unixMilliseconds', 'unixSeconds', 'date'].map((format) => getDateResolution(format as 'date')),
      [1, 1, 1000, 86_400_000],
    );
    assert.ok(isSameFilters({ ...base, status: 'failed' }, { status: 'failed', ...base }));
    assert.ok(!isSameFilters(base, { ...base, status: 'failed' }));
  });
});
