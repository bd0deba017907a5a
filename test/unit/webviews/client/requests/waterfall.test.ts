import assert from 'node:assert/strict';
import type { RequestRow } from '../../../../../src/webviews/protocol/requests.ts';
import { getDuration, placeBars } from '../../../../../src/webviews/client/requests/waterfall.ts';

function createRow(id: number, startedAt: number, timings: RequestRow['timings']): RequestRow {
  return { id, startedAt, operation: 'GET /objects', path: '/objects', isRead: true, attempt: 1, timings };
}

suite('waterfall', () => {
  test('requests without a gap between them share a scale', () => {
    const rows = [
      createRow(1, 1000, { queue: 0, connect: 20, wait: 60, receive: 20 }),
      createRow(2, 1050, { queue: 50, connect: 0, wait: 50, receive: 50 }),
      createRow(3, 1699, { queue: 0, wait: 1 }),
      createRow(4, 9000, { queue: 0, connect: 10 }),
    ];
    const bars = placeBars(rows);
    // From 1000 to 1700.
    assert.equal(bars.get(1)?.left, 0);
    assert.deepEqual(
      bars.get(1)?.parts.map(({ width }) => Math.round(width * 7)),
      [0, 20, 60, 20],
    );
    assert.equal(Math.round((bars.get(2)?.left ?? 0) * 7), 50);
    assert.equal(Math.round((bars.get(3)?.left ?? 0) * 7), 699);
    assert.deepEqual([bars.get(4)?.left, bars.get(4)?.parts[1]?.width], [0, 100]);
    assert.deepEqual(
      [1, 2, 3, 4].map((id) => bars.get(id)?.isFirst),
      [true, false, false, true],
    );
  });

  test('a long request that ended last began before those above it', () => {
    const rows = [createRow(1, 1200, { queue: 0, wait: 50 }), createRow(2, 1000, { queue: 0, wait: 1000 })];
    const bars = placeBars(rows);
    assert.deepEqual([bars.get(1)?.left, bars.get(2)?.left], [20, 0]);
    assert.equal(bars.get(1)?.isFirst, true);
    assert.equal(bars.get(2)?.isFirst, false);
    assert.equal(rows.map(getDuration).join(), '50,1000');
  });

  test('a request without any duration has a place', () => {
    assert.deepEqual(placeBars([createRow(1, 5, { queue: 0 })]).get(1)?.left, 0);
    assert.equal(placeBars([]).size, 0);
  });
});
