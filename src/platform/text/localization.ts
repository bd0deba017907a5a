/** The display language: messages, plurals and numbers. English until `setDisplayLanguage` is called. */
import * as l10n from '@vscode/l10n';

/** Order of the forms of a plural message; each language has some of them. */
const PLURAL_CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;

let language = 'en';
let numbers = new Intl.NumberFormat(language);
let plurals = new Intl.PluralRules(language);
let categories = getPluralCategories(plurals);

interface DisplayLanguage {
  /** a BCP 47 tag */
  readonly language: string;
  /** translations by English message, or their JSON; without them messages are in English */
  readonly messages?: Readonly<Record<string, string>> | string;
}

/** Sets the language of `l10n.t` and of this module; called once, before any message is formatted. */
export function setDisplayLanguage({ language: tag, messages }: DisplayLanguage): void {
  l10n.config({ contents: typeof messages === 'string' ? messages : { ...messages } });
  // The forms of a plural must be those of the messages.
  language = messages === undefined ? 'en' : tag;
  numbers = new Intl.NumberFormat(language);
  plurals = new Intl.PluralRules(language);
  categories = getPluralCategories(plurals);
}

/** Returns the plural forms that a language has, in their order in messages. */
function getPluralCategories(rules: Intl.PluralRules): readonly Intl.LDMLPluralRule[] {
  const { pluralCategories } = rules.resolvedOptions();
  return PLURAL_CATEGORIES.filter((category) => pluralCategories.includes(category));
}

/** Returns the language of the messages as a BCP 47 tag. */
export function getDisplayLanguage(): string {
  return language;
}

/** Returns the locale of dates: the display language; `undefined`, the user's own locale, where that is English. */
export function getDateLocale(): string | undefined {
  return language === 'en' ? undefined : language;
}

/** Formats a number as `12,300`. */
export function formatNumber(value: number): string {
  return numbers.format(value);
}

/** Joins nouns as `one, two, and three`. */
export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat(language).format(items);
}

/** Returns the number of forms of a plural message in a language. */
export function countPluralForms(tag: string): number {
  return getPluralCategories(new Intl.PluralRules(tag)).length;
}

/**
 * Selects the form of a message for `count` and fills its placeholders: `{0}` with the count, `{1}` and so on with
 * `values`. `message`: whole sentences separated by `|`, one for each plural form of the language, as returned by
 * `l10n.t('{0} row was copied.|{0} rows were copied.')`.
 */
export function pluralize(count: number, message: string, ...values: readonly string[]): string {
  const forms = message.split('|');
  const form = forms[Math.min(categories.indexOf(plurals.select(count)), forms.length - 1)] ?? message;
  return fillPlaceholders(form, formatNumber(count), ...values);
}

/** Fills the placeholders `{0}`, `{1}` and so on of a translated message. */
export function fillPlaceholders(message: string, ...values: readonly string[]): string {
  return message.replace(/\{(\d+)\}/g, (placeholder, index: string) => values[Number(index)] ?? placeholder);
}
