import { chooseInterval } from '../../protocol/statistics.ts';

/** Shortest zoom in seconds. */
const MIN_LENGTH = 300;
const DAY = 86_400_000;

/**
 * Converts a selected range in seconds since the epoch to dates: widened to whole intervals, so that none is cut at the
 * edges, and open if it reaches `now` (milliseconds since the epoch). `undefined` if it lies in the future.
 */
export function getZoomDates(
  from: number,
  until: number,
  now: number,
): { readonly from: string; readonly until: string } | undefined {
  const missing = Math.max(0, MIN_LENGTH - (until - from)) / 2;
  const [first, last] = [(from - missing) * 1000, (until + missing) * 1000];
  const step = Math.min(chooseInterval(last - first).length, DAY);
  const [start, end] = [Math.floor(first / step) * step, Math.ceil(last / step) * step];
  if (start >= now) return undefined;
  return { from: new Date(start).toISOString(), until: end >= now ? '' : new Date(end).toISOString() };
}
