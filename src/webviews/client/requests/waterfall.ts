/** Where the bar of a request is in the waterfall. */
import type { RequestRow } from '../../protocol/requests.ts';

/** Milliseconds without any request, after which the next one starts at the left again. */
const GAP = 500;

export interface Bar {
  /** percent of the width, of the bar and of its parts */
  readonly left: number;
  readonly parts: readonly { readonly part: TimingPart; readonly width: number }[];
  /** the first request of those that are shown beside each other */
  readonly isFirst: boolean;
}

const TIMING_PARTS = ['queue', 'connect', 'wait', 'receive'] as const;
export type TimingPart = (typeof TIMING_PARTS)[number];

/** Milliseconds from the queue to the end. */
export function getDuration({ timings }: Pick<RequestRow, 'timings'>): number {
  return TIMING_PARTS.reduce((sum, part) => sum + (timings[part] ?? 0), 0);
}

/**
 * Places requests, in the order in which they ended: those without a gap between them share a scale, from the start of
 * the first to the end of the last, so that bars above each other ran beside each other.
 */
export function placeBars(rows: readonly RequestRow[]): ReadonlyMap<number, Bar> {
  const bars = new Map<number, Bar>();
  const byStart = [...rows].sort((one, other) => one.startedAt - other.startedAt || one.id - other.id);
  let group: RequestRow[] = [];
  let end = -Infinity;
  const place = (): void => {
    const start = group[0]?.startedAt ?? 0;
    const scale = 100 / Math.max(1, end - start);
    const first = group.reduce((least, { id }) => Math.min(least, id), Infinity);
    for (const row of group)
      bars.set(row.id, {
        left: (row.startedAt - start) * scale,
        parts: TIMING_PARTS.map((part) => ({ part, width: (row.timings[part] ?? 0) * scale })),
        isFirst: row.id === first,
      });
  };
  for (const row of byStart) {
    if (row.startedAt > end + GAP) {
      place();
      group = [];
      end = -Infinity;
    }
    group.push(row);
    end = Math.max(end, row.startedAt + getDuration(row));
  }
  place();
  return bars;
}
