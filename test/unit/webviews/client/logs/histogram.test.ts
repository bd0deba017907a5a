import assert from 'node:assert/strict';
import fc from 'fast-check';
import { getBucketIndex, getTicks, buildHistogram } from '../../../../../src/webviews/client/logs/header/histogram.ts';

suite('log histogram', () => {
  test('counts every entry in exactly one bar', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1e10 }), { minLength: 1 }),
        fc.integer({ min: 2, max: 200 }),
        (times, maxBuckets) => {
          const entries = times
            .sort((a, b) => a - b)
            .map((time, index) => ({ time, row: { status: ['completed', 'failed', 'odd'][index % 3] ?? '' } }));
          const { buckets, width } = buildHistogram(entries, maxBuckets);
          assert.equal(
            buckets.reduce((sum, { total }) => sum + total, 0),
            entries.length,
          );
          assert.ok(buckets.length <= maxBuckets + 1);
          for (const { from, total } of buckets)
            assert.equal(total, times.filter((time) => time >= from && time < from + width).length);
        },
      ),
    );
  });

  test('ticks are round times of the zone, at midnight with its date', () => {
    const build = (from: Date, to: Date) =>
      buildHistogram(
        [from, to].map((date) => ({ time: date.getTime(), row: { status: 'failed' } })),
        100,
      );
    const hours = getTicks(build(new Date(2026, 2, 3, 20, 10), new Date(2026, 2, 4, 7, 50)), 6);
    assert.deepEqual(
      hours.ticks.map(({ time, isMidnight }) => [new Date(time).getHours(), isMidnight]),
      [
        [22, false],
        [0, true],
        [2, false],
        [4, false],
        [6, false],
      ],
    );
    assert.equal(hours.step, 7_200_000);
    const weeks = getTicks(build(new Date(2026, 2, 1, 12), new Date(2026, 4, 20, 12)), 12);
    for (const { time } of weeks.ticks) assert.equal(new Date(time).getHours(), 0);
    assert.ok(weeks.ticks.length > 8 && weeks.ticks.length <= 12, String(weeks.ticks.length));
    assert.ok(getTicks(build(new Date(2026, 2, 3, 20, 10), new Date(2026, 2, 3, 20, 10)), 5).ticks.length > 0);
    const month = build(new Date(2026, 2, 3, 20), new Date(2026, 3, 2, 7));
    assert.equal(getTicks(month, 4).ticks.length, 2);
    // Without a midnight, at the beginning.
    const day = build(new Date(2026, 2, 3, 1), new Date(2026, 2, 3, 20));
    assert.deepEqual(getTicks(day, 1).ticks, [{ time: day.buckets[0]?.from, isMidnight: false }]);
    assert.deepEqual(getTicks({ buckets: [], width: 1, maxTotal: 0 }, 5).ticks, []);
  });

  test('a marked time keeps its bar when entries come and go', () => {
    const build = (times: readonly number[]): ReturnType<typeof buildHistogram> =>
      buildHistogram(
        times.map((time) => ({ time, row: { status: 'failed' } })),
        20,
      );
    const before = build([1000, 5000, 9000]);
    const marked = before.buckets[getBucketIndex(before, 5000)]?.from ?? 0;
    for (const times of [
      [4000, 5000, 9000],
      [1000, 5000, 900_000],
      [5000, 9000],
    ]) {
      const now = build(times);
      const { from = 0, total } = now.buckets[getBucketIndex(now, marked)] ?? {};
      assert.ok(from <= marked && marked < from + now.width && total !== 0);
    }
    const later = build([8000, 9000]);
    assert.equal(getBucketIndex(later, marked), 0);
    assert.equal(getBucketIndex(later, 99_000), later.buckets.length - 1);
  });
});
