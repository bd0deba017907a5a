/** Time ranges, intervals and the windows that a long range is read in (pure). All moments are milliseconds of UTC. */
import { own } from '../platform/json.ts';

/** Its end is excluded. */
export interface Window {
  readonly from: number;
  readonly until: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** on average */
const MONTH = (365.25 / 12) * DAY;
/** A window is not cut below this. */
export const NARROWEST = MINUTE;

const UNITS: Readonly<Record<string, number>> = {
  m: MINUTE,
  min: MINUTE,
  minute: MINUTE,
  h: HOUR,
  hour: HOUR,
  hourly: HOUR,
  d: DAY,
  day: DAY,
  daily: DAY,
  w: 7 * DAY,
  week: 7 * DAY,
  weekly: 7 * DAY,
  mo: 30 * DAY,
  month: 30 * DAY,
  monthly: 30 * DAY,
  y: 365 * DAY,
  year: 365 * DAY,
  yearly: 365 * DAY,
};

/** `30d`, `24 hours`, `week`, `1d` → milliseconds; months and years are about. `undefined` for words of their own. */
export function lengthOf(text: string): number | undefined {
  const found = /^\s*(?:last[\s_-]*)?(\d{1,5})?[\s_-]*([a-z]+?)s?\s*$/i.exec(text);
  const word = found?.[2] ?? '';
  // `1M` is a month, `1m` a minute.
  const unit = own(UNITS, word === 'M' ? 'mo' : word.toLowerCase());
  return unit === undefined ? undefined : Number(found?.[1] ?? 1) * unit;
}

/** Where windows may meet without cutting through an interval. */
function align(moment: number, step: number | undefined): number {
  if (step === undefined || step > 7 * DAY) return Math.round(moment / DAY) * DAY;
  // 1970 began on a Thursday; weeks begin on Mondays.
  const origin = step === 7 * DAY ? 4 * DAY : 0;
  return Math.round((moment - origin) / step) * step + origin;
}

/** What the controls ask for in time, as far as it can be told; a date range goes before the words of a time range. */
export function windowOf(
  asked: { readonly from: string; readonly until: string; readonly timeRange: string },
  now: number,
): Window | undefined {
  const from = asked.from === '' ? undefined : Date.parse(asked.from);
  const until = asked.until === '' ? now : Date.parse(asked.until);
  if (Number.isNaN(until)) return undefined;
  if (from !== undefined) return from < until ? { from, until } : undefined;
  const length = asked.timeRange === '' ? undefined : lengthOf(asked.timeRange);
  return length === undefined ? undefined : { from: until - length, until };
}

/** The period before: of the same length, or of as many calendar months where intervals are months or longer. */
export function before({ from, until }: Window, step: number | undefined): Window {
  const length = until - from;
  const start = monthsIn(length, step) > 0 ? moved(from, -length, step, 0) : from - length;
  return { from: start, until: from };
}

/** Whole months of such a length, in multiples of an interval; 0 where intervals are no calendar months. */
function monthsIn(length: number, step: number | undefined): number {
  if (step === undefined || step < 28 * DAY) return 0;
  const each = Math.round(step / (30 * DAY));
  return Math.round(Math.abs(length) / MONTH / each) * each;
}

/**
 * A moment moved on by `length`, to where an interval begins: by whole months where intervals are months or longer, which
 * differ in length, else onto the beat of this period's intervals, of which one begins at `beat`.
 */
export function moved(moment: number, length: number, step: number | undefined, beat: number): number {
  if (step === undefined) return moment + length;
  if (step < 28 * DAY) return Math.round((moment + length - beat) / step) * step + beat;
  // A month may begin at midnight elsewhere, on the last day of the month before.
  const date = new Date(moment + DAY / 2);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + Math.sign(length) * monthsIn(length, step));
  // The 31st of a shorter month is its last day.
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime() - DAY / 2;
}

/**
 * `pieces` windows that cover the given one exactly, in order of time, meeting at interval boundaries where there are
 * any; one window when it is too narrow to be cut.
 */
export function split(window: Window, pieces: number, step: number | undefined): readonly Window[] {
  const { from, until } = window;
  if (until - from < 2 * NARROWEST) return [window];
  const cuts = new Set<number>();
  for (let piece = 1; piece < pieces; piece++) {
    const exact = from + ((until - from) * piece) / pieces;
    const aligned = align(exact, step);
    cuts.add(aligned > from && aligned < until ? aligned : Math.round(exact / NARROWEST) * NARROWEST);
  }
  const inside = [...cuts].filter((cut) => cut > from && cut < until).sort((a, b) => a - b);
  const edges = [from, ...inside, until];
  return edges.slice(1).map((edge, index) => ({ from: edges[index] ?? from, until: edge }));
}
