/** Lines of this period beside those of the period before, by name (pure). */
import type { Line, SeriesState } from '../../protocol-statistics.ts';

/** One of the two may be missing: a key that came, or one that went. */
export interface Pair {
  readonly name: string;
  readonly now: Line | undefined;
  readonly old: Line | undefined;
}

export function pairsOf({ sums, groups, before }: SeriesState, byKey: boolean): readonly Pair[] {
  const lines = byKey ? groups : sums;
  const earlier = (byKey ? before?.groups : before?.sums) ?? [];
  const names = new Set([...lines, ...earlier].map(({ name }) => name));
  const of = (all: readonly Line[], name: string): Line | undefined => all.find((line) => line.name === name);
  return [...names].map((name) => ({ name, now: of(lines, name), old: of(earlier, name) }));
}
