/** Statistics as comma-separated values: one row a series, time and key, to the digit (pure). */
import type { Line, SeriesState } from '../webviews/protocol-statistics.ts';

const HEADER = ['series', 'period', 'when', 'key', 'value', 'unit'];

/** RFC 4180; times in ISO 8601, UTC, as the platform gave them. A gap has no row. */
export function csvOf(series: readonly SeriesState[]): string {
  const rows = series.flatMap(({ label, times, groups, sums, before }) => [
    ...rowsOf(label, 'this', times, groups.length > 0 ? groups : sums),
    ...(before === undefined
      ? []
      : rowsOf(label, 'before', before.when, before.groups.length > 0 ? before.groups : before.sums)),
  ]);
  return [HEADER, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function rowsOf(label: string, period: string, times: readonly number[], lines: readonly Line[]): string[][] {
  return times.flatMap((time, index) =>
    lines.flatMap(({ name, values }) => {
      const value = values[index];
      if (value === undefined || value === null) return [];
      const [number = '', ...unit] = value.split(' ');
      return [[label, period, new Date(time * 1000).toISOString(), name, number, unit.join(' ')]];
    }),
  );
}

/** Text that a spreadsheet would run as a formula is marked as text; numbers are none. */
function cell(text: string): string {
  const formula = /^[=+\-@\t\r]/.test(text) && !/^[+-]?[\d.]+$/.test(text);
  const safe = formula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
