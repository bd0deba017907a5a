/** Entries over time, by status: the bars above the table. */

export const tones = ['completed', 'failed', 'pending', 'other'] as const;
export type Tone = (typeof tones)[number];

export interface Bucket {
  /** milliseconds since the epoch; the bucket ends where the next one begins */
  readonly from: number;
  readonly counts: Readonly<Record<Tone, number>>;
  readonly total: number;
}

export interface Histogram {
  readonly buckets: readonly Bucket[];
  /** milliseconds of one bucket */
  readonly width: number;
  /** entries of the fullest bucket */
  readonly most: number;
}

const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 43_200_000, 86_400_000, 604_800_000, 2_592_000_000,
  31_536_000_000,
];

export function toneOf(status: string): Tone {
  return status === 'completed' || status === 'failed' || status === 'pending' ? status : 'other';
}

/** The bucket of a moment; the first or last one where it lies beyond them. */
export function bucketOf({ buckets, width }: Histogram, time: number): number {
  return Math.max(0, Math.min(buckets.length - 1, Math.floor((time - (buckets[0]?.from ?? 0)) / width)));
}

/** At most `most` buckets, of a round width, from the oldest entry to the newest; `entries` oldest first. */
export function histogramOf(
  entries: readonly { readonly time: number; readonly row: { readonly status: string } }[],
  most: number,
): Histogram {
  const first = entries[0]?.time;
  const last = entries.at(-1)?.time;
  if (first === undefined || last === undefined) return { buckets: [], width: 1, most: 0 };
  // One less: the first bucket begins before the first entry.
  const least = (last - first + 1) / Math.max(1, most - 1);
  const width = STEPS.find((step) => step >= least) ?? Math.ceil(least);
  const start = Math.floor(first / width) * width;
  const counts = Array.from({ length: Math.floor((last - start) / width) + 1 }, () => ({
    completed: 0,
    failed: 0,
    pending: 0,
    other: 0,
  }));
  for (const { time, row } of entries) {
    const bucket = counts[Math.floor((time - start) / width)];
    if (bucket !== undefined) bucket[toneOf(row.status)]++;
  }
  const buckets = counts.map((count, index) => ({
    from: start + index * width,
    counts: count,
    total: count.completed + count.failed + count.pending + count.other,
  }));
  return { buckets, width, most: Math.max(...buckets.map(({ total }) => total)) };
}
