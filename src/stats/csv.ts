/** Statistics as comma-separated values: one row a series, time, key and unit, to the digit (pure). */
import { csvCell } from '../platform/export/format.ts';
import { digits } from './amount.ts';
import { collect, NO_KEY } from './assemble.ts';
import type { Point } from './read.ts';

export interface SeriesPoints {
  readonly label: string;
  readonly now: readonly Point[];
  readonly before: readonly Point[];
}

const HEADER = ['series', 'period', 'when', 'key', 'name', 'value', 'unit'];

/** RFC 4180; times in ISO 8601, UTC, as the platform gave them, empty where it gave none. A gap has no row. */
export function csvOf(series: readonly SeriesPoints[], names: ReadonlyMap<string, string>): string {
  const rows = series.flatMap(({ label, now, before }) => [
    ...rowsOf(label, 'this', now, names),
    ...rowsOf(label, 'before', before, names),
  ]);
  return [HEADER, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function rowsOf(
  label: string,
  period: string,
  points: readonly Point[],
  names: ReadonlyMap<string, string>,
): readonly (readonly string[])[] {
  const rows = [...collect(points).byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, { times, timeless }]) =>
      [...times, [Infinity, timeless] as const].flatMap(([when, sums]) =>
        sums.amounts.map(({ value, unit }) => ({ when, key: key === NO_KEY ? '' : key, value, unit })),
      ),
    );
  return rows
    .sort((a, b) => (a.when === b.when ? 0 : a.when - b.when))
    .map(({ when, key, value, unit }) => {
      const time = when === Infinity ? '' : new Date(when).toISOString();
      return [label, period, time, key, names.get(key) ?? key, digits(value), unit];
    });
}

/** Numbers are no formulas, whatever they begin with; nothing is an empty cell. */
function cell(text: string): string {
  return /^(?:[+-]?[\d.]+)?$/.test(text) ? text : csvCell(text);
}
