/** The display language: messages, plurals, numbers, units and lists. English until `setDisplayLanguage` is called. */
import * as l10n from '@vscode/l10n';
import { getOrAdd } from '../get-or-add.ts';

/** Order of the forms of a plural message; each language has some of them. */
const PLURAL_CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;

let language = 'en';
// Creating a format takes longer than using it a hundred times, and lists format every scrolled row.
let numberFormats = new Map<string, Intl.NumberFormat>();
let collator: Intl.Collator | undefined;
let plurals: { readonly rules: Intl.PluralRules; readonly categories: readonly Intl.LDMLPluralRule[] } | undefined;

interface DisplayLanguage {
  /** a BCP 47 tag */
  readonly language: string;
  /** translations by English message; without them messages are in English */
  readonly messages?: Readonly<Record<string, string>>;
}

/** Sets the language of `l10n.t` and of this module; called once, before any message is formatted. */
export function setDisplayLanguage({ language: tag, messages }: DisplayLanguage): void {
  l10n.config({ contents: messages ?? {} });
  // The forms of a plural must be those of the messages.
  language = messages === undefined ? 'en' : tag;
  numberFormats = new Map();
  collator = undefined;
  plurals = undefined;
}

/** Returns the index of the form for a count among those that the language has, in their order in messages. */
function getPluralIndex(count: number): number {
  if (plurals === undefined) {
    const rules = new Intl.PluralRules(language);
    const { pluralCategories } = rules.resolvedOptions();
    plurals = { rules, categories: PLURAL_CATEGORIES.filter((category) => pluralCategories.includes(category)) };
  }
  return plurals.categories.indexOf(plurals.rules.select(count));
}

/** Returns the language of the messages as a BCP 47 tag. */
export function getDisplayLanguage(): string {
  return language;
}

/** Returns the locale of dates: the display language; `undefined`, the user's own locale, if that is English. */
export function getDateLocale(): string | undefined {
  return language === 'en' ? undefined : language;
}

/** Formats a number as `12,300`, or with exactly `digits` decimals as `1.50`. */
export function formatNumber(value: number | bigint, digits?: number): string {
  return getNumberFormat(digits === undefined ? {} : getDigitOptions(digits)).format(value);
}

/** Intl formats decimals in text to the last digit. */
function isDecimal(text: string): text is `${number}` {
  return /^-?\d/.test(text);
}

/** Formats an exact decimal, `1234567.8`, as `1,234,567.8`: to the last digit. Other text is returned as it is. */
export function formatDecimal(decimal: string, locale = language): string {
  return isDecimal(decimal) ? new Intl.NumberFormat(locale, { maximumFractionDigits: 100 }).format(decimal) : decimal;
}

/**
 * Rounds the numbers of a text such as `0.002100002190855426 ETH` for reading, `0.0021 ETH`: to four significant digits,
 * but never the digits before the decimal point.
 */
export function formatAmount(text: string): string {
  const format = getNumberFormat({
    maximumSignificantDigits: 4,
    maximumFractionDigits: 0,
    roundingPriority: 'morePrecision',
  });
  // Only whole words: not the digits of an address or a version.
  return text.replace(/(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])/gi, (decimal) =>
    isDecimal(decimal) ? format.format(decimal) : decimal,
  );
}

/** Formats a share, `0.125`, as `12.5%`: with at most `digits` decimals, and a plus sign if `signDisplay` says so. */
export function formatPercent(
  share: number,
  digits = 0,
  signDisplay: Intl.NumberFormatOptions['signDisplay'] = 'auto',
): string {
  return getNumberFormat({ style: 'percent', maximumFractionDigits: digits, signDisplay }).format(share);
}

/**
 * Formats a number with a unit of `Intl`: `short` as `5 min`, `long` as `5 minutes`, `narrow` as `5m`.
 * `digits`: number of decimals.
 */
export function formatUnit(
  value: number,
  unit: string,
  { digits = 0, unitDisplay = 'short' }: UnitOptions = {},
): string {
  return getNumberFormat({ style: 'unit', unit, unitDisplay, ...getDigitOptions(digits) }).format(value);
}

interface UnitOptions {
  readonly digits?: number;
  readonly unitDisplay?: 'short' | 'long' | 'narrow';
}

const BYTE_UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Formats a number of bytes in decimal units, `1.2 MB`; exact below 1000 bytes. */
export function formatBytes(size: number | bigint): string {
  let value = Number(size);
  if (!Number.isFinite(value) || value < 1000) return l10n.t('{0} B', formatNumber(value));
  let unit: (typeof BYTE_UNITS)[number] = 'kilobyte';
  for (unit of BYTE_UNITS) {
    value /= 1000;
    // A value that rounds to 1,000.0 is 1.0 of the next unit.
    if (value < 999.95) break;
  }
  return formatUnit(value, unit, { digits: 1 });
}

/**
 * Formats a list: `conjunction` as `a, b, and c`, `disjunction` as `a, b, or c`, `unit`, for values rather than nouns in
 * a sentence, as `a, b, c`.
 */
export function formatList(items: Iterable<string>, type: Intl.ListFormatOptions['type'] = 'conjunction'): string {
  return new Intl.ListFormat(language, { type, style: type === 'unit' ? 'short' : 'long' }).format(items);
}

/** Formats a value with its label, `Status: failed`. */
export function formatPair(label: string, value: string): string {
  return l10n.t('{0}: {1}', label, value);
}

/** Puts a text into quotation marks. */
export function quote(text: string): string {
  return l10n.t('“{0}”', text);
}

/** Compares texts in the order of the display language, with numbers by their value: `apple`, `Äpfel`, `object 9`, `object 10`. */
export function compareTexts(a: string, b: string): number {
  return (collator ??= new Intl.Collator(language, { numeric: true })).compare(a, b);
}

function getDigitOptions(digits: number): Intl.NumberFormatOptions {
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}

/** Returns a format in the display language, created on first use. */
function getNumberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  return getOrAdd(numberFormats, key, () => new Intl.NumberFormat(language, options));
}

/**
 * Selects the form of a message for `count` and fills its placeholders: `{0}` with the count, `{1}` and so on with
 * `values`. `message`: whole sentences separated by `|`, one for each plural form of the language, as returned by
 * `l10n.t('{0} row was copied.|{0} rows were copied.')`.
 */
export function pluralize(count: number, message: string, ...values: readonly string[]): string {
  const forms = message.split('|');
  const form = forms[Math.min(getPluralIndex(count), forms.length - 1)] ?? message;
  return fillPlaceholders(form, formatNumber(count), ...values);
}

/** Fills the placeholders `{0}`, `{1}` and so on. */
function fillPlaceholders(message: string, ...values: readonly string[]): string {
  return message.replace(/\{(\d+)\}/g, (placeholder, index: string) => values[Number(index)] ?? placeholder);
}
