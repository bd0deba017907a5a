/** Dates and times of the action logs, all in the date style of the user's locale and zone. */

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;
const YEAR = { year: 'numeric' } as const;
const MILLISECONDS = { fractionalSecondDigits: 3 } as const;

// Creating a format takes longer than using it a hundred times.
const formats = new Map<string, Intl.DateTimeFormat>();

function getFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = Object.keys(options).join();
  let format = formats.get(key);
  if (format === undefined) formats.set(key, (format = new Intl.DateTimeFormat(undefined, options)));
  return format;
}

/** Leaves out the date of today, and the year of this one. */
function getOptions(time: number, now: number): Intl.DateTimeFormatOptions {
  const date = new Date(time);
  const today = new Date(now);
  if (date.toDateString() === today.toDateString()) return CLOCK;
  return date.getFullYear() === today.getFullYear() ? { ...DAY, ...CLOCK } : { ...YEAR, ...DAY, ...CLOCK };
}

/** Formats milliseconds since the epoch as `Nov 16, 10:00:05 AM`, without the date if it is today. `exact`: with milliseconds. */
export function formatTime(time: number, exact = false, now = Date.now()): string {
  const options = getOptions(time, now);
  return getFormat(exact ? { ...options, ...MILLISECONDS } : options).format(time);
}

/** As `formatTime`, in three parts of which the second is the milliseconds with their separator. */
export function splitTime(time: number, now = Date.now()): readonly [string, string, string] {
  const parts = getFormat({ ...getOptions(time, now), ...MILLISECONDS })
    .formatToParts(time)
    .map(({ type, value }) => ({ value, isFraction: type === 'fractionalSecond' }));
  const at = parts.findIndex(({ isFraction }) => isFraction);
  const join = (from: number, to?: number): string =>
    parts
      .slice(from, to)
      .map(({ value }) => value)
      .join('');
  return [join(0, at - 1), join(at - 1, at + 1), join(at + 1)];
}

/** Formats milliseconds since the epoch with weekday, year, milliseconds and zone. */
export function formatFullTime(time: number): string {
  const options = { weekday: 'short', ...YEAR, ...DAY, ...CLOCK, ...MILLISECONDS, timeZoneName: 'short' } as const;
  return getFormat(options).format(time);
}
