/** Pure: a list's filter as it is kept and shown: plain JSON whose dates may be relative, `-24h`, until they are sent. */
import { isObject } from '../platform/json.ts';
import type { AnyQuery, Parameter, Parameters } from '../platform/operation.ts';
import { dateOf, RELATIVE_DATE } from '../ui/times.ts';

export const bounds = ['gt', 'gte', 'lt', 'lte'] as const;
export type Bound = (typeof bounds)[number];
/** ISO 8601, or relative to now: `-24h`, `-7d` */
export type DateTexts = Readonly<Partial<Record<Bound, string>>>;
export type Filter = Readonly<Record<string, string | boolean | DateTexts>>;

export function isDateText(text: string): boolean {
  return RELATIVE_DATE.test(text) || !Number.isNaN(Date.parse(text));
}

/** The filter as the client takes it. Resolved once for all pages of a list, so that they belong together. */
export function queryOf(filter: Filter, now: number): AnyQuery {
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => [name, typeof value === 'object' ? resolved(value, now) : value]),
  );
}

function resolved(dates: DateTexts, now: number): DateTexts {
  return Object.fromEntries(Object.entries(dates).map(([bound, text]) => [bound, dateOf(text, now)]));
}

/** What was kept, as far as it still fits the parameters of the list; anything may stand in a store. */
export function filterFrom(kept: unknown, parameters: Parameters): Filter {
  if (!isObject(kept)) return {};
  const fitting = Object.entries(kept).flatMap(([name, value]) => {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const fit = parameter === undefined ? undefined : fits(parameter, value);
    return fit === undefined ? [] : [[name, fit] as const];
  });
  return Object.fromEntries(fitting);
}

function fits(parameter: Parameter, value: unknown): Filter[string] | undefined {
  switch (parameter.type) {
    case 'flag':
      return typeof value === 'boolean' && parameter.beside !== true ? value : undefined;
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

/** The parameters that filter or sort a list; not those of paging, those that only add to the answer, and those that are fixed. */
export function fillable(parameters: Parameters, fixed: Filter = {}): readonly (readonly [string, Parameter])[] {
  return Object.entries(parameters).filter(
    ([name, parameter]) =>
      parameter.type !== 'limit' &&
      parameter.type !== 'cursor' &&
      !(parameter.type === 'flag' && parameter.beside === true) &&
      !Object.hasOwn(fixed, name),
  );
}

const boundWords: Readonly<Record<Bound, string>> = { gt: 'after', gte: 'since', lt: 'before', lte: 'until' };

/** `when_created` → `created`, `template_id` → `template` */
export function parameterWords(name: string): string {
  if (name === 'org_id') return 'organization';
  if (name === 'sortBy') return 'sorted by';
  return name.replace(/^when_|_id$/g, '').replaceAll('_', ' ');
}

/** `status failed, created since 24 h ago`; empty for no filter. */
export function filterWords(filter: Filter): string {
  return Object.entries(filter)
    .map(([name, value]) => valueWords(name, value))
    .join(', ');
}

function valueWords(name: string, value: Filter[string]): string {
  const words = parameterWords(name);
  if (typeof value === 'boolean') return value ? words : `not ${words}`;
  if (typeof value !== 'object') return `${words} ${value}`;
  const dates = bounds.flatMap((bound) => {
    const text = value[bound];
    return text === undefined ? [] : [`${boundWords[bound]} ${dateWords(text)}`];
  });
  return `${words} ${dates.join(' and ')}`;
}

export function dateWords(text: string): string {
  const [, amount, unit] = RELATIVE_DATE.exec(text) ?? [];
  if (amount === undefined) return text.replace(/T00:00:00(\.000)?Z$/, '');
  return `${amount} ${unit === 'm' ? 'min' : (unit ?? '')} ago`;
}

export function isEmpty(filter: Filter): boolean {
  return Object.keys(filter).length === 0;
}
