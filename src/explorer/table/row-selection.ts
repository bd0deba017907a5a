import type { TableState } from '../../webviews/protocol/table.ts';
import type { LoadedItem } from './table-rows.ts';

type Places = TableState['selection'];

/** Ids of the row of the cursor, and of the selected rows. */
export interface SelectedIds {
  readonly cursor?: string | undefined;
  readonly selected: readonly string[];
}

/** The selected rows of a table by their ids: they stay selected when they get other places. At first the first row. */
export class RowSelection {
  #ids: SelectedIds | undefined;
  #places: Places = { row: 0, rows: [0] };

  constructor(ids: SelectedIds | undefined) {
    this.#ids = ids;
  }

  /** `undefined` until the user has selected a row. */
  get ids(): SelectedIds | undefined {
    return this.#ids;
  }

  /** Their indexes. */
  get places(): Places {
    return this.#places;
  }

  /** Selects the rows at `places`. */
  select(places: Places, rows: readonly LoadedItem[]): void {
    this.#places = places;
    this.#ids = { cursor: rows[places.row]?.id, selected: places.rows.flatMap((index) => rows[index]?.id ?? []) };
  }

  /** Finds them in other rows; the cursor stays where it is if its row is missing. */
  find(rows: readonly LoadedItem[]): void {
    if (this.#ids === undefined) return;
    const { cursor = '', selected } = this.#ids;
    const indexes = new Map(rows.map(({ id }, index) => [id, index]));
    const row = indexes.get(cursor) ?? Math.max(0, Math.min(this.#places.row, rows.length - 1));
    this.#places = { row, rows: selected.flatMap((id) => indexes.get(id) ?? []) };
  }
}
