/** The value axes of a chart: one scale for each unit, and how its numbers are written (pure). */
import type { Line } from '../../protocol-statistics.ts';

/** Left and right. */
const MOST_AXES = 2;

export interface Scales {
  /** all units, those with an axis first */
  readonly units: readonly string[];
  /** of the units that have an axis */
  readonly axes: readonly string[];
  /** units of shown lines that have none */
  readonly without: readonly string[];
}

/** Exact text with its unit behind it, as the host writes it. */
export function unitOf({ total }: Line): string {
  const at = total.indexOf(' ');
  return at < 0 ? '' : total.slice(at + 1);
}

/** What is shown comes first: a line that is switched off leaves its axis to another. */
export function scalesOf(drawn: readonly { readonly line: Line; readonly shown: boolean }[]): Scales {
  const of = (which: typeof drawn): string[] =>
    which.filter(({ line }) => line.total !== '').map(({ line }) => unitOf(line));
  const shown = [...new Set(of(drawn.filter((one) => one.shown)))];
  const units = [...new Set([...shown, ...of(drawn), ''])];
  return {
    units,
    axes: shown.length === 0 ? units.slice(0, 1) : shown.slice(0, MOST_AXES),
    without: shown.slice(MOST_AXES),
  };
}

/** `1.5M`; what would take many digits is written with an exponent. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  const notation = size !== 0 && (size >= 1e15 || size < 1e-6) ? 'scientific' : 'compact';
  return new Intl.NumberFormat('en', { notation, maximumSignificantDigits: 4 }).format(value);
}
