import type { LogRow, RowsMessage, ViewState } from '../../../protocol/logs.ts';
import { OrderedList, type TimedItem } from '../../../../model/ordered-list.ts';
import { createGroupTest } from '../../../protocol/failure-groups.ts';
import { facets, getFacetValues, getSearchText, parseSearch, type Facet, type SearchQuery } from './search.ts';

export interface LoadedRow extends TimedItem {
  readonly row: LogRow;
  /** searchable text in lower case */
  readonly searchText: string;
}

/** A selected time range in milliseconds since the epoch, `to` excluded. */
export interface Brush {
  readonly from: number;
  readonly to: number;
}

/** A value of a field, with the number of rows that would be shown with it. */
export interface FacetValue {
  readonly value: string;
  readonly count: number;
  /** a row with the value */
  readonly example: LogRow;
}

function count(value: string, row: LogRow, counted: FacetValue | undefined): FacetValue {
  // A row names its first template.
  const example = counted === undefined || row.templates?.[0] === value ? row : counted.example;
  return { value, count: (counted?.count ?? 0) + 1, example };
}

/** The loaded rows of a view, and those that pass the search and the selected time range. */
export class RowsModel {
  readonly #rows = new OrderedList<LoadedRow>();
  #found: readonly LoadedRow[] | undefined;
  #visibleRows: readonly LoadedRow[] | undefined;
  #search: SearchQuery = parseSearch('');
  #brush: Brush | undefined;
  #failure: string | undefined;

  get loaded(): number {
    return this.#rows.size;
  }

  get search(): SearchQuery {
    return this.#search;
  }

  get brush(): Brush | undefined {
    return this.#brush;
  }

  /** True if not all loaded rows are shown. */
  get filtered(): boolean {
    return !this.#search.empty || this.#brush !== undefined || this.#failure !== undefined;
  }

  /** All loaded rows, oldest first. */
  get all(): readonly LoadedRow[] {
    return this.#rows.list;
  }

  get(key: string): LoadedRow | undefined {
    return this.#rows.get(key);
  }

  update({ reset, rows, removed }: Omit<RowsMessage, 'more'>): void {
    if (reset) this.#rows.clear();
    if (removed.length > 0) this.#rows.remove(removed);
    this.#rows.put(
      rows.map((row) => ({ key: row.key, id: row.id, time: row.time, row, searchText: getSearchText(row) })),
    );
    this.#invalidate();
  }

  setSearch(text: string): void {
    this.#search = parseSearch(text);
    this.#invalidate();
    // Now: the frame that renders the rows has no time for it.
    this.#visibleRows = this.visibleRows;
  }

  setBrush(brush: Brush | undefined): void {
    this.#brush = brush;
    this.#visibleRows = undefined;
  }

  /** Shows only one group of failures. */
  setFailure(group: string | undefined): void {
    this.#failure = group;
    this.#invalidate();
  }

  /** Rows that pass the search, oldest first, in any time range. The same array until something changes. */
  get found(): readonly LoadedRow[] {
    if (this.#search.empty && this.#failure === undefined) return this.all;
    if (this.#found !== undefined) return this.#found;
    const isInGroup = this.#createGroupTest();
    return (this.#found = this.all.filter(
      ({ searchText, row }) => this.#search.matches(searchText) && this.#search.matchesFacets(row) && isInGroup(row),
    ));
  }

  /** Counts the values of each field among the loaded rows that pass the search of the other fields, the most frequent first. */
  countFacets(): ReadonlyMap<Facet, readonly FacetValue[]> {
    const counts = new Map(facets.map((facet) => [facet, new Map<string, FacetValue>()]));
    const isInGroup = this.#createGroupTest();
    for (const { row, searchText } of this.#applyBrush(this.all)) {
      if (!this.#search.matches(searchText) || !isInGroup(row)) continue;
      for (const [facet, values] of counts) {
        if (!this.#search.matchesFacets(row, facet)) continue;
        for (const value of getFacetValues(row, facet)) values.set(value, count(value, row, values.get(value)));
      }
    }
    return new Map(
      [...counts].map(([facet, values]) => [facet, [...values.values()].sort((a, b) => b.count - a.count)]),
    );
  }

  /** Rows of the table, newest first. The same array until something changes. */
  get visibleRows(): readonly LoadedRow[] {
    return (this.#visibleRows ??= this.#applyBrush(this.found).toReversed());
  }

  /** Keys of the rows to export, only failed ones in the failures view; `undefined` for all loaded rows. */
  getExportKeys(mode: ViewState['mode'] | undefined): string[] | undefined {
    const failures = mode === 'failures';
    if (!failures && !this.filtered) return undefined;
    return this.visibleRows.filter(({ row }) => !failures || row.status === 'failed').map(({ key }) => key);
  }

  #createGroupTest(): (row: LogRow) => boolean {
    if (this.#failure === undefined) return () => true;
    return createGroupTest(
      this.#failure,
      this.all.map(({ row }) => row),
    );
  }

  #applyBrush(rows: readonly LoadedRow[]): readonly LoadedRow[] {
    if (this.#brush === undefined) return rows;
    const { from, to } = this.#brush;
    return rows.filter(({ time }) => time >= from && time < to);
  }

  #invalidate(): void {
    this.#found = undefined;
    this.#visibleRows = undefined;
  }
}
