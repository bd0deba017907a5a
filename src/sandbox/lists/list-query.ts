/** Parses and validates the query of a list. */
import * as z from 'zod/mini';
import { isObject } from '../../platform/json/json.ts';
import type { Operation } from '../../platform/operation.ts';
import { ALL_TIME, type Order, type Position, type TimeRange } from '../generation/collection.ts';
import { badRequest } from '../http/errors.ts';

export interface Filter {
  readonly parameter: string;
  readonly value: string;
}

export interface ListQuery {
  readonly limit: number;
  readonly order: Order;
  readonly sortBy: string;
  readonly after: (Position & { readonly value?: unknown }) | undefined;
  readonly created: TimeRange;
  readonly modified: TimeRange | undefined;
  readonly filters: readonly Filter[];
}

/** The contract shows no default. */
const DEFAULT_LIMIT = 25;
export const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const ORDERS: Readonly<Record<string, Order>> = { asc: 'asc', ascending: 'asc', desc: 'desc', descending: 'desc' };

/** The parameter `limit`. Throws HttpError 400. */
export function readLimit(query: URLSearchParams, max: number | undefined): number {
  const text = query.get('limit');
  if (text === null) return DEFAULT_LIMIT;
  const limit = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw badRequest('limit: a whole number of at least 1', { field: 'limit' });
  if (max !== undefined && limit > max) throw badRequest(`limit: at most ${max}`, { field: 'limit', max });
  return limit;
}

/** The range of `name[$gt]`, `[$gte]`, `[$lt]` and `[$lte]`; undefined if none is set. Throws HttpError 400. */
export function readSpan(query: URLSearchParams, name: string): TimeRange | undefined {
  let { from, to } = ALL_TIME;
  let found = false;
  for (const bound of ['$gt', '$gte', '$lt', '$lte'] as const) {
    const text = query.get(`${name}[${bound}]`);
    if (text === null) continue;
    const moment = DATE.test(text) ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(moment))
      throw badRequest(`${name}[${bound}]: not an ISO 8601 date-time`, { field: `${name}[${bound}]` });
    found = true;
    if (bound === '$gt') from = Math.max(from, moment + 1);
    else if (bound === '$gte') from = Math.max(from, moment);
    else if (bound === '$lt') to = Math.min(to, moment - 1);
    else to = Math.min(to, moment);
  }
  return found ? { from, to } : undefined;
}

/** The value of a flag. Throws HttpError 400 if it is not a boolean. */
export function readFlag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name)?.toLowerCase();
  if (text === undefined || text === 'false' || text === '0') return false;
  if (text === 'true' || text === '1' || text === '') return true;
  throw badRequest(`${name}: true or false`, { field: name });
}

/** Parses all parameters of a list operation. Throws HttpError 400. */
export function readListQuery(operation: Operation, query: URLSearchParams, schema: z.core.SomeType): ListQuery {
  const parameters = operation.query;
  const filters: Filter[] = [];
  let limit = DEFAULT_LIMIT;
  let order: Order = 'desc';
  let sortBy = 'when_created';
  let modified: TimeRange | undefined;
  let created = ALL_TIME;
  for (const [name, parameter] of Object.entries(parameters)) {
    const text = query.get(name);
    switch (parameter.type) {
      case 'limit':
        limit = readLimit(query, parameter.max);
        break;
      case 'order': {
        if (text === null) break;
        const known = ORDERS[text];
        if (known === undefined) throw badRequest('order: asc or desc', { field: 'order' });
        order = known;
        break;
      }
      case 'dates': {
        const span = readSpan(query, name);
        if (span === undefined) break;
        if (name === 'when_created') created = span;
        else modified = span;
        break;
      }
      case 'flag':
        if (text !== null && parameter.addsFields !== true)
          filters.push({ parameter: name, value: String(readFlag(query, name)) });
        break;
      case 'enum':
        if (text === null || text === '') break;
        if (!parameter.values.includes(text))
          throw badRequest(`${name}: one of ${parameter.values.join(', ')}`, { field: name });
        filters.push({ parameter: name, value: text });
        break;
      case 'cursor':
        break;
      default:
        if (name === 'sortBy') {
          if (text === null || text === '') break;
          if (!(schema instanceof z.ZodMiniObject) || !Object.hasOwn(schema.shape, text))
            throw badRequest('sortBy: not a field of this resource', { field: 'sortBy' });
          sortBy = text;
        } else if (text !== null && text !== '') filters.push({ parameter: name, value: text });
    }
  }
  const cursor = 'next' in parameters ? query.get('next') : null;
  const after = cursor === null ? undefined : readCursor(cursor, `${operation.path} ${sortBy} ${order}`);
  return { limit, order, sortBy, after, created, modified, filters };
}

function readCursor(text: string, purpose: string): Position & { readonly value?: unknown } {
  try {
    const cursor: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (
      isObject(cursor) &&
      cursor['p'] === purpose &&
      typeof cursor['c'] === 'number' &&
      typeof cursor['s'] === 'number'
    )
      return { created: cursor['c'], seq: cursor['s'], ...('v' in cursor && { value: cursor['v'] }) };
  } catch {
    // Invalid: throws below.
  }
  throw badRequest('next: not a cursor of this list', { field: 'next' });
}

/** The cursor after `entry`. `purpose` binds it to the path and order of the list. */
export function writeCursor(entry: Position, value: unknown, purpose: string): string {
  return Buffer.from(JSON.stringify({ p: purpose, c: entry.created, s: entry.seq, v: value })).toString('base64url');
}
