/** Moments as the dashboard writes them: in UTC or in the zone of this machine, which is always named. */

/** IANA name of the zone that is shown. */
export function zoneOf(utc: boolean): string {
  return utc ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * `2026-11-21 06:00` in that zone; seconds only where there are any. Where the clocks go back, two moments have the same time: there
 * the offset follows, `2026-10-25 02:30 +02:00`.
 */
export function momentText(seconds: number, utc: boolean): string {
  const parts = partsOf(seconds * 1000, utc);
  const offset = !utc && isTwice(seconds * 1000) ? ` ${offsetText(offsetOf(seconds * 1000))}` : '';
  return `${parts.date} ${parts.time}${parts.second === '00' ? '' : `:${parts.second}`}${offset}`;
}

/** Minutes that the zone of this machine is ahead of UTC then. */
function offsetOf(moment: number): number {
  return -new Date(moment).getTimezoneOffset();
}

const HALF_DAY = 12 * 3_600_000;

/** Whether another moment has the same local time. */
function isTwice(moment: number): boolean {
  const offset = offsetOf(moment);
  return [moment - HALF_DAY, moment + HALF_DAY].some((near) => {
    const other = offsetOf(near);
    return other !== offset && offsetOf(moment + (offset - other) * 60_000) === other;
  });
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '−' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

interface Parts {
  readonly date: string;
  readonly time: string;
  readonly second: string;
}

function partsOf(moment: number, utc: boolean): Parts {
  const date = new Date(utc ? moment : moment - new Date(moment).getTimezoneOffset() * 60_000);
  if (Number.isNaN(date.getTime())) return { date: '—', time: '', second: '00' };
  const iso = date.toISOString();
  return { date: iso.slice(0, -14), time: iso.slice(-13, -8), second: iso.slice(-7, -5) };
}

/** What an input of type `datetime-local` shows for an ISO moment in UTC. */
export function toInput(iso: string, utc: boolean): string {
  const moment = Date.parse(iso);
  if (Number.isNaN(moment)) return '';
  const { date, time } = partsOf(moment, utc);
  return `${date}T${time}`;
}

/** The ISO moment in UTC of what such an input holds; empty for nothing. `known`: what it showed, which it still is when unchanged. */
export function fromInput(text: string, utc: boolean, known = ''): string {
  if (known !== '' && toInput(known, utc) === text) return known;
  const moment = Date.parse(utc && text !== '' ? `${text}Z` : text);
  return Number.isNaN(moment) ? '' : new Date(moment).toISOString();
}

/** `09:53:43 UTC` */
export function clock(moment: number, utc: boolean): string {
  const { time, second } = partsOf(moment, utc);
  return `${time}:${second} ${utc ? 'UTC' : ''}`.trim();
}

/** `2026-10-07 – 2026-10-14`; with the time of day where the range is short. */
export function rangeText(from: number, until: number, utc: boolean): string {
  const text = (seconds: number): string =>
    until - from > 3 * 86_400 ? partsOf(seconds * 1000, utc).date : momentText(seconds, utc);
  return `${text(from)} – ${text(until)}`;
}
