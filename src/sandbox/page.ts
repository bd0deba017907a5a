/** Takes one page of a collection: filtered, in order, from where the last one ended. */
import type { Operation } from '../platform/operation.ts';
import type { Collection, Entry, Item, Place, Span } from './collection.ts';
import { badRequest } from './http.ts';
import { DATE, writeCursor, type Filter, type ListQuery } from './query.ts';

export interface Page {
  readonly items: readonly Item[];
  readonly next?: string;
}

export interface PageNeeds {
  readonly operation: Operation;
  readonly query: ListQuery;
  /** whether an item passes a filter that the source has no cheap test for */
  matches(filter: Filter, entry: Entry): boolean;
  /** organizations whose entries are shown; undefined: all */
  readonly organizations: ReadonlySet<string> | undefined;
}

/** How many entries are looked at before others get their turn. */
const SLICE = 20_000;
/** Fields that have no cheap value would need every item made. */
const SORTED_AT_MOST = 50_000;

export async function takePage(collection: Collection, needs: PageNeeds): Promise<Page> {
  const { query, organizations } = needs;
  const { source } = collection;
  const cheap: ((index: number) => boolean)[] = [];
  const dear: Filter[] = [];
  for (const filter of query.filters) {
    const test = source.test?.(filter.parameter, filter.value);
    if (test === undefined) dear.push(filter);
    else cheap.push(test);
  }
  const organizationOf = source.organizationOf?.bind(source);
  if (organizations !== undefined && organizationOf !== undefined)
    cheap.push((index) => organizations.has(organizationOf(index)));
  const { modified } = query;
  const changedAt = modified === undefined ? undefined : source.column?.('when_modified');
  if (modified !== undefined && changedAt !== undefined)
    cheap.push((index) => within(Number(changedAt(index)), modified));
  const accept = cheap.length === 0 ? undefined : (index: number) => cheap.every((test) => test(index));

  const passes = (entry: Entry): boolean => {
    const tests = entry.index === undefined ? query.filters : dear;
    if (!tests.every((filter) => needs.matches(filter, entry))) return false;
    if (
      entry.index === undefined &&
      organizations !== undefined &&
      entry.organization !== undefined &&
      !organizations.has(entry.organization)
    )
      return false;
    if (modified === undefined || (entry.index !== undefined && changedAt !== undefined)) return true;
    return within(Date.parse(String(entry.item()['when_modified'])), modified);
  };

  const id = query.filters.find(({ parameter }) => parameter === 'id')?.value;
  const purpose = `${needs.operation.path} ${query.sortBy} ${query.order}`;
  if (id !== undefined) {
    const entry = query.after === undefined ? collection.find(id) : undefined;
    if (entry === undefined || !within(entry.created, query.created)) return { items: [] };
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
    const column = source.column?.(query.sortBy);
    const valueOf = (entry: Entry): unknown =>
      entry.index !== undefined && column !== undefined
        ? column(entry.index)
        : sortValue(entry.item()[query.sortBy], column !== undefined);
    if (column === undefined && source.size > SORTED_AT_MOST)
      throw badRequest(`sortBy: ${query.sortBy} cannot order more than ${SORTED_AT_MOST} items`, { field: 'sortBy' });
    const sign = query.order === 'asc' ? 1 : -1;
    const behind = (one: unknown, seq: number, other: unknown, than: Place): number =>
      (compareValues(one, other) || seq - than.seq) * sign;
    /** beyond the cursor, and better than the worst that is kept */
    const wins = (value: unknown, seq: number): boolean => {
      if (query.after !== undefined && behind(value, seq, query.after.value, query.after) <= 0) return false;
      const worst = found.length === wanted ? found.at(-1) : undefined;
      return worst === undefined || behind(value, seq, worst.value, worst.entry) < 0;
    };
    const promising =
      column === undefined
        ? accept
        : (index: number) => (accept === undefined || accept(index)) && wins(column(index), index);
    let looked = 0;
    for (const entry of collection.walk(query.order, query.created, undefined, promising)) {
      if (++looked % SLICE === 0) await new Promise(setImmediate);
      const value = valueOf(entry);
      if (!wins(value, entry.seq) || !passes(entry)) continue;
      let place = found.length;
      for (
        let before = found[place - 1];
        before !== undefined && behind(value, entry.seq, before.value, before.entry) < 0;
        before = found[place - 1]
      )
        place--;
      found.splice(place, 0, { entry, value });
      if (found.length > wanted) found.pop();
    }
  }
  const shown = found.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    items: shown.map(({ entry }) => entry.item()),
    ...(found.length > query.limit && last !== undefined && { next: writeCursor(last.entry, last.value, purpose) }),
  };
}

function within(moment: number, span: Span): boolean {
  return moment >= span.from && moment <= span.to;
}

/** Columns hold dates as milliseconds; an item's own field is brought to the same form. */
function sortValue(value: unknown, dated: boolean): unknown {
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
