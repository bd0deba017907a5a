/** Times of the dashboard in the style of a locale; by default the display language. */
import { getDateLocale } from '../../../platform/text/localization.ts';

/** Name of the zone shown: UTC or the local IANA name. */
export function getZoneName(utc: boolean): string {
  return utc ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function getFormatter(utc: boolean, locale: string | undefined, style: Intl.DateTimeFormatOptions) {
  return new Intl.DateTimeFormat(locale, { ...style, ...(utc && { timeZone: 'UTC' }) });
}

/**
 * Formats seconds since the epoch as `Nov 21, 2026, 6:00 AM`, with seconds if they are not zero and without the time of
 * day if `dateOnly`. A local time that occurs twice when clocks go back has its offset.
 */
export function formatTime(seconds: number, utc: boolean, dateOnly = false, locale = getDateLocale()): string {
  const moment = seconds * 1000;
  if (Number.isNaN(new Date(moment).getTime())) return '—';
  const timeStyle = !utc && isAmbiguous(moment) ? 'long' : moment % 60_000 === 0 ? 'short' : 'medium';
  return getFormatter(utc, locale, { dateStyle: 'medium', ...(!dateOnly && { timeStyle }) }).format(moment);
}

/** Formats milliseconds since the epoch as `09:53:43 UTC`. */
export function formatClock(moment: number, utc: boolean, locale = getDateLocale()): string {
  return `${getFormatter(utc, locale, { timeStyle: 'medium' }).format(moment)}${utc ? ' UTC' : ''}`;
}

/** Formats a range in seconds since the epoch as `Oct 7 – 14, 2026`, with the time of day if it is short. */
export function formatRange(from: number, until: number, utc: boolean, locale = getDateLocale()): string {
  const isShort = until - from <= 3 * DAY;
  const formatter = getFormatter(utc, locale, { dateStyle: 'medium', ...(isShort && { timeStyle: 'short' }) });
  return formatter.formatRange(from * 1000, until * 1000);
}

const DAY = 86_400;

/**
 * Formats the ticks of a time axis, given in seconds and `increment` seconds apart: years, months, days or times of day.
 * The second line of a tick has what changes less often, if it differs from the tick before.
 */
export function formatTicks(
  ticks: readonly number[],
  increment: number,
  utc: boolean,
  locale = getDateLocale(),
): string[] {
  const [style, second] = getTickStyle(increment);
  const format = (style: Intl.DateTimeFormatOptions): readonly string[] => {
    const formatter = getFormatter(utc, locale, style);
    return ticks.map((seconds) => formatter.format(seconds * 1000));
  };
  const lower = second === undefined ? [] : format(second);
  return format(style).map((text, index) =>
    lower[index] === lower[index - 1] ? text : `${text}\n${lower[index] ?? ''}`,
  );
}

function getTickStyle(increment: number): readonly [Intl.DateTimeFormatOptions, Intl.DateTimeFormatOptions?] {
  if (increment >= 365 * DAY) return [{ year: 'numeric' }];
  if (increment >= 28 * DAY) return [{ month: 'short' }, { year: 'numeric' }];
  if (increment >= DAY) return [{ day: 'numeric', month: 'short' }, { year: 'numeric' }];
  return [{ timeStyle: increment >= 60 ? 'short' : 'medium' }, { day: 'numeric', month: 'short' }];
}

/** Shortest distance between times; 0 if there is only one, so that ticks can be anywhere. */
export function getStep(times: readonly number[]): number {
  const distances = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  return distances.length === 0 ? 0 : Math.min(...distances);
}

/** Ranges up to the point after an incomplete first interval, and from the point before an incomplete last one. */
export function getIncompleteRanges(
  incomplete: readonly number[],
  times: readonly number[],
  [from, until]: readonly [number, number],
): readonly (readonly [number, number])[] {
  return incomplete.map((time) => {
    const index = times.indexOf(time);
    return time === incomplete.at(-1) && time > from
      ? [times[index - 1] ?? time, until]
      : [from, times[index + 1] ?? until];
  });
}

/** Offset of local time from UTC in minutes. */
function getOffset(moment: number): number {
  return -new Date(moment).getTimezoneOffset();
}

/** True if another moment has the same local time. */
function isAmbiguous(moment: number): boolean {
  const offset = getOffset(moment);
  return [moment - (DAY / 2) * 1000, moment + (DAY / 2) * 1000].some((near) => {
    const other = getOffset(near);
    return other !== offset && getOffset(moment + (offset - other) * 60_000) === other;
  });
}

/** Converts an ISO time in UTC to the value of a `datetime-local` input. */
export function formatInputValue(iso: string, utc: boolean): string {
  const moment = Date.parse(iso);
  if (Number.isNaN(moment)) return '';
  return new Date(utc ? moment : moment + getOffset(moment) * 60_000).toISOString().slice(0, -8);
}

/** Converts the value of such an input to an ISO time in UTC; empty if it is empty. `known`: the time it showed, returned if unchanged. */
export function parseInputValue(text: string, utc: boolean, known = ''): string {
  if (known !== '' && formatInputValue(known, utc) === text) return known;
  const moment = Date.parse(utc && text !== '' ? `${text}Z` : text);
  return Number.isNaN(moment) ? '' : new Date(moment).toISOString();
}
