import { formatAmount, formatDecimal, getDisplayLanguage } from '../../../platform/text/localization.ts';
import type { SeriesLine } from '../../protocol/statistics.ts';

/** Formats a number for reading: `1.2K`, `3.4M`, very large and small ones with an exponent. */
export function formatShortNumber(value: number, locale = getDisplayLanguage(), digits = 3): string {
  const size = Math.abs(value);
  const notation = size !== 0 && (size >= 1e15 || size < 1e-6) ? 'scientific' : 'compact';
  return new Intl.NumberFormat(locale, { notation, maximumSignificantDigits: digits }).format(value);
}

/** Rounds an exact amount for reading: `1234567.8` is `1.23M UNIT`. Empty text is returned as it is. */
export function formatShortAmount(decimal: string, unit: string, locale = getDisplayLanguage()): string {
  return decimal === '' ? '' : appendUnit(formatShortNumber(Number(decimal), locale), unit);
}

/** Rounds an exact amount less: `1234567.89123` is `1,234,568 UNIT`. Nothing is a dash, not zero. */
export function formatRoundedAmount(decimal: string | null | undefined, unit: string): string {
  return /^-?\d/.test(decimal ?? '') ? appendUnit(formatAmount(decimal ?? ''), unit) : '—';
}

/** Groups the digits of an exact amount: `1234567.8` is `1,234,567.8 UNIT`. Nothing is a dash, not zero. */
export function formatExactAmount(
  decimal: string | null | undefined,
  unit: string,
  locale = getDisplayLanguage(),
): string {
  return /^-?\d/.test(decimal ?? '') ? appendUnit(formatDecimal(decimal ?? '', locale), unit) : '—';
}

/** Formats the totals of lines in different units, of this period or the one before. Empty without any. */
export function formatTotals(lines: readonly SeriesLine[], period: 'now' | 'before', isExact = false): string {
  const format = isExact ? formatExactAmount : formatShortAmount;
  const totals = lines.map(
    ({ unit, total, before }) => [period === 'now' ? total : (before?.total ?? ''), unit] as const,
  );
  return totals.flatMap(([total, unit]) => (total === '' ? [] : format(total, unit))).join(' + ');
}

function appendUnit(text: string, unit: string): string {
  return unit === '' ? text : `${text} ${unit}`;
}
