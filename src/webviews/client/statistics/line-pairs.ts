import type { SeriesLine, SeriesState } from '../../protocol/statistics.ts';

/** The lines of a name in this period and the one before; one of the two may be missing. */
export interface LinePair {
  readonly name: string;
  readonly now: SeriesLine | undefined;
  readonly before: SeriesLine | undefined;
}

/** Pairs the lines of both periods by name. */
export function pairLines({ sums, groups, previous: before }: SeriesState, byKey: boolean): readonly LinePair[] {
  const lines = byKey ? groups : sums;
  const earlier = (byKey ? before?.groups : before?.sums) ?? [];
  const names = new Set([...lines, ...earlier].map(({ name }) => name));
  const findLine = (all: readonly SeriesLine[], name: string): SeriesLine | undefined =>
    all.find((line) => line.name === name);
  return [...names].map((name) => ({ name, now: findLine(lines, name), before: findLine(earlier, name) }));
}
