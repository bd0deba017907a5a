/** Pure: texts of a server on one line of the tree, and in quick picks; times and numbers as people say them. */
import { plainText } from '../platform/plain-text.ts';
import { clockTime, localTime as longTime, parseDateTime, relativeTime as away } from '../ui/times.ts';

/** Characters of a label; the tooltip has room for more. */
export const LABEL = 80;

/** One line of at most `longest` characters, without runs of spaces. */
export function oneLine(text: string, longest = LABEL): string {
  return plainText(text.slice(0, longest * 8).replace(/\s+/g, ' '), longest);
}

/** For quick picks, which would draw `$(name)` as an icon. */
export function pickText(text: string, longest = LABEL): string {
  return oneLine(text, longest).replaceAll('$(', '$ (');
}

/** `5 minutes ago`; what is no time is shown as it stands. */
export function relativeTime(when: string, now: number): string {
  const time = parseDateTime(when);
  return time === undefined ? oneLine(when, 30) : away(time, now);
}

/** With the zone, for tooltips. */
export function localTime(when: number | string): string {
  const time = typeof when === 'number' ? when : parseDateTime(when);
  return time === undefined ? oneLine(String(when), 40) : longTime(time);
}

/** `14:05:09`, with the day where it is another than today. */
export function asOf(time: number, now: number): string {
  return new Date(time).toDateString() === new Date(now).toDateString() ? clockTime(time) : longTime(time);
}

/** `12,300` */
export function countText(count: number): string {
  return count.toLocaleString('en-US');
}
