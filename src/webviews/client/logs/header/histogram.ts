export const tones = ['completed', 'failed', 'pending', 'other'] as const;
export type Tone = (typeof tones)[number];

export interface Bucket {
  /** start in milliseconds since the epoch */
  readonly from: number;
  readonly counts: Readonly<Record<Tone, number>>;
  readonly total: number;
}

export interface Histogram {
  readonly buckets: readonly Bucket[];
  /** milliseconds of one bucket */
  readonly width: number;
  /** entries of the fullest bucket */
  readonly maxTotal: number;
}

const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000, 1_209_600_000,
  2_592_000_000, 7_776_000_000, 31_536_000_000,
];

/** A label of the time axis, in milliseconds since the epoch. */
export interface Tick {
  readonly time: number;
  /** the time begins a day of the user's zone */
  readonly isMidnight: boolean;
}

export const DAY_MS = 86_400_000;

/** Returns up to `maxTicks` round times of the user's zone in a histogram, or its beginning if there are none, and the milliseconds between them. */
export function getTicks(
  { buckets, width }: Histogram,
  maxTicks: number,
): { readonly ticks: readonly Tick[]; readonly step: number } {
  const from = buckets[0]?.from ?? 0;
  const to = from + buckets.length * width;
  const minStep = (to - from) / Math.max(1, maxTicks);
  const step = STEPS.find((known) => known >= minStep) ?? Math.ceil(minStep / DAY_MS) * DAY_MS;
  const ticks: Tick[] = [];
  const day = new Date(from);
  day.setHours(0, 0, 0, 0);
  // Each day begins at its own midnight: not all have 24 hours.
  for (; day.getTime() < to; day.setDate(day.getDate() + Math.max(1, Math.round(step / DAY_MS)))) {
    const midnight = day.getTime();
    const next = Math.min(to, new Date(midnight).setDate(day.getDate() + 1));
    const skipped = Math.max(0, Math.ceil((from - midnight) / step));
    for (let time = midnight + skipped * step; time < next; time += step)
      ticks.push({ time, isMidnight: time === midnight });
  }
  return { ticks: ticks.length > 0 || buckets.length === 0 ? ticks : [{ time: from, isMidnight: false }], step };
}

/** The tone of a status. */
export function getTone(status: string): Tone {
  return status === 'completed' || status === 'failed' || status === 'pending' ? status : 'other';
}

/** Index of the bucket of a time, limited to the first and last one. */
export function getBucketIndex({ buckets, width }: Histogram, time: number): number {
  return Math.max(0, Math.min(buckets.length - 1, Math.floor((time - (buckets[0]?.from ?? 0)) / width)));
}

/** Counts entries, oldest first, in at most `maxBuckets` buckets of a round width. */
export function buildHistogram(
  entries: readonly { readonly time: number; readonly row: { readonly status: string } }[],
  maxBuckets: number,
): Histogram {
  const first = entries[0]?.time;
  const last = entries.at(-1)?.time;
  if (first === undefined || last === undefined) return { buckets: [], width: 1, maxTotal: 0 };
  // One less: the first bucket begins before the first entry.
  const minWidth = (last - first + 1) / Math.max(1, maxBuckets - 1);
  const width = STEPS.find((step) => step >= minWidth) ?? Math.ceil(minWidth);
  const start = Math.floor(first / width) * width;
  const counts = Array.from({ length: Math.floor((last - start) / width) + 1 }, () => ({
    completed: 0,
    failed: 0,
    pending: 0,
    other: 0,
  }));
  for (const { time, row } of entries) {
    const bucket = counts[Math.floor((time - start) / width)];
    if (bucket !== undefined) bucket[getTone(row.status)]++;
  }
  const buckets = counts.map((count, index) => ({
    from: start + index * width,
    counts: count,
    total: count.completed + count.failed + count.pending + count.other,
  }));
  return { buckets, width, maxTotal: Math.max(...buckets.map(({ total }) => total)) };
}
