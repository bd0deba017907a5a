import type { SeriesLine } from '../../protocol/statistics.ts';

/** One on each side. */
const MAX_AXES = 2;

export interface Scales {
  /** all units, those with an axis first */
  readonly units: readonly string[];
  /** units with an axis */
  readonly axes: readonly string[];
  /** units of visible lines without an axis */
  readonly withoutAxis: readonly string[];
}

/** The unit of a line: the text behind the number of its total. */
export function getUnit({ total }: SeriesLine): string {
  const at = total.indexOf(' ');
  return at < 0 ? '' : total.slice(at + 1);
}

/** Assigns a scale to each unit; units of visible lines get the axes. */
export function assignScales(drawn: readonly { readonly line: SeriesLine; readonly isVisible: boolean }[]): Scales {
  const getUnits = (lines: typeof drawn): string[] =>
    lines.filter(({ line }) => line.total !== '').map(({ line }) => getUnit(line));
  const visible = [...new Set(getUnits(drawn.filter(({ isVisible }) => isVisible)))];
  const units = [...new Set([...visible, ...getUnits(drawn), ''])];
  return {
    units,
    axes: visible.length === 0 ? units.slice(0, 1) : visible.slice(0, MAX_AXES),
    withoutAxis: visible.slice(MAX_AXES),
  };
}

/** Formats a number for an axis: `1.5M`, very large and small ones with an exponent. */
export function formatShortNumber(value: number): string {
  const size = Math.abs(value);
  const notation = size !== 0 && (size >= 1e15 || size < 1e-6) ? 'scientific' : 'compact';
  return new Intl.NumberFormat('en', { notation, maximumSignificantDigits: 4 }).format(value);
}
