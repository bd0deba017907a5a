import assert from 'node:assert/strict';
import { formatFullTime, formatTime, splitTime } from '../../../../../src/webviews/client/logs/time.ts';

suite('times of the action logs', () => {
  const now = new Date(2026, 10, 22, 13, 5, 9).getTime();
  const at = (...parts: readonly [number, number, number, number]): number => new Date(...parts, 7, 8, 45).getTime();
  const format = (options: Intl.DateTimeFormatOptions, time: number): string =>
    new Intl.DateTimeFormat(undefined, {
      ...options,
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }).format(time);

  test('leave out the date of today and the year of this one, in the style of the locale', () => {
    const [today, earlier, before] = [at(2026, 10, 22, 9), at(2026, 10, 21, 23), at(2025, 10, 22, 9)];
    const day = { day: 'numeric', month: 'short' } as const;
    assert.equal(formatTime(today, false, now), format({}, today));
    assert.equal(formatTime(earlier, false, now), format(day, earlier));
    assert.equal(formatTime(before, false, now), format({ ...day, year: 'numeric' }, before));
    assert.equal(formatTime(undefined, true, now), 'No time');
    assert.match(formatFullTime(before), /2025/);
  });

  test('the milliseconds are a part of their own', () => {
    const time = at(2026, 10, 21, 23);
    const parts = splitTime(time, now);
    // The parts of a format may have other spaces than its whole.
    const plain = (text: string): string => text.replace(/\s/g, ' ');
    assert.equal(plain(parts.join('')), plain(formatTime(time, true, now)));
    assert.match(parts[1], /^\D045$/);
    assert.equal(plain(parts[0] + parts[2]), plain(formatTime(time, false, now)));
  });
});
