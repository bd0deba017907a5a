/** Formats times in the user's locale and zone. */
import { getDateLocale, getDisplayLanguage } from '../../platform/text/localization.ts';
import { getOrAdd } from '../../platform/get-or-add.ts';

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

/** `3 hours ago`, `in 2 days`, `now`. */
export function formatRelativeTime(time: number, now = Date.now(), locale = getDisplayLanguage()): string {
  const difference = time - now;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(difference) >= size) ?? ['second', 1000];
  const count = Math.trunc(difference / length);
  return new Intl.RelativeTimeFormat(locale, { numeric: count === 0 ? 'auto' : 'always' }).format(count, unit);
}

/** `2 hours ago`, `in 47 hours`, `0 seconds ago`: always a number, in the largest unit of which there are two or more. */
export function formatTimeDistance(time: number, now: number): string {
  const [count, unit] = splitDuration(Math.abs(time - now));
  // The format takes negative zero as past.
  return new Intl.RelativeTimeFormat(getDisplayLanguage(), { numeric: 'always' }).format(
    time > now ? count : -count,
    unit,
  );
}

/** Returns a duration in the largest unit of which there are two or more. */
function splitDuration(milliseconds: number): readonly [count: number, unit: 'day' | 'hour' | 'minute' | 'second'] {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ] as const;
  const [unit, size] = units.find(([, length]) => milliseconds >= 2 * length) ?? ['second', 1000];
  return [Math.floor(milliseconds / size), unit];
}

export const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
export const DAY = { day: 'numeric', month: 'short' } as const;
export const YEAR = { year: 'numeric' } as const;

// Creating a format takes longer than using it a hundred times, and lists format every scrolled row.
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a format in the user's locale. */
export function getDateTimeFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  return getOrAdd(formats, key, () => new Intl.DateTimeFormat(getDateLocale(), options));
}

/** Returns the options of a time; they leave out the date of today, and the year of this one. */
export function getTimestampOptions(time: number, now: number): Intl.DateTimeFormatOptions {
  const date = new Date(time);
  const today = new Date(now);
  if (date.toDateString() === today.toDateString()) return CLOCK;
  return date.getFullYear() === today.getFullYear() ? { ...DAY, ...CLOCK } : { ...YEAR, ...DAY, ...CLOCK };
}

/** `Sat, May 3, 2025, 02:05:09 PM GMT+2` in the style of the user's locale, in this machine's zone. */
export function formatLocalTime(time: number, zone?: string): string {
  const options = { weekday: 'short', ...YEAR, ...DAY, ...CLOCK, timeZoneName: 'short' } as const;
  return getDateTimeFormat({ ...options, ...(zone !== undefined && { timeZone: zone }) }).format(time);
}

/** `02:05:09 PM` in the style of the user's locale. */
export function formatClockTime(time: number): string {
  return getDateTimeFormat(CLOCK).format(time);
}

/** `02:05:09 PM`, with the date if it is not today: `Mar 2, 02:05:09 PM`, in the style of the user's locale. */
export function formatTimestamp(time: number, now = Date.now()): string {
  return getDateTimeFormat(getTimestampOptions(time, now)).format(time);
}

// The contract's date-times: ISO 8601, with an offset.
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;

/** Milliseconds since the epoch of a date-time as the contract writes it; `undefined` for anything else. */
export function parseDateTime(text: string): number | undefined {
  const time = DATE_TIME.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** `-24h`, or `24h`: a filter date relative to now. */
export const RELATIVE_DATE = /^-?(\d{1,4})([mhd])$/;
const UNIT_MILLISECONDS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Resolves a relative date to ISO 8601; other text is returned unchanged. */
export function resolveRelativeDate(text: string, now: number): string {
  const [, amount, unit = ''] = RELATIVE_DATE.exec(text) ?? [];
  const size = UNIT_MILLISECONDS[unit];
  return amount === undefined || size === undefined ? text : new Date(now - Number(amount) * size).toISOString();
}
