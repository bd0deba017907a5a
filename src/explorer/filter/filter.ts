/** A list's filter as plain JSON. Dates may be relative, such as `-24h`, until they are sent. */
import * as l10n from '@vscode/l10n';
import { isObject } from '../../platform/json/json.ts';
import type { Parameter, Parameters } from '../../platform/operation.ts';
import { formatFilterText, getFilterField, type GetTitle } from '../../model/resources/filter-fields.ts';
import { resolveRelativeDate, RELATIVE_DATE } from '../../model/text/time-format.ts';
import { formatList, formatPair, getDisplayLanguage, pluralize } from '../../platform/text/localization.ts';

export const bounds = ['gt', 'gte', 'lt', 'lte'] as const;
export type Bound = (typeof bounds)[number];
/** ISO 8601, or relative to now: `-24h`, `-7d` */
export type DateBounds = Readonly<Partial<Record<Bound, string>>>;
export type Filter = Readonly<Record<string, string | boolean | DateBounds>>;

/**
 * Whether the text is a relative date or one that `Date.parse` reads, with a year and an existing day: it reads `-7` as July
 * 2001, and February 31 as March 3.
 */
export function isDateText(text: string): boolean {
  if (RELATIVE_DATE.test(text)) return true;
  if (!/^(?!-).*\d{4}/.test(text) || Number.isNaN(Date.parse(text))) return false;
  const [day] = /^\d{4}-\d\d-\d\d/.exec(text) ?? [];
  return day === undefined || new Date(day).toISOString().startsWith(day);
}

/** Converts the filter to query parameters; resolves relative dates against `now` (milliseconds). */
export function resolveFilter(filter: Filter, now: number): Filter {
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => [name, typeof value === 'object' ? resolveDates(value, now) : value]),
  );
}

function resolveDates(dates: DateBounds, now: number): DateBounds {
  return Object.fromEntries(Object.entries(dates).map(([bound, text]) => [bound, resolveRelativeDate(text, now)]));
}

/** Validates a stored filter; drops what does not fit the list's parameters. */
export function parseFilter(stored: unknown, parameters: Parameters): Filter {
  if (!isObject(stored)) return {};
  const entries = Object.entries(stored).flatMap(([name, value]) => {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const valid = parameter === undefined ? undefined : parseFilterValue(parameter, value);
    return valid === undefined ? [] : [[name, valid] as const];
  });
  return Object.fromEntries(entries);
}

function parseFilterValue(parameter: Parameter, value: unknown): Filter[string] | undefined {
  switch (parameter.type) {
    case 'flag':
      return typeof value === 'boolean' && parameter.addsFields !== true ? value : undefined;
    case 'dates': {
      if (!isObject(value)) return undefined;
      const texts = bounds.flatMap((bound) => {
        const text = value[bound];
        return typeof text === 'string' && text !== '' ? [[bound, text] as const] : [];
      });
      return texts.length === 0 ? undefined : Object.fromEntries(texts);
    }
    case 'order':
      return value === 'ascending' || value === 'descending' ? value : undefined;
    case 'limit':
    case 'cursor':
      return undefined;
    case 'text':
    case 'id':
    case 'enum':
      return typeof value === 'string' && value !== '' ? value : undefined;
  }
}

/** Returns the parameters that filter or sort a list; not those for paging, extra fields, or fixed ones. */
export function getFilterParameters(
  parameters: Parameters,
  fixed: Filter = {},
): readonly (readonly [string, Parameter])[] {
  return Object.entries(parameters).filter(
    ([name, parameter]) =>
      parameter.type !== 'limit' &&
      parameter.type !== 'cursor' &&
      !(parameter.type === 'flag' && parameter.addsFields === true) &&
      !Object.hasOwn(fixed, name),
  );
}

const formatBound: Readonly<Record<Bound, (date: string) => string>> = {
  gt: (date) => l10n.t('after {0}', date),
  gte: (date) => l10n.t('on or after {0}', date),
  lt: (date) => l10n.t('before {0}', date),
  lte: (date) => l10n.t('on or before {0}', date),
};

const hasNoTitle: GetTitle = () => undefined;

/** Formats a filter as `Status: failed, Created: last 24 hours`, with names instead of known IDs; empty for no filter. */
export function formatFilter(filter: Filter, getTitle: GetTitle = hasNoTitle): string {
  return formatList(
    Object.entries(filter).map(([name, value]) => formatParameterValue(name, value, getTitle)),
    'unit',
  );
}

function formatParameterValue(name: string, value: Filter[string], getTitle: GetTitle): string {
  const { label } = getFilterField(name);
  if (typeof value === 'boolean') return value ? l10n.t('{0}: yes', label) : l10n.t('{0}: no', label);
  if (typeof value === 'object') return formatDates(label, value);
  return formatFilterText(name, name === 'sortBy' ? getFilterField(value).label : value, getTitle);
}

function formatDates(label: string, dates: DateBounds): string {
  const [, amount, unit = ''] = RELATIVE_DATE.exec(dates.gte ?? '') ?? [];
  if (amount !== undefined && Object.keys(dates).length === 1)
    return pluralize(Number(amount), getLastMessage(unit), label);
  const texts = bounds.flatMap((bound) => {
    const text = dates[bound];
    return text === undefined ? [] : [formatBound[bound](formatDateText(text))];
  });
  return formatPair(label, texts.join(' – '));
}

function getLastMessage(unit: string): string {
  switch (unit) {
    case 'm':
      return l10n.t('{1}: last {0} minute|{1}: last {0} minutes');
    case 'h':
      return l10n.t('{1}: last {0} hour|{1}: last {0} hours');
    default:
      return l10n.t('{1}: last {0} day|{1}: last {0} days');
  }
}

const relativeUnits: Readonly<Record<string, Intl.RelativeTimeFormatUnit>> = { m: 'minute', h: 'hour', d: 'day' };

/** Formats a bound: `24 hours ago` for `-24h`, a date without midnight. */
export function formatDateText(text: string): string {
  const [, amount, unit = ''] = RELATIVE_DATE.exec(text) ?? [];
  const relativeUnit = relativeUnits[unit];
  return relativeUnit === undefined
    ? text.replace(/T00:00:00(\.000)?Z$/, '')
    : new Intl.RelativeTimeFormat(getDisplayLanguage()).format(-Number(amount), relativeUnit);
}

/** Whether the filter has no parameters. */
export function isEmptyFilter(filter: Filter): boolean {
  return Object.keys(filter).length === 0;
}
