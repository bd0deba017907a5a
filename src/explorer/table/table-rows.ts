import type { ResourceDefinition } from '../../platform/resource.ts';
import type { TableSort } from '../../webviews/protocol/table.ts';
import type { TableColumn, TableItem } from './table-columns.ts';

type Filters = Readonly<Record<string, string>>;

/** An item as it is loaded. */
export interface LoadedItem {
  readonly raw: unknown;
  readonly id?: string | undefined;
}

/** Adds its summary to an item. */
export function createTableItem(row: ResourceDefinition, { raw, id }: LoadedItem): TableItem {
  return { raw, id, summary: row.summary(raw) };
}

/** Returns the items that match all filters, sorted; without both, `items` itself. Columns that are unknown are ignored. */
export function selectRows(
  row: ResourceDefinition,
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
  const matching = items
    .map((item) => ({ item, tableItem: createTableItem(row, item) }))
    .filter(({ tableItem }) =>
      conditions.every(({ column, text }) => column.getText(tableItem).toLowerCase().includes(text)),
    );
  if (sortColumn === undefined) return matching.map(({ item }) => item);
  const direction = sort?.descending === true ? -1 : 1;
  return matching
    .map(({ item, tableItem }) => ({ item, key: toSortKey(sortColumn.getValue(tableItem)) }))
    .sort((a, b) => compareKeys(a.key, b.key, direction))
    .map(({ item }) => item);
}

type SortKey = number | string | undefined;

/** Decimal strings sort as numbers, as fees and amounts are strings. */
function toSortKey(value: unknown): SortKey {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'number') return value;
  const text = typeof value === 'string' ? value : JSON.isRawJSON(value) ? value.rawJSON : JSON.stringify(value);
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text.toLowerCase();
}

/** Numbers before texts; empty cells last in both directions. */
function compareKeys(a: SortKey, b: SortKey, direction: number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (typeof a !== typeof b) return typeof a === 'number' ? -direction : direction;
  return a < b ? -direction : a > b ? direction : 0;
}
