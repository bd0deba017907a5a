import { formatCsvCell } from '../model/export/export-writer.ts';
import { sumPoints } from './chart-lines.ts';
import type { Point } from './read-points.ts';
import type { KeyNames } from './series-state.ts';
import { compareTexts } from '../platform/text/localization.ts';

interface SeriesPoints {
  readonly id: string;
  readonly now: readonly Point[];
  readonly before: readonly Point[];
}

const HEADER = ['series', 'period', 'when', 'key', 'name', 'value', 'unit'];

/**
 * Formats statistics as RFC 4180 CSV with exact numbers: a row for each series, time, key and unit. Times are ISO 8601 in
 * UTC, empty if the platform sent none. Gaps have no row.
 */
export function formatCsv(series: readonly SeriesPoints[], names: KeyNames): string {
  const rows = series.flatMap(({ id, now, before }) => [
    ...formatRows(id, 'this', now, names),
    ...formatRows(id, 'before', before, names),
  ]);
  return [HEADER, ...rows].map((row) => `${row.map(formatCell).join(',')}\r\n`).join('');
}

function formatRows(
  id: string,
  period: string,
  points: readonly Point[],
  names: KeyNames,
): readonly (readonly string[])[] {
  const rows = [...sumPoints(points).byKey]
    .sort(([a], [b]) => compareTexts(a, b))
    .flatMap(([key, { times, timeless }]) =>
      [...times, [Infinity, timeless] as const].flatMap(([when, sums]) =>
        sums.units.map((unit) => ({ when, key, value: sums.format(unit) ?? '', unit })),
      ),
    );
  return rows
    .sort((a, b) => (a.when === b.when ? 0 : a.when - b.when))
    .map(({ when, key, value, unit }) => {
      const time = when === Infinity ? '' : new Date(when).toISOString();
      return [id, period, time, key, names.get(key) ?? key, value, unit];
    });
}

/** Escapes a cell; signed numbers are not formulas. */
function formatCell(text: string): string {
  return /^(?:[+-]?[\d.]+)?$/.test(text) ? text : formatCsvCell(text);
}
