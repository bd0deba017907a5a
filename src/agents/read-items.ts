/** How tools read a list: filters, conditions on fields, chosen fields, and counts. */
import * as z from 'zod/mini';
import { ConditionError, createFilter, listConditionParameters } from '../explorer/filter/condition.ts';
import { isDateText, resolveFilter } from '../explorer/filter/filter.ts';
import { resolveRelativeDate } from '../model/text/time-format.ts';
import { getAllAt } from '../platform/json/field-values.ts';
import { isObject, toText } from '../platform/json/json.ts';
import type { AnyQuery } from '../platform/operation.ts';
import type { Item } from '../platform/page.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import { reportProgress } from '../platform/requests/progress.ts';
import { parseAmount } from '../statistics/amounts.ts';
import { describe, text, ToolInputError, type ToolSession } from './tool.ts';
import { MAX_STRING_LENGTH } from './untrusted-data.ts';

const MAX_ITEMS = 50;
/** Items that one call reads to find those that match, and milliseconds: clients give up after 60 s by default. */
const MAX_SCANNED = 5000;
const MAX_DURATION = 20_000;
const MAX_PAGE = 100;

const path = describe(
  text,
  'Path of a field: custom.seat.row, assets[0].url, or affected_objects[].id for all items of a list.',
  'metadata.image',
);
const comparisons = ['missing', 'present', 'equals', 'contains', 'greater', 'less'] as const;
const condition = z.strictObject({
  path,
  is: describe(z.enum(comparisons), 'missing: absent, null or empty. greater and less: numbers, and dates.', 'missing'),
  value: z.optional(describe(z.union([text, z.number(), z.boolean()]), 'What the field is compared with.', 'ticket')),
});
type Condition = z.output<typeof condition>;

const date = (description: string, example: string) => z.optional(describe(text, description, example));
/** The ends of a period. */
export const period = {
  from: date('Start: an ISO 8601 date, or relative to now: -24h, -7d.', '2026-03-01'),
  until: date('End, not included: an ISO 8601 date, or relative to now.', '2026-03-08T12:00:00Z'),
};

/** As long as a text of a result can be. */
const cursor = z.string().check(z.minLength(1), z.maxLength(MAX_STRING_LENGTH));

/** The input of a tool that reads a list. */
export const listInput = {
  filters: z.optional(
    describe(
      z.record(text, text),
      'Query parameters of the list. Flags are "true" or "false"; dates have one or two operators: ">=-24h", ">=2026-03-01 <2026-03-08".',
      { template_id: 'tpl_a988a8ed2db28a1f66a20b18' },
    ),
  ),
  ...period,
  where: z.optional(
    describe(
      z.array(condition).check(z.minLength(1), z.maxLength(10)),
      `Conditions on fields that the list cannot filter by; all must be true. Up to ${String(MAX_SCANNED)} resources are read for them.`,
      [{ path: 'metadata.image', is: 'missing' as const }],
    ),
  ),
  fields: z.optional(
    describe(z.array(path).check(z.minLength(1), z.maxLength(30)), 'Return these fields only.', ['metadata.name']),
  ),
  countBy: z.optional(
    describe(text, 'Path of a field: return how many resources have each value of it, instead of them.', 'template_id'),
  ),
  limit: z.optional(
    describe(
      z.int().check(z.minimum(1), z.maximum(MAX_ITEMS)),
      'Number of results; with `where`, those of the last page that was read, too. Default: 20.',
      50,
    ),
  ),
  next: z.optional(describe(cursor, '`next` of the result before, to go on after it.', 'eyJwIjoyfQ')),
};
type ListInput = { readonly [Name in keyof typeof listInput]?: z.output<(typeof listInput)[Name]> };

/** A note without its full stop on logs that should be the newest, if `areNewestFirst` is false. */
export const NOT_NEWEST_FIRST =
  'The platform does not list the newest action logs first, so newer ones may be missing: set query.descending of the connection to its word for that order';

/** The data of a result: `name` is that of the list. */
export function createListOutput(name: 'items' | 'logs') {
  return z.looseObject({
    [name]: z.optional(z.array(z.looseObject({}))),
    counts: z.optional(z.array(z.object({ value: z.unknown(), count: z.int() }))),
    scanned: z.optional(z.int()),
    next: z.optional(z.string()),
  });
}

interface ReadItems {
  /** without `countBy` */
  readonly items?: readonly object[];
  /** the most frequent first */
  readonly counts?: readonly { readonly value: unknown; readonly count: number }[];
  /** number of resources that were read for conditions or counts */
  readonly scanned?: number;
  /** absent: the end of the list */
  readonly next?: string | undefined;
}

/** Reads a part of a list. `present`: an item without chosen fields. Rejects with PlatformError or ToolInputError. */
export async function readItems(
  { client }: ToolSession,
  definition: ResourceDefinition,
  { where = [], fields, countBy, limit = 20, next: from, ...input }: ListInput,
  present: (item: Item) => unknown,
  signal: AbortSignal,
): Promise<ReadItems> {
  const incomplete = where.find(({ is, value }) => value === undefined && is !== 'missing' && is !== 'present');
  if (incomplete !== undefined) throw new ToolInputError(`where: ${incomplete.is} requires a value.`);
  const isScan = where.length > 0 || countBy !== undefined;
  const query = { ...createQuery(definition, input), limit: isScan ? MAX_PAGE : limit };
  const started = performance.now();
  const found: object[] = [];
  const counts = new Map<string, { readonly value: unknown; count: number }>();
  let scanned = 0;
  let next: string | undefined;
  let isEnd = true;
  for await (const page of client.listPagesFor(definition, query, { signal, bulk: isScan, distinct: true }, from)) {
    for (const item of page.items.filter(({ raw }) => where.every((one) => isTrue(one, raw)))) {
      if (countBy === undefined) found.push(selectFields(item, fields) ?? toObject(present(item)));
      else
        for (const [key, value] of new Map(getAllAt(item.raw, countBy).map((one) => [toText(one), one]))) {
          const count = counts.get(key) ?? { value: value ?? null, count: 0 };
          count.count++;
          counts.set(key, count);
        }
    }
    scanned += page.items.length;
    if (isScan) reportProgress(`${String(scanned)} resources were read`);
    ({ next } = page);
    isEnd = false;
    const isFull = countBy === undefined && found.length >= limit;
    if (!isScan || isFull || scanned >= MAX_SCANNED || performance.now() - started > MAX_DURATION) break;
    isEnd = true;
  }
  return {
    ...(countBy === undefined ? { items: found } : { counts: [...counts.values()].sort((a, b) => b.count - a.count) }),
    ...(isScan && { scanned }),
    next: isEnd ? undefined : next,
  };
}

function toObject(value: unknown): object {
  return isObject(value) ? value : { value };
}

function selectFields({ raw, id }: Item, fields: readonly string[] | undefined): object | undefined {
  if (fields === undefined) return undefined;
  const read = (path: string): unknown => (path.includes('[]') ? getAllAt(raw, path) : getAllAt(raw, path)[0]);
  return { id, ...Object.fromEntries(fields.map((path) => [path, read(path)])) };
}

function isTrue({ path, is, value = '' }: Condition, raw: unknown): boolean {
  const values = getAllAt(raw, path);
  const expected = String(value);
  switch (is) {
    case 'missing':
      return values.every(isMissing);
    case 'present':
      return !values.every(isMissing);
    case 'equals':
      return values.some((one) => toText(one) === expected);
    case 'contains':
      return values.flat().some((one) => toText(one).toLowerCase().includes(expected.toLowerCase()));
    case 'greater':
      return values.some((one) => compare(toText(one), expected) > 0);
    case 'less':
      return values.some((one) => compare(toText(one), expected) < 0);
  }
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || ['[]', '{}'].includes(JSON.stringify(value));
}

/** NaN for values that are neither both numbers nor both dates. */
function compare(text: string, other: string): number {
  const [number, otherNumber] = [parseAmount(text)?.value, parseAmount(other)?.value];
  if (number !== undefined && otherNumber !== undefined) return number.cmp(otherNumber);
  return Date.parse(text) - Date.parse(resolveRelativeDate(other, Date.now()));
}

/** Resolves a date of an input to ISO 8601; `undefined` without one. Throws ToolInputError. */
export function resolveDate(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!isDateText(text)) throw new ToolInputError(`${name} must be a date such as 2026-03-01, or a span such as -24h.`);
  return new Date(resolveRelativeDate(text, Date.now())).toISOString();
}

/** The ends of a period as ISO 8601. Throws ToolInputError. */
export function resolvePeriod(input: { readonly from?: string | undefined; readonly until?: string | undefined }): {
  readonly from: string | undefined;
  readonly until: string | undefined;
} {
  const [from, until] = [resolveDate('from', input.from), resolveDate('until', input.until)];
  if (from !== undefined && until !== undefined && from >= until)
    throw new ToolInputError('from must be before until.');
  return { from, until };
}

/** The query of filters and of a period of creation. Throws ToolInputError. */
function createQuery(
  definition: ResourceDefinition,
  { filters = {}, ...input }: Pick<ListInput, 'filters' | 'from' | 'until'>,
): AnyQuery {
  const { from, until } = resolvePeriod(input);
  const parameters = new Map(listConditionParameters(definition));
  const ends = [
    { name: 'when_created', operator: '>=', value: from },
    { name: 'when_created', operator: '<', value: until },
  ].flatMap((end) => (end.value === undefined ? [] : [{ ...end, value: end.value }]));
  const conditions = Object.entries(filters).flatMap(([name, text]) => {
    if (parameters.get(name)?.type !== 'dates') return [{ name, operator: '=', value: text }];
    const parts = [...text.matchAll(/([<>]=?)\s*([^<>\s,][^<>,]*)/g)];
    if (parts.length === 0 || !/^\s*[<>]/.test(text))
      throw new ToolInputError(`${name} is a date: write for example {"${name}": ">=-24h"}.`);
    return parts.map(([, operator = '', value = '']) => ({ name, operator, value: value.trim() }));
  });
  try {
    return resolveFilter(createFilter(definition, [...conditions, ...ends]), Date.now());
  } catch (error) {
    throw error instanceof ConditionError ? new ToolInputError(error.message) : error;
  }
}
