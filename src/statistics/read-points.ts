import * as l10n from '@vscode/l10n';
import { defineRecord } from '../model/export/define-record.ts';
import { formatNumber, pluralize } from '../platform/text/localization.ts';
import { splitWindow, MIN_WINDOW, type Window } from './time-windows.ts';

/** A point of a series; fields may be missing. */
export interface Point {
  readonly id?: string | undefined;
  readonly key?: string | undefined;
  /** milliseconds since the epoch */
  readonly when?: number | undefined;
  /** count or fee as the server wrote it */
  readonly value?: unknown;
}

/** A point for programs, its value to the digit under `name`. */
export function createPointRecord(name = 'value') {
  return defineRecord<Point>({
    id: ({ id }) => id,
    key: ({ key }) => key,
    when: ({ when }) => (when === undefined ? undefined : new Date(when).toISOString()),
    [name]: ({ value }) => (typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value),
  });
}

export interface SeriesPointsResult {
  readonly points: readonly Point[];
  /** why points may be missing; `undefined` if none is known to be */
  readonly truncated?: string;
  /** number of duplicates removed */
  readonly duplicates?: number;
}

interface ReadOptions {
  /** Requests the points of a window of `when_created`, or of the whole range (`undefined`). */
  readonly read: (window: Window | undefined) => Promise<readonly Point[]>;
  /** the whole range, if known */
  readonly window: Window | undefined;
  /** milliseconds of an interval, if known */
  readonly step: number | undefined;
  readonly maxRequests: number;
}

/** Numbers of points at which deployments are known to truncate; 100 is the contract's maximum. */
const PAGE_SIZES = new Set([25, 100]);
/** Expected fill of a response for a window, of its maximum. */
const FILL = 0.7;

/**
 * Reads a complete series although the contract has no next page: a truncated range is read again in narrower windows.
 * Rejects with what `read` rejects with.
 */
export async function readSeries(options: ReadOptions): Promise<SeriesPointsResult> {
  // Duplicates are removed at the end: the length of a response shows whether it was truncated.
  const duplicates = new Set<Point>();
  const reading = await readParts({
    ...options,
    read: async (window) => {
      const points = await options.read(window);
      for (const point of findDuplicates(points)) duplicates.add(point);
      return points;
    },
  });
  const points = reading.points.filter((point) => !duplicates.has(point));
  const duplicateCount = reading.points.length - points.length;
  return duplicateCount === 0 ? reading : { ...reading, points, duplicates: duplicateCount };
}

/** Finds points of one response that repeat another in time, key, id and value. */
function findDuplicates(points: readonly Point[]): readonly Point[] {
  const keys = new Set<string>();
  return points.filter(({ id, key, when, value }) => {
    if (when === undefined || (id === undefined && key === undefined)) return false;
    const duplicateKey = JSON.stringify([id, key, when, String(value)]);
    return keys.has(duplicateKey) || !keys.add(duplicateKey);
  });
}

async function readParts(options: ReadOptions): Promise<SeriesPointsResult> {
  const { read, window, step, maxRequests } = options;
  const first = await read(undefined);
  if (!PAGE_SIZES.has(first.length)) return { points: first };
  if (window === undefined)
    return {
      points: first,
      truncated: l10n.t('The response was truncated. Select a custom range to load it in parts'),
    };
  // Falls back to the first response if its parts contain fewer points.
  const getResult = (points: readonly Point[], truncated?: string): SeriesPointsResult => {
    if (points.length < first.length)
      return {
        points: first,
        truncated: truncated ?? l10n.t('The response was truncated, and loading it in parts returned fewer points'),
      };
    return { points: sortPoints(points), ...(truncated !== undefined && { truncated }) };
  };
  let requests = 1;
  const crowded: Window[] = [];
  let points: readonly Point[] = [];
  const queue: Part[] = [...splitWindow(window, getPieceCount(window, first, step, maxRequests - requests), step)];
  while (queue.length > 0) {
    if (requests >= maxRequests) {
      return getResult(points, formatStop(requests, window, queue.at(-1)?.until ?? window.until, step));
    }
    // The latest first, four at a time: other features share the connection.
    const batch = queue.splice(-Math.min(4, maxRequests - requests));
    requests += batch.length;
    const responses = await Promise.all(batch.map((part) => read(part)));
    for (const [index, { half }] of batch.entries())
      if (half !== undefined && isSameResponse(responses[index], half.response)) half.repeats++;
    for (const [index, part] of batch.entries()) {
      const response = responses[index] ?? [];
      if (hasPointsOutside(response, part, step))
        return {
          points: first,
          truncated: l10n.t('The response was truncated, and the platform ignores the time range of the request'),
        };
      if (!PAGE_SIZES.has(response.length)) points = points.concat(response);
      else if (part.half?.repeats === 2) {
        // Narrower windows would not get more of it; the rest is read on.
        if (crowded.includes(part.half.window)) continue;
        points = points.concat(response);
        crowded.push(part.half.window);
      } else if (part.until - part.from < 2 * MIN_WINDOW) {
        points = points.concat(response);
        crowded.push(part);
      } else {
        const half = { window: part, response, repeats: 0 };
        queue.push(...splitWindow(part, 2, step).map((narrower) => ({ ...narrower, half })));
      }
    }
  }
  return getResult(points, formatCrowded(crowded));
}

interface Part extends Window {
  /** the truncated response for the window of which this is one half */
  readonly half?: {
    readonly window: Window;
    readonly response: readonly Point[];
    /** halves with the same response: two if the platform returns whole intervals for any part of them */
    repeats: number;
  };
}

function isSameResponse(response: readonly Point[] | undefined, other: readonly Point[]): boolean {
  return (
    response?.length === other.length &&
    response.every(({ id, key, when, value }, index) => {
      const point = other[index];
      return point?.id === id && point?.key === key && point?.when === when && Object.is(point?.value, value);
    })
  );
}

/** The latest intervals are read first: those before `until` are missing. */
function formatStop(requests: number, window: Window, until: number, step: number | undefined): string {
  if (step === undefined)
    return pluralize(
      requests,
      l10n.t(
        'Loading stopped after {0} request. Values before {1} are incomplete|Loading stopped after {0} requests. Values before {1} are incomplete',
      ),
      formatMinute(until),
    );
  const [missing, all] = [until, window.until].map((end) => formatNumber(Math.ceil((end - window.from) / step)));
  return pluralize(
    requests,
    l10n.t(
      'Loading stopped after {0} request. Values before {1} are incomplete: {2} of {3} intervals|Loading stopped after {0} requests. Values before {1} are incomplete: {2} of {3} intervals',
    ),
    formatMinute(until),
    missing ?? '',
    all ?? '',
  );
}

function formatCrowded(crowded: readonly Window[]): string | undefined {
  const [latest, ...others] = crowded.toSorted((a, b) => b.from - a.from);
  if (latest === undefined) return undefined;
  const start = formatMinute(latest.from);
  if (others.length > 0)
    return l10n.t(
      '{0} intervals have more points than a response can contain, the latest from {1}',
      formatNumber(others.length + 1),
      start,
    );
  return latest.until - latest.from < 2 * MIN_WINDOW
    ? l10n.t('The minute {0} has more points than a response can contain', start)
    : l10n.t('The interval from {0} has more points than a response can contain', start);
}

function formatMinute(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Number of windows needed, estimated from the density of the first response. */
function getPieceCount(
  { from, until }: Window,
  points: readonly Point[],
  step: number | undefined,
  max: number,
): number {
  const times = [...new Set(points.flatMap(({ when }) => when ?? []))].sort((a, b) => a - b);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const covered = last - first + (step ?? 0);
  if (covered <= 0) return 2;
  const expected = (points.length * (until - from)) / covered;
  return Math.min(Math.max(2, Math.ceil(expected / (points.length * FILL))), Math.max(2, max));
}

/** True if a point is outside the window, so that the platform ignored it. Intervals may begin before the window. */
function hasPointsOutside(points: readonly Point[], { from, until }: Window, step: number | undefined): boolean {
  const slack = Math.max(step ?? 0, 31 * 86_400_000 * (step === undefined ? 1 : 0));
  return points.some(({ when }) => when !== undefined && (when >= until || when < from - slack));
}

/**
 * Sorts points by time. Windows do not overlap, so points of the same time and key are parts of one, which are added up
 * later.
 */
function sortPoints(points: readonly Point[]): readonly Point[] {
  return [...points].sort((a, b) => (a.when ?? 0) - (b.when ?? 0));
}
