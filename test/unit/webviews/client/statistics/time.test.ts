/** Moments of the dashboard: in the zone that is named, there and back, over a change of the clocks. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  formatClock,
  parseInputValue,
  formatTime,
  formatRange,
  formatInputValue,
  getZoneName,
} from '../../../../../src/webviews/client/statistics/time.ts';

suite('statistics: time zones', () => {
  const { TZ: before } = process.env;
  suiteSetup(() => (process.env['TZ'] = 'Europe/Zurich'));
  suiteTeardown(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });

  test('times are converted between UTC and the local zone, in summer and winter', () => {
    const [summer, winter] = [Date.UTC(2026, 6, 1, 22) / 1000, Date.UTC(2026, 10, 21, 23, 30, 5) / 1000];
    assert.deepEqual([getZoneName(true), getZoneName(false)], ['UTC', 'Europe/Zurich']);
    assert.deepEqual([formatTime(summer, true), formatTime(summer, false)], ['2026-07-01 22:00', '2026-07-02 00:00']);
    assert.equal(formatTime(winter, false), '2026-11-22 00:30:05');
    assert.deepEqual(
      [formatClock(winter * 1000, true), formatClock(winter * 1000, false)],
      ['23:30:05 UTC', '00:30:05'],
    );
  });

  test('a range is formatted as days, or as hours where it is short', () => {
    const from = Date.UTC(2026, 10, 14, 10) / 1000;
    assert.equal(formatRange(from, from + 7 * 86_400, true), '2026-11-14 – 2026-11-21');
    assert.equal(formatRange(from, from + 86_400, false), '2026-11-14 11:00 – 2026-11-15 11:00');
  });

  test('a date field returns the date it displays', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e9 }), fc.boolean(), (minute, utc) => {
        const iso = new Date(Math.floor(minute / 60) * 60_000).toISOString();
        // The hour that is there twice has one text.
        fc.pre(utc || ![9, 10].includes(new Date(iso).getUTCMonth()));
        assert.equal(parseInputValue(formatInputValue(iso, utc), utc), iso);
      }),
    );
    assert.deepEqual(
      [parseInputValue('', true), parseInputValue('soon', false), formatInputValue('soon', true)],
      ['', '', ''],
    );
  });

  test('the repeated hour at the end of summer time is distinguished', () => {
    const at = (hour: number, minute = 30): number => Date.UTC(2026, 9, 25, hour, minute) / 1000;
    assert.deepEqual(
      [at(-1), at(0), at(0, 59), at(1, 0), at(1), at(2, 0)].map((seconds) => formatTime(seconds, false)),
      [
        '2026-10-25 01:30',
        '2026-10-25 02:30 +02:00',
        '2026-10-25 02:59 +02:00',
        '2026-10-25 02:00 +01:00',
        '2026-10-25 02:30 +01:00',
        '2026-10-25 03:00',
      ],
    );
    assert.equal(formatTime(at(1), true), '2026-10-25 01:30');
    // In spring an hour is missing, and none is there twice.
    assert.equal(formatTime(Date.UTC(2026, 2, 29, 1, 30) / 1000, false), '2026-03-29 03:30');
    // A field that nobody has changed keeps its moment, whichever of the two it is.
    for (const iso of ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z', '2026-10-25T10:00:07.000Z'])
      assert.equal(parseInputValue(formatInputValue(iso, false), false, iso), iso);
    assert.equal(parseInputValue('2026-10-26T02:30', false, '2026-10-25T01:30:00.000Z'), '2026-10-26T01:30:00.000Z');
  });
});
