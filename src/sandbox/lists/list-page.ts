/** Reads one page of a collection. */
import type { Operation } from '../../platform/operation.ts';
import { getOwn } from '../../platform/json/json.ts';
import { isWithin, type Collection, type Entry, type Item } from '../generation/collection.ts';
import { badRequest } from '../http/errors.ts';
import { DATE, writeCursor, type ListQuery } from './list-query.ts';

interface ListPage {
  readonly items: readonly Item[];
  readonly next?: string;
}

/** What a list is sorted by: a value, and the order of creation among equal ones. */
interface Ranked {
  readonly value?: unknown;
  readonly seq: number;
}

/** Entries to scan before yielding to other requests. */
const SLICE = 20_000;
/** Limit on sorting by a field without a column, which generates every item. */
const MAX_SORTED_ITEMS = 50_000;

/** Filters by `passes`, sorts and cuts a collection to one page. Rejects with HttpError 400 if it is too large to sort. */
export async function readListPage(
  collection: Collection,
  operation: Operation,
  query: ListQuery,
  passes: (entry: Entry) => boolean,
): Promise<ListPage> {
  const { source } = collection;
  const id = query.filters.find(({ parameter }) => parameter === 'id')?.value;
  const purpose = `${operation.path} ${query.sortBy} ${query.order}`;
  if (id !== undefined) {
    const entry = query.after === undefined ? collection.find(id) : undefined;
    const isListed = entry !== undefined && isWithin(entry.created, query.created) && passes(entry);
    return { items: isListed ? [entry.item()] : [] };
  }

  const wanted = query.limit + 1;
  const found: (Ranked & { readonly entry: Entry })[] = [];
  let scanned = 0;
  if (query.sortBy === 'when_created') {
    for (const entry of collection.walk(query.order, query.created, query.after)) {
      if (++scanned % SLICE === 0) await new Promise(setImmediate);
      if (passes(entry) && found.push({ entry, seq: entry.seq, value: undefined }) === wanted) break;
    }
  } else {
    if (getOwn(source.columns, query.sortBy) === undefined && source.size > MAX_SORTED_ITEMS)
      throw badRequest(`sortBy: ${query.sortBy} cannot order more than ${MAX_SORTED_ITEMS} items`, { field: 'sortBy' });
    const sign = query.order === 'asc' ? 1 : -1;
    const compare = (a: Ranked, b: Ranked): number => (compareValues(a.value, b.value) || a.seq - b.seq) * sign;
    for (const entry of collection.walk(query.order, query.created)) {
      if (++scanned % SLICE === 0) await new Promise(setImmediate);
      const candidate = { entry, seq: entry.seq, value: toSortValue(entry.get(query.sortBy)) };
      const last = found.length === wanted ? found.at(-1) : undefined;
      if (query.after !== undefined && compare(candidate, query.after) <= 0) continue;
      if ((last !== undefined && compare(candidate, last) >= 0) || !passes(entry)) continue;
      found.push(candidate);
      found.sort(compare);
      if (found.length > wanted) found.pop();
    }
  }
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return {
    items: page.map(({ entry }) => entry.item()),
    ...(found.length > query.limit && last !== undefined && { next: writeCursor(last.entry, last.value, purpose) }),
  };
}

/** The value of a field to sort by: a date as milliseconds, as columns have it, and JSON for objects and arrays. */
function toSortValue(value: unknown): unknown {
  if (typeof value === 'string') return DATE.test(value) ? Date.parse(value) : value;
  if (typeof value === 'number' || value === undefined || value === null) return value ?? undefined;
  return JSON.stringify(value);
}

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  const rank = (value: unknown): number => (typeof value === 'number' ? 1 : typeof value === 'string' ? 2 : 0);
  return rank(a) - rank(b);
}
