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
}

export interface ReadOptions {
  /** One request: of the whole (`undefined`), or of a window of `when_created`. */
  readonly read: (window: Window | undefined) => Promise<readonly Point[]>;
  /** the whole in time, where it can be told */
  readonly window: Window | undefined;
  /** points asked for at a time */
  readonly limit: number;
  /** milliseconds of an interval, where it can be told */
  readonly step: number | undefined;
  readonly maxRequests: number;
}

/** Sizes that deployments are known to cut at, whatever was asked. */
const CAPS = new Set([25, 100]);
/** Pieces are made to hold about this part of what an answer can. */
const FILL = 0.7;

export function isCut(count: number, limit: number): boolean {
  return count > 0 && (count === limit || CAPS.has(count));
}

/** Throws what `read` throws. */
export async function readSeries(options: ReadOptions): Promise<Reading> {
  const { read, window, limit, step, maxRequests } = options;
  const whole = await read(undefined);
  if (!isCut(whole.length, limit)) return { points: whole };
  if (window === undefined)
    return {
      points: whole,
      truncated: 'the answer was cut, and what its time range means is not known; choose From to have it read in parts',
    };
  let requests = 1;
  let crowded: number | undefined;
  const points: Point[] = [];
  const queue: Window[] = [...split(window, piecesFor(window, whole, step, maxRequests - requests), step)];
  while (queue.length > 0) {
    if (requests >= maxRequests) {
      const missing = minute(queue.at(-1)?.until ?? window.until);
      return {
        points: merge(points),
        truncated: `reading stopped after ${requests} requests; what is before ${missing} is incomplete`,
      };
    }
    // The latest first, that is what matters most. Four at a time: other rooms use the client too.
    const batch = queue.splice(-Math.min(4, maxRequests - requests));
    requests += batch.length;
    const answers = await Promise.all(batch.map((part) => read(part)));
    for (const [index, part] of batch.entries()) {
      const found = answers[index] ?? [];
      if (strays(found, part, step))
        return { points: whole, truncated: 'the answer was cut, and the platform does not keep to when_created' };
      if (!isCut(found.length, limit)) {
        points.push(...found);
        continue;
      }
      if (part.until - part.from < 2 * NARROWEST) {
        // What the answer holds is all there is to get of it; the rest of the time is read on.
        points.push(...found);
        crowded = part.from;
        continue;
      }
      queue.push(...split(part, 2, step));
    }
  }
  if (crowded === undefined) return { points: merge(points) };
  return { points: merge(points), truncated: `a single minute, ${minute(crowded)}, holds more points than an answer` };
}

function minute(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** As many windows as the density of what came makes likely to do. */
function piecesFor({ from, until }: Window, points: readonly Point[], step: number | undefined, most: number): number {
  const times = [...new Set(points.flatMap(({ when }) => when ?? []))].sort((a, b) => a - b);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const seen = last - first + (step ?? 0);
  if (seen <= 0) return 2;
  const expected = (points.length * (until - from)) / seen;
  return Math.min(Math.max(2, Math.ceil(expected / (points.length * FILL))), Math.max(2, most));
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
