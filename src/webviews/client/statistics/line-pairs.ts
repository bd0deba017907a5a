import type { SeriesLine, SeriesState } from '../../protocol/statistics.ts';

/** A line in this period and the one before; one of the two may be missing. */
export interface LinePair {
  readonly id: string;
  readonly name: string;
  readonly now: SeriesLine | undefined;
  readonly before: SeriesLine | undefined;
}

/** Pairs the lines of both periods by id. */
export function pairLines({ sums, groups, previous: before }: SeriesState, byKey: boolean): readonly LinePair[] {
  const lines = byKey ? groups : sums;
  const earlier = (byKey ? before?.groups : before?.sums) ?? [];
  const ids = new Set([...lines, ...earlier].map(({ id }) => id));
  const findLine = (all: readonly SeriesLine[], id: string): SeriesLine | undefined =>
    all.find((line) => line.id === id);
  return [...ids].map((id) => {
    const [now, past] = [findLine(lines, id), findLine(earlier, id)];
    return { id, name: (now ?? past)?.name ?? '', now, before: past };
  });
}
