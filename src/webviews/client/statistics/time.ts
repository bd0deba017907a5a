/** Name of the zone shown: UTC or the local IANA name. */
export function getZoneName(utc: boolean): string {
  return utc ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * Formats seconds since the epoch as `2026-11-21 06:00`, with seconds if they are not zero. A local time that occurs twice
 * when clocks go back has its offset: `2026-10-25 02:30 +02:00`.
 */
export function formatTime(seconds: number, utc: boolean): string {
  const parts = getTimeParts(seconds * 1000, utc);
  const offset = !utc && isAmbiguous(seconds * 1000) ? ` ${formatOffset(getOffset(seconds * 1000))}` : '';
  return `${parts.date} ${parts.time}${parts.second === '00' ? '' : `:${parts.second}`}${offset}`;
}

/** Offset of local time from UTC in minutes. */
function getOffset(moment: number): number {
  return -new Date(moment).getTimezoneOffset();
}

const HALF_DAY = 12 * 3_600_000;

/** True if another moment has the same local time. */
function isAmbiguous(moment: number): boolean {
  const offset = getOffset(moment);
  return [moment - HALF_DAY, moment + HALF_DAY].some((near) => {
    const other = getOffset(near);
    return other !== offset && getOffset(moment + (offset - other) * 60_000) === other;
  });
}

function formatOffset(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '−' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

interface TimeParts {
  readonly date: string;
  readonly time: string;
  readonly second: string;
}

function getTimeParts(moment: number, utc: boolean): TimeParts {
  const date = new Date(utc ? moment : moment - new Date(moment).getTimezoneOffset() * 60_000);
  if (Number.isNaN(date.getTime())) return { date: '—', time: '', second: '00' };
  const iso = date.toISOString();
  return { date: iso.slice(0, -14), time: iso.slice(-13, -8), second: iso.slice(-7, -5) };
}

/** Converts an ISO time in UTC to the value of a `datetime-local` input. */
export function formatInputValue(iso: string, utc: boolean): string {
  const moment = Date.parse(iso);
  if (Number.isNaN(moment)) return '';
  const { date, time } = getTimeParts(moment, utc);
  return `${date}T${time}`;
}

/** Converts the value of such an input to an ISO time in UTC; empty if it is empty. `known`: the time it showed, returned if unchanged. */
export function parseInputValue(text: string, utc: boolean, known = ''): string {
  if (known !== '' && formatInputValue(known, utc) === text) return known;
  const moment = Date.parse(utc && text !== '' ? `${text}Z` : text);
  return Number.isNaN(moment) ? '' : new Date(moment).toISOString();
}

/** Formats milliseconds since the epoch as `09:53:43 UTC`. */
export function formatClock(moment: number, utc: boolean): string {
  const { time, second } = getTimeParts(moment, utc);
  return `${time}:${second} ${utc ? 'UTC' : ''}`.trim();
}

/** Formats a range in seconds since the epoch as `2026-10-07 – 2026-10-14`, with the time of day if it is short. */
export function formatRange(from: number, until: number, utc: boolean): string {
  const text = (seconds: number): string =>
    until - from > 3 * 86_400 ? getTimeParts(seconds * 1000, utc).date : formatTime(seconds, utc);
  return `${text(from)} – ${text(until)}`;
}
