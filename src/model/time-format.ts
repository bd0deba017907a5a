/** Formats times in the user's locale and zone. */

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

/** `3 hours ago`, `in 2 days`, `now`. */
export function formatRelativeTime(time: number, now = Date.now(), locale = 'en'): string {
  const difference = time - now;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(difference) >= size) ?? ['second', 1000];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.trunc(difference / length), unit);
}

/** `2 hours`, `65 minutes`, `1 second`: in the largest unit of which there are two or more. */
export function formatDuration(milliseconds: number, locale = 'en'): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ] as const;
  const [unit, size] = units.find(([, length]) => milliseconds >= 2 * length) ?? ['second', 1000];
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 });
  return format.format(Math.floor(milliseconds / size));
}

/** `Sat, 3 May 2025, 14:05:09 GMT+2` in this machine's zone. */
export function formatLocalTime(time: number, zone?: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    ...(zone !== undefined && { timeZone: zone }),
  }).format(time);
}

const padTwoDigits = (value: number): string => String(value).padStart(2, '0');
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `14:05:09`; without Intl, since lists format every scrolled row. */
export function formatClockTime(time: number): string {
  const date = new Date(time);
  return `${padTwoDigits(date.getHours())}:${padTwoDigits(date.getMinutes())}:${padTwoDigits(date.getSeconds())}`;
}

/** `14:05:09`, with the date where it is not today: `2 Mar 14:05:09`, `2 Mar 2025 14:05:09`. */
export function formatTimestamp(time: number, now = Date.now()): string {
  const date = new Date(time);
  const today = new Date(now);
  const year = date.getFullYear() === today.getFullYear() ? '' : ` ${date.getFullYear()}`;
  const isToday = year === '' && date.getDate() === today.getDate() && date.getMonth() === today.getMonth();
  return `${isToday ? '' : `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''}${year} `}${formatClockTime(time)}`;
}

// The contract's date-times: ISO 8601, with an offset.
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;

/** Milliseconds since the epoch of a date-time as the contract writes it; `undefined` for anything else. */
export function parseDateTime(text: string): number | undefined {
  const time = DATE_TIME.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** `-24h`, `-7d`: a filter date relative to now. */
export const RELATIVE_DATE = /^-(\d{1,4})([mhd])$/;
const UNIT_MILLISECONDS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Resolves a relative date to ISO 8601; other text is returned unchanged. */
export function resolveRelativeDate(text: string, now: number): string {
  const [, amount, unit = ''] = RELATIVE_DATE.exec(text) ?? [];
  const size = UNIT_MILLISECONDS[unit];
  return amount === undefined || size === undefined ? text : new Date(now - Number(amount) * size).toISOString();
}
