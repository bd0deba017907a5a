import type { ItemSummary, ResourceDefinition } from '../../platform/resource.ts';
import type { TableSort } from '../../webviews/protocol/table.ts';
import { formatValue, type TableColumn, type TableItem } from './table-columns.ts';
import { compareTexts } from '../../platform/text/localization.ts';

type Filters = Readonly<Record<string, string>>;

/** An item as it is loaded. */
export interface LoadedItem {
  readonly raw: unknown;
  readonly id?: string | undefined;
}

/** A row whose summary is computed when it is first needed. */
class LazyTableItem implements TableItem {
  readonly #definition: ResourceDefinition;
  readonly #loaded: LoadedItem;
  #summary: ItemSummary | undefined;

  constructor(definition: ResourceDefinition, loaded: LoadedItem) {
    this.#definition = definition;
    this.#loaded = loaded;
  }
  get raw(): unknown {
    return this.#loaded.raw;
  }
  get id(): string | undefined {
    return this.#loaded.id;
  }
  get summary(): ItemSummary {
    return (this.#summary ??= this.#definition.summary(this.raw));
  }
}

/** The rows of one kind. Each item is summarized once, however often the rows are sorted and filtered. */
export class TableRows {
  readonly #definition: ResourceDefinition;
  readonly #items = new WeakMap<LoadedItem, TableItem>();

  constructor(definition: ResourceDefinition) {
    this.#definition = definition;
  }

  /** Returns the row of an item. */
  get(loaded: LoadedItem): TableItem {
    let item = this.#items.get(loaded);
    if (item === undefined) this.#items.set(loaded, (item = new LazyTableItem(this.#definition, loaded)));
    return item;
  }

  /**
   * Returns the items that match all filters, by text or by the id of a title, sorted by title or value; without both, `items` itself.
   * Unknown columns are ignored.
   */
  select(
    items: readonly LoadedItem[],
    columns: readonly TableColumn[],
    filters: Filters,
    sort: TableSort | undefined,
  ): readonly LoadedItem[] {
    const conditions = columns.flatMap((column) => {
      const text = filters[column.key]?.trim().toLowerCase() ?? '';
      return text === '' ? [] : [{ column, text }];
    });
    const sortColumn = columns.find(({ key }) => key === sort?.key);
    if (conditions.length === 0 && sortColumn === undefined) return items;
    const matching = items.filter((loaded) =>
      conditions.every(({ column, text }) => matches(column, this.get(loaded), text)),
    );
    if (sortColumn === undefined) return matching;
    const direction = sort?.descending === true ? -1 : 1;
    return matching
      .map((loaded) => {
        const item = this.get(loaded);
        return { loaded, key: toSortKey(sortColumn.getTitle?.(item) ?? sortColumn.getValue(item)) };
      })
      .sort((a, b) => compareKeys(a.key, b.key, direction))
      .map(({ loaded }) => loaded);
  }
}

/** `text`: in lower case */
function matches({ getText, getTitle, getValue }: TableColumn, item: TableItem, text: string): boolean {
  if (getText(item).toLowerCase().includes(text)) return true;
  // The id below a title; elsewhere a match in text that is not shown would look wrong.
  return getTitle?.(item) !== undefined && formatValue(getValue(item)).toLowerCase().includes(text);
}

type SortKey = number | string | undefined;

/** Decimal strings sort as numbers, as fees and amounts are strings. */
function toSortKey(value: unknown): SortKey {
  if (typeof value === 'number') return value;
  const text = formatValue(value);
  if (text === '') return undefined;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text.toLowerCase();
}

/** Numbers before texts; empty cells last in both directions. */
function compareKeys(a: SortKey, b: SortKey, direction: number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (typeof a !== typeof b) return typeof a === 'number' ? -direction : direction;
  return direction * (typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : Number(a) - Number(b));
}
