/** Reads one page of a collection. */
import type { Operation } from '../../platform/operation.ts';
import type { Collection, Entry, Item, Position, TimeRange } from '../generation/collection.ts';
import { badRequest } from '../http/errors.ts';
import { DATE, writeCursor, type Filter, type ListQuery } from './list-query.ts';

interface ListPage {
  readonly items: readonly Item[];
  readonly next?: string;
}

interface ListPageOptions {
  readonly operation: Operation;
  readonly query: ListQuery;
  /** True if an entry passes a filter that the source has no test for. */
  matches(filter: Filter, entry: Entry): boolean;
  /** organizations whose entries are listed; undefined: all */
  readonly organizations: ReadonlySet<string> | undefined;
}

/** Entries to scan before yielding to other requests. */
const SLICE = 20_000;
/** Limit on sorting by a field without a column, which generates every item. */
const MAX_SORTED_ITEMS = 50_000;

/** Filters, sorts and cuts a collection to one page. Rejects with HttpError 400 if it is too large to sort. */
export async function readListPage(collection: Collection, options: ListPageOptions): Promise<ListPage> {
  const { query, organizations } = options;
  const { source } = collection;
  const indexTests: ((index: number) => boolean)[] = [];
  const itemFilters: Filter[] = [];
  for (const filter of query.filters) {
    const test = source.createTest?.(filter.parameter, filter.value);
    if (test === undefined) itemFilters.push(filter);
    else indexTests.push(test);
  }
  const getOrganization = source.getOrganization?.bind(source);
  if (organizations !== undefined && getOrganization !== undefined)
    indexTests.push((index) => organizations.has(getOrganization(index)));
  const { modified } = query;
  const changedAt = modified === undefined ? undefined : source.getColumn?.('when_modified');
  if (modified !== undefined && changedAt !== undefined)
    indexTests.push((index) => isWithin(Number(changedAt(index)), modified));
  const accept = indexTests.length === 0 ? undefined : (index: number) => indexTests.every((test) => test(index));

  const passes = (entry: Entry): boolean => {
    const tests = entry.index === undefined ? query.filters : itemFilters;
    if (!tests.every((filter) => options.matches(filter, entry))) return false;
    if (
      entry.index === undefined &&
      organizations !== undefined &&
      entry.organization !== undefined &&
      !organizations.has(entry.organization)
    )
      return false;
    if (modified === undefined || (entry.index !== undefined && changedAt !== undefined)) return true;
    return isWithin(Date.parse(String(entry.item()['when_modified'])), modified);
  };

  const id = query.filters.find(({ parameter }) => parameter === 'id')?.value;
  const purpose = `${options.operation.path} ${query.sortBy} ${query.order}`;
  if (id !== undefined) {
    const entry = query.after === undefined ? collection.find(id) : undefined;
    if (entry === undefined || !isWithin(entry.created, query.created)) return { items: [] };
    if (entry.index !== undefined && accept?.(entry.index) === false) return { items: [] };
    return { items: passes(entry) ? [entry.item()] : [] };
  }

  const wanted = query.limit + 1;
  const found: { readonly entry: Entry; readonly value: unknown }[] = [];
  if (query.sortBy === 'when_created') {
    for (const entry of collection.walk(query.order, query.created, query.after, accept)) {
      if (passes(entry) && found.push({ entry, value: undefined }) === wanted) break;
    }
  } else {
    const column = source.getColumn?.(query.sortBy);
    const getValue = (entry: Entry): unknown =>
      entry.index !== undefined && column !== undefined
        ? column(entry.index)
        : toSortValue(entry.item()[query.sortBy], column !== undefined);
    if (column === undefined && source.size > MAX_SORTED_ITEMS)
      throw badRequest(`sortBy: ${query.sortBy} cannot order more than ${MAX_SORTED_ITEMS} items`, { field: 'sortBy' });
    const sign = query.order === 'asc' ? 1 : -1;
    const compareEntries = (one: unknown, seq: number, other: unknown, than: Position): number =>
      (compareValues(one, other) || seq - than.seq) * sign;
    /** after the cursor, and before the last entry found if the page is full */
    const belongsToPage = (value: unknown, seq: number): boolean => {
      if (query.after !== undefined && compareEntries(value, seq, query.after.value, query.after) <= 0) return false;
      const last = found.length === wanted ? found.at(-1) : undefined;
      return last === undefined || compareEntries(value, seq, last.value, last.entry) < 0;
    };
    const candidates =
      column === undefined
        ? accept
        : (index: number) => (accept === undefined || accept(index)) && belongsToPage(column(index), index);
    let scanned = 0;
    for (const entry of collection.walk(query.order, query.created, undefined, candidates)) {
      if (++scanned % SLICE === 0) await new Promise(setImmediate);
      const value = getValue(entry);
      if (!belongsToPage(value, entry.seq) || !passes(entry)) continue;
      let position = found.length;
      for (
        let before = found[position - 1];
        before !== undefined && compareEntries(value, entry.seq, before.value, before.entry) < 0;
        before = found[position - 1]
      )
        position--;
      found.splice(position, 0, { entry, value });
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

function isWithin(moment: number, span: TimeRange): boolean {
  return moment >= span.from && moment <= span.to;
}

/** The sort value of an item's field in the form of the columns, whose dates are milliseconds. */
function toSortValue(value: unknown, dated: boolean): unknown {
  if (typeof value === 'string') return dated && DATE.test(value) ? Date.parse(value) : value;
  if (typeof value === 'number' || value === undefined || value === null) return value ?? undefined;
  return JSON.stringify(value);
}

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  const rank = (value: unknown): number => (typeof value === 'number' ? 1 : typeof value === 'string' ? 2 : 0);
  return rank(a) - rank(b);
}
