/** A time range in milliseconds since the epoch, `until` excluded. */
export interface Window {
  readonly from: number;
  readonly until: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** average length */
const MONTH = (365.25 / 12) * DAY;
/** Shortest window. */
export const MIN_WINDOW = MINUTE;

const UNITS = [
  [/^m(?:in(?:ute)?)?$/, MINUTE],
  [/^h(?:our(?:ly)?)?$/, HOUR],
  [/^d(?:ay|aily)?$/, DAY],
  [/^w(?:eek(?:ly)?)?$/, 7 * DAY],
  [/^mo(?:nth(?:ly)?)?$/, 30 * DAY],
  [/^y(?:ear(?:ly)?)?$/, 365 * DAY],
] as const;

/** Parses `30d`, `24 hours`, `week` or `1d` to milliseconds, months and years approximately; `undefined` if unknown. */
export function parseDuration(text: string): number | undefined {
  const found = /^\s*(?:last[\s_-]*)?(\d{1,5})?[\s_-]*([a-z]+?)s?\s*$/i.exec(text);
  // `1M` is a month, `1m` a minute.
  const word = found?.[2] === 'M' ? 'mo' : (found?.[2]?.toLowerCase() ?? '');
  const unit = UNITS.find(([words]) => words.test(word))?.[1];
  return unit === undefined ? undefined : Number(found?.[1] ?? 1) * unit;
}

/** Rounds a time to the boundary of an interval. */
function align(moment: number, step: number | undefined): number {
  if (step === undefined || step > 7 * DAY) return Math.round(moment / DAY) * DAY;
  // 1970 began on a Thursday; weeks begin on Mondays.
  const origin = step === 7 * DAY ? 4 * DAY : 0;
  return Math.round((moment - origin) / step) * step + origin;
}

/** Returns the requested time range, if known. Dates take precedence over a time range. */
export function getWindow(
  controls: { readonly from: string; readonly until: string; readonly timeRange: string },
  now: number,
): Window | undefined {
  const from = controls.from === '' ? undefined : Date.parse(controls.from);
  const until = controls.until === '' ? now : Date.parse(controls.until);
  if (Number.isNaN(until)) return undefined;
  if (from !== undefined) return from < until ? { from, until } : undefined;
  const length = controls.timeRange === '' ? undefined : parseDuration(controls.timeRange);
  return length === undefined ? undefined : { from: until - length, until };
}

/** Returns the period before: of the same length, or of as many calendar months if intervals are months or longer. */
export function getPeriodBefore({ from, until }: Window, step: number | undefined): Window {
  const length = until - from;
  const start = countMonths(length, step) > 0 ? shiftTime(from, -length, step, 0) : from - length;
  return { from: start, until: from };
}

/** Months in a length, in multiples of an interval; 0 if intervals are shorter than months. */
function countMonths(length: number, step: number | undefined): number {
  if (step === undefined || step < 28 * DAY) return 0;
  const each = Math.round(step / (30 * DAY));
  return Math.round(Math.abs(length) / MONTH / each) * each;
}

/**
 * Moves a time by `length` to the start of an interval: by calendar months if intervals are months or longer, otherwise
 * rounded to intervals of which one starts at `origin`.
 */
export function shiftTime(moment: number, length: number, step: number | undefined, origin: number): number {
  if (step === undefined) return moment + length;
  if (step < 28 * DAY) return Math.round((moment + length - origin) / step) * step + origin;
  // In another zone a month may start on the last UTC day of the month before.
  const date = new Date(moment + DAY / 2);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + Math.sign(length) * countMonths(length, step));
  // Clamps the day to the length of the month.
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime() - DAY / 2;
}

/** The end of the interval that starts at `start`; `step` in milliseconds. */
export function getIntervalEnd(start: number, step: number): number {
  return shiftTime(start, step, step, start);
}

/**
 * Splits a window into at most `pieces` adjacent windows in order of time, at interval boundaries if there are any. A
 * window that is too short is returned alone.
 */
export function splitWindow(window: Window, pieces: number, step: number | undefined): readonly Window[] {
  const { from, until } = window;
  if (until - from < 2 * MIN_WINDOW) return [window];
  const cuts = new Set<number>();
  for (let piece = 1; piece < pieces; piece++) {
    const exact = from + ((until - from) * piece) / pieces;
    const aligned = align(exact, step);
    cuts.add(aligned > from && aligned < until ? aligned : Math.round(exact / MIN_WINDOW) * MIN_WINDOW);
  }
  const innerCuts = [...cuts].filter((cut) => cut > from && cut < until).sort((a, b) => a - b);
  const edges = [from, ...innerCuts, until];
  return edges.slice(1).map((edge, index) => ({ from: edges[index] ?? from, until: edge }));
}
