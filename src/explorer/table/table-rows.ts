import type { ItemSummary, ResourceDefinition } from '../../platform/resource.ts';
import type { TableSort } from '../../webviews/protocol/table.ts';
import type { TableColumn, TableItem } from './table-columns.ts';
import { parseDateTime } from '../../model/text/time-format.ts';
import { toText } from '../../platform/json/json.ts';
import { compareTexts } from '../../platform/text/localization.ts';
import { getOrAdd } from '../../platform/get-or-add.ts';

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
    return getOrAdd(this.#items, loaded, () => new LazyTableItem(this.#definition, loaded));
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
    const matching =
      conditions.length === 0
        ? items
        : items.filter((loaded) => conditions.every(({ column, text }) => matches(column, this.get(loaded), text)));
    if (sortColumn === undefined) return matching;
    const { getTitle, getValue } = sortColumn;
    const keyed = matching.map((loaded): readonly [LoadedItem, SortKey] => {
      const item = this.get(loaded);
      return [loaded, toSortKey(getTitle?.(item) ?? getValue(item))];
    });
    return sortKeyed(keyed, sort?.descending === true ? -1 : 1);
  }
}

/** `text`: in lower case */
function matches({ getText, getTitle, getValue }: TableColumn, item: TableItem, text: string): boolean {
  if (getText(item).toLowerCase().includes(text)) return true;
  // The id below a title; elsewhere a match in text that is not shown would look wrong.
  return getTitle?.(item) !== undefined && toText(getValue(item)).toLowerCase().includes(text);
}

type SortKey = number | bigint | string | undefined;

/**
 * Decimal strings sort as numbers, as fees and amounts are strings, and integers to the digit. Times sort as such, whatever their
 * zone. Numbers in texts get leading zeros, and the fractions of amounts with a unit trailing ones, which no order minds.
 */
function toSortKey(value: unknown): SortKey {
  if (typeof value === 'number') return value;
  const text = toText(value);
  if (text === '') return undefined;
  const hasDigits = /^-?\d/.test(text);
  const decimals = hasDigits ? text.replace(/^\d+\.\d+(?= \D+$)/, (decimal) => decimal.padEnd(40, '0')) : text;
  return (
    (hasDigits ? parseValue(text) : undefined) ??
    decimals.toLowerCase().replaceAll(/\d+/g, (digits) => digits.padStart(12, '0'))
  );
}

/** `undefined` if the text is neither a number nor a time. */
function parseValue(text: string): number | bigint | undefined {
  if (/^-?\d{16,300}$/.test(text)) return BigInt(text);
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : parseDateTime(text);
}

/** Sorts items by their keys: numbers before texts, empty cells last in both directions. */
function sortKeyed(keyed: readonly (readonly [LoadedItem, SortKey])[], direction: 1 | -1): LoadedItem[] {
  const compareKeys = <Key extends number | bigint | string>(a: [LoadedItem, Key], b: [LoadedItem, Key]): number =>
    a[1] < b[1] ? -direction : a[1] > b[1] ? direction : 0;
  const numbers: [LoadedItem, number | bigint][] = [];
  const texts: [LoadedItem, string][] = [];
  const empty: [LoadedItem, undefined][] = [];
  for (const [item, key] of keyed) {
    if (typeof key === 'number' || typeof key === 'bigint') numbers.push([item, key]);
    else if (typeof key === 'string') texts.push([item, key]);
    else empty.push([item, key]);
  }
  numbers.sort(compareKeys);
  // By code first, in a tenth of the time: texts that are nearly in order need few comparisons in the language.
  texts.sort(compareKeys);
  texts.sort((a, b) => direction * compareTexts(a[1], b[1]));
  const sorted = direction === 1 ? [numbers, texts, empty] : [texts, numbers, empty];
  return sorted.flatMap((part) => part.map(([item]) => item));
}
