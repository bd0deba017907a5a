import { getDisplayLanguage } from '../../../platform/text/localization.ts';
import type { SeriesLine } from '../../protocol/statistics.ts';

/** The unit of a line: the text behind the number of its total. */
export function getUnit({ total }: SeriesLine): string {
  return splitAmount(total)[1];
}

/** Formats a number for reading: `1.2K`, `3.4M`, very large and small ones with an exponent. */
export function formatShortNumber(value: number, locale = getDisplayLanguage(), digits = 3): string {
  const size = Math.abs(value);
  const notation = size !== 0 && (size >= 1e15 || size < 1e-6) ? 'scientific' : 'compact';
  return new Intl.NumberFormat(locale, { notation, maximumSignificantDigits: digits }).format(value);
}

/** Rounds an exact amount for reading: `1234567.8 UNIT` is `1.23M UNIT`. Other text is returned unchanged. */
export function formatShortAmount(text: string, locale = getDisplayLanguage()): string {
  const [decimal, unit] = splitAmount(text);
  if (!isDecimal(decimal)) return text;
  return appendUnit(formatShortNumber(Number(decimal), locale), unit);
}

/** Groups the digits of an exact amount: `1234567.8 UNIT` is `1,234,567.8 UNIT`. Other text is returned unchanged. */
export function formatExactAmount(text: string, locale = getDisplayLanguage()): string {
  const [decimal, unit] = splitAmount(text);
  if (!isDecimal(decimal)) return text;
  return appendUnit(new Intl.NumberFormat(locale, { maximumFractionDigits: 100 }).format(decimal), unit);
}

function splitAmount(text: string): readonly [decimal: string, unit: string] {
  const at = text.indexOf(' ');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function appendUnit(text: string, unit: string): string {
  return unit === '' ? text : `${text} ${unit}`;
}

// Intl formats decimals in text to the last digit.
function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}
