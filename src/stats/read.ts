/** Reads a whole series although the contract has no next page: what is cut is read again in narrower windows (pure). */
import { split, NARROWEST, type Window } from './windows.ts';

/** A point as far as it says anything. */
export interface Point {
  readonly id?: string | undefined;
  readonly key?: string | undefined;
  /** milliseconds since the epoch */
  readonly when?: number | undefined;
  /** count or fee as the server wrote it */
  readonly value?: unknown;
}

export interface Reading {
  readonly points: readonly Point[];
  /** why not all points may be there; `undefined` when none is known to be missing */
  readonly truncated?: string;
  /** points that an answer held more than once, each further time */
  readonly doubled?: number;
}

export interface ReadOptions {
  /** One request for so many points: of the whole (`undefined`), or of a window of `when_created`. */
  readonly read: (window: Window | undefined, limit: number) => Promise<readonly Point[]>;
  /** the whole in time, where it can be told */
  readonly window: Window | undefined;
  /** points of the first answer; windows are asked for as many as there may be */
  readonly limit: number;
  /** milliseconds of an interval, where it can be told */
  readonly step: number | undefined;
  readonly maxRequests: number;
}

/** The contract's maximum. */
export const MOST_POINTS = 100;
/** Sizes that deployments are known to cut at, whatever was asked. */
const CAPS = new Set([25, 100]);
/** Pieces are made to hold about this part of what an answer can. */
const FILL = 0.7;

export function isCut(count: number, limit: number): boolean {
  return count > 0 && (count === limit || CAPS.has(count));
}

/** Throws what `read` throws. */
export async function readSeries(options: ReadOptions): Promise<Reading> {
  // How long an answer is tells whether it was cut: each point is counted until then.
  const doubles = new Set<Point>();
  const reading = await readParts({
    ...options,
    read: async (window, limit) => {
      const points = await options.read(window, limit);
      for (const point of doublesOf(points)) doubles.add(point);
      return points;
    },
  });
  const points = reading.points.filter((point) => !doubles.has(point));
  const doubled = reading.points.length - points.length;
  return doubled === 0 ? reading : { ...reading, points, doubled };
}

/** The same point of one answer once more: alike in time, key, id and value. Parts of one have different answers or values. */
function doublesOf(points: readonly Point[]): readonly Point[] {
  const seen = new Set<string>();
  return points.filter(({ id, key, when, value }) => {
    if (when === undefined || (id === undefined && key === undefined)) return false;
    const same = JSON.stringify([id, key, when, String(value)]);
    return seen.has(same) || !seen.add(same);
  });
}

async function readParts(options: ReadOptions): Promise<Reading> {
  const { read, window, limit, step, maxRequests } = options;
  const whole = await read(undefined, limit);
  if (!isCut(whole.length, limit)) return { points: whole };
  if (window === undefined)
    return {
      points: whole,
      truncated: 'the answer was cut, and what its time range means is not known; choose From to have it read in parts',
    };
  // Fewer than the first look found would be a step back.
  const found = (points: readonly Point[], truncated?: string): Reading => {
    if (points.length < whole.length)
      return { points: whole, truncated: truncated ?? 'the answer was cut, and its parts hold less than the whole' };
    return { points: merge(points), ...(truncated !== undefined && { truncated }) };
  };
  let requests = 1;
  let crowded: Window | undefined;
  const points: Point[] = [];
  const queue: Window[] = [...split(window, piecesFor(window, whole, limit, step, maxRequests - requests), step)];
  while (queue.length > 0) {
    if (requests >= maxRequests) {
      const missing = minute(queue.at(-1)?.until ?? window.until);
      return found(points, `reading stopped after ${requests} requests; what is before ${missing} is incomplete`);
    }
    // The latest first, that is what matters most. Four at a time: other rooms use the client too.
    const batch = queue.splice(-Math.min(4, maxRequests - requests));
    requests += batch.length;
    const answers = await Promise.all(batch.map((part) => read(part, MOST_POINTS)));
    for (const [index, part] of batch.entries()) {
      const answer = answers[index] ?? [];
      if (strays(answer, part, step))
        return { points: whole, truncated: 'the answer was cut, and the platform does not keep to when_created' };
      if (!isCut(answer.length, MOST_POINTS)) points.push(...answer);
      else if (isCrowded(answer, part, step)) {
        // What the answer holds is all there is to get of it; the rest of the time is read on.
        points.push(...answer);
        crowded = part;
      } else queue.push(...split(part, 2, step));
    }
  }
  if (crowded === undefined) return found(points);
  const short = crowded.until - crowded.from < 2 * NARROWEST;
  const what = short ? `a single minute, ${minute(crowded.from)},` : `the time from ${minute(crowded.from)}`;
  return found(points, `${what} holds more points than an answer`);
}

/** One interval with more keys than an answer holds is read in parts as far as these may help, and no further. */
function isCrowded(points: readonly Point[], { from, until }: Window, step: number | undefined): boolean {
  if (until - from < 2 * NARROWEST) return true;
  const [first] = points;
  if (first?.when === undefined || points.some(({ when }) => when !== first.when)) return false;
  return step === undefined || until - from <= step / 8;
}

function minute(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** As many windows as the density of what came makes likely to do. */
function piecesFor(
  { from, until }: Window,
  points: readonly Point[],
  limit: number,
  step: number | undefined,
  most: number,
): number {
  const times = [...new Set(points.flatMap(({ when }) => when ?? []))].sort((a, b) => a - b);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const seen = last - first + (step ?? 0);
  if (seen <= 0) return 2;
  const expected = (points.length * (until - from)) / seen;
  // Fewer than that were asked for: an answer may hold more.
  const holds = points.length === limit ? MOST_POINTS : points.length;
  return Math.min(Math.max(2, Math.ceil(expected / (holds * FILL))), Math.max(2, most));
}

/** A point far outside of the window shows that the window was not kept to. An interval may begin before it does. */
function strays(points: readonly Point[], { from, until }: Window, step: number | undefined): boolean {
  const slack = Math.max(step ?? 0, 31 * 86_400_000 * (step === undefined ? 1 : 0));
  return points.some(({ when }) => when !== undefined && (when >= until || when < from - slack));
}

/**
 * Windows share no moment, so two points of one time and key are two parts of one, and are kept: they are summed when
 * series are made. Only the order is put right.
 */
function merge(points: readonly Point[]): readonly Point[] {
  return [...points].sort((a, b) => (a.when ?? 0) - (b.when ?? 0));
}
