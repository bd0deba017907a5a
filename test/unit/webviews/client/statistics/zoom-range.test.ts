import assert from 'node:assert/strict';
import { getZoomDates } from '../../../../../src/webviews/client/statistics/zoom-range.ts';

suite('statistics: zoom', () => {
  const at = (text: string): number => Date.parse(`${text}Z`) / 1000;
  const now = Date.parse('2026-05-20T12:30:00Z');

  test('a range is widened to the intervals it will be read in', () => {
    assert.deepEqual(getZoomDates(at('2026-05-01T07:10'), at('2026-05-02T09:20'), now), {
      from: '2026-05-01T07:00:00.000Z',
      until: '2026-05-02T10:00:00.000Z',
    });
    assert.deepEqual(getZoomDates(at('2026-04-01T07:10'), at('2026-05-02T09:20'), now), {
      from: '2026-04-01T00:00:00.000Z',
      until: '2026-05-03T00:00:00.000Z',
    });
    // Weeks and months are cut at days.
    assert.equal(getZoomDates(at('2025-01-10T07:10'), at('2026-05-02T09:20'), now)?.from, '2025-01-10T00:00:00.000Z');
  });

  test('a range that reaches now stays open; one in the future is none; a short one is five minutes', () => {
    assert.deepEqual(getZoomDates(at('2026-05-20T10:10'), at('2026-05-20T12:20'), now), {
      from: '2026-05-20T10:00:00.000Z',
      until: '',
    });
    assert.equal(getZoomDates(at('2026-05-21T10:10'), at('2026-05-22T12:20'), now), undefined);
    assert.deepEqual(getZoomDates(at('2026-05-20T10:10'), at('2026-05-20T10:10'), now), {
      from: '2026-05-20T10:07:00.000Z',
      until: '2026-05-20T10:13:00.000Z',
    });
  });
});
