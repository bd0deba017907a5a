import assert from 'node:assert/strict';
import fc from 'fast-check';
import { getBucketIndex, buildHistogram } from '../../../../../src/webviews/client/logs/header/histogram.ts';

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
