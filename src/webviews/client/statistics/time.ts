/** Moments as the dashboard writes them: in UTC or in the zone of this machine, which is always named. */

/** IANA name of the zone that is shown. */
export function zoneOf(utc: boolean): string {
  return utc ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** `2026-11-21 06:00` in that zone; seconds only where there are any. */
export function momentText(seconds: number, utc: boolean): string {
  const parts = partsOf(seconds * 1000, utc);
  return `${parts.date} ${parts.time}${parts.second === '00' ? '' : `:${parts.second}`}`;
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

/** The ISO moment in UTC of what such an input holds; empty for nothing. */
export function fromInput(text: string, utc: boolean): string {
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
