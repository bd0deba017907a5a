import type * as vscode from 'vscode';
import { isObject } from '../../platform/json/json.ts';
import type { ColumnLayout } from '../../webviews/protocol/table.ts';

const COLUMNS_KEY = 'smartObjects.table.columns';
const MAX_STORED_LAYOUTS = 100;

/** The columns that the user has chosen, for each connection and kind. */
export class LayoutStorage {
  readonly #store: vscode.Memento;
  readonly #key: string;
  constructor(store: vscode.Memento, key: string) {
    this.#store = store;
    this.#key = key;
  }

  /** Returns the stored value unchecked. */
  get(): unknown {
    return this.#all[this.#key];
  }

  /** Stores the columns; `undefined` removes them. Rejects if the store does. */
  async set(columns: readonly ColumnLayout[] | undefined): Promise<void> {
    const others = Object.entries(this.#all).filter(([key]) => key !== this.#key);
    const entries = columns === undefined ? others : [...others, [this.#key, columns]];
    await this.#store.update(COLUMNS_KEY, Object.fromEntries(entries.slice(-MAX_STORED_LAYOUTS)));
  }

  get #all(): Readonly<Record<string, unknown>> {
    const stored: unknown = this.#store.get(COLUMNS_KEY);
    return isObject(stored) ? stored : {};
  }
}
