/** Moments of the dashboard: in the zone that is named, there and back, over a change of the clocks. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  formatClock,
  parseInputValue,
  formatTime,
  formatRange,
  formatTicks,
  formatInputValue,
  getIncompleteRanges,
  getStep,
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
    assert.deepEqual(
      [formatTime(summer, true, false, 'en-GB'), formatTime(summer, false, false, 'en-GB')],
      ['1 Jul 2026, 22:00', '2 Jul 2026, 00:00'],
    );
    assert.equal(formatTime(winter, false, false, 'de'), '22.11.2026, 00:30:05');
    assert.equal(formatTime(winter, true, true, 'en-US'), 'Nov 21, 2026');
    assert.equal(formatTime(NaN, true), '—');
    assert.deepEqual(
      [formatClock(winter * 1000, true, 'en-GB'), formatClock(winter * 1000, false, 'en-GB')],
      ['23:30:05 UTC', '00:30:05'],
    );
  });

  test('a range is formatted as days, or as hours where it is short', () => {
    const from = Date.UTC(2026, 10, 14, 10) / 1000;
    assert.match(formatRange(from, from + 7 * 86_400, true, 'en-GB'), /^14\s–\s21 Nov 2026$/);
    assert.match(formatRange(from, from + 86_400, false, 'en-GB'), /^14 Nov 2026, 11:00\s–\s15 Nov 2026, 11:00$/);
  });

  test('ticks name what changes, once', () => {
    const hours = [21, 24, 27].map((hour) => Date.UTC(2026, 10, 14, hour) / 1000);
    assert.deepEqual(formatTicks(hours, 3 * 3600, true, 'en-GB'), ['21:00\n14 Nov', '00:00\n15 Nov', '03:00']);
    const days = [30, 31, 32].map((day) => Date.UTC(2026, 11, day) / 1000);
    assert.deepEqual(formatTicks(days, 86_400, true, 'en-US'), ['Dec 30\n2026', 'Dec 31', 'Jan 1\n2027']);
    assert.deepEqual(formatTicks(days.slice(2), 30 * 86_400, true, 'de'), ['Jan\n2027']);
    assert.deepEqual(formatTicks(days.slice(2), 365 * 86_400, true, 'de'), ['2027']);
  });

  test('ticks are as far apart as points; beside a single point they can be anywhere', () => {
    assert.equal(getStep([0, 86_400, 90_000, 172_800]), 3600);
    assert.deepEqual([getStep([5]), getStep([])], [0, 0]);
  });

  test('incomplete intervals are marked to the next point; a single one that is in progress, from its start', () => {
    const extent = [0, 40] as const;
    assert.deepEqual(getIncompleteRanges([0, 30], [0, 10, 20, 30], extent), [
      [0, 10],
      [20, 40],
    ]);
    assert.deepEqual(getIncompleteRanges([30], [30], extent), [[30, 40]]);
    assert.deepEqual(getIncompleteRanges([0], [0], extent), [[0, 40]]);
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
      [at(-1), at(0), at(0, 59), at(1, 0), at(1), at(2, 0)].map((seconds) =>
        formatTime(seconds, false, false, 'en-GB'),
      ),
      [
        '25 Oct 2026, 01:30',
        '25 Oct 2026, 02:30:00 CEST',
        '25 Oct 2026, 02:59:00 CEST',
        '25 Oct 2026, 02:00:00 CET',
        '25 Oct 2026, 02:30:00 CET',
        '25 Oct 2026, 03:00',
      ],
    );
    assert.equal(formatTime(at(1), true, false, 'en-GB'), '25 Oct 2026, 01:30');
    // In spring an hour is missing, and none is there twice.
    assert.equal(formatTime(Date.UTC(2026, 2, 29, 1, 30) / 1000, false, false, 'en-GB'), '29 Mar 2026, 03:30');
    // A field that nobody has changed keeps its moment, whichever of the two it is.
    for (const iso of ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z', '2026-10-25T10:00:07.000Z'])
      assert.equal(parseInputValue(formatInputValue(iso, false), false, iso), iso);
    assert.equal(parseInputValue('2026-10-26T02:30', false, '2026-10-25T01:30:00.000Z'), '2026-10-26T01:30:00.000Z');
  });
});
