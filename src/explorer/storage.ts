/** Stores the filter of each section and the favorites of each connection. */
import { isObject } from '../platform/json/json.ts';
import type { Filter } from './filter/filter.ts';

/** A pinned list. */
export interface Favorite {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly organization?: string;
  readonly filter: Filter;
  /** text of a saved search, which has no kind */
  readonly search?: string;
}

/** The part of `vscode.Memento` that is used. */
export interface KeyValueStore {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const FILTERS = 'explorer.filters';
const FAVORITES = 'explorer.favorites';
const MAX_FAVORITES = 100;
const MAX_FILTERS = 200;
/** A favorite's filter is checked against the list's parameters when it is shown. */
type StoredFavorite = Omit<Favorite, 'filter'> & { readonly filter: unknown };

/** The explorer's persistent state. */
export class ExplorerStorage {
  readonly #workspaceState: KeyValueStore;
  readonly #globalState: KeyValueStore;

  /** Filters are stored for each workspace, favorites for the user. */
  constructor(workspaceState: KeyValueStore, globalState: KeyValueStore) {
    this.#workspaceState = workspaceState;
    this.#globalState = globalState;
  }

  /** Returns the stored value unchecked; validate it with `parseFilter`. */
  getFilter(key: string): unknown {
    return toObject(this.#workspaceState.get(FILTERS))[key];
  }

  /** Stores the filter of a list; `undefined` removes it. Rejects if the memento cannot be written. */
  async setFilter(key: string, filter: Filter | undefined): Promise<void> {
    const { [key]: _before, ...others } = toObject(this.#workspaceState.get(FILTERS));
    const entries = Object.entries(filter === undefined ? others : { ...others, [key]: filter });
    await this.#workspaceState.update(FILTERS, Object.fromEntries(entries.slice(-MAX_FILTERS)));
  }

  getFavorites(connection: string): readonly StoredFavorite[] {
    const list = toObject(this.#globalState.get(FAVORITES))[connection];
    return Array.isArray(list) ? list.filter(isFavorite) : [];
  }

  /** Pins a list, or a search in place of the same one. Rejects if the memento cannot be written. */
  async addFavorite(connection: string, favorite: Favorite): Promise<void> {
    const others = this.getFavorites(connection).filter(
      ({ search }) => search === undefined || search !== favorite.search,
    );
    await this.#saveFavorites(connection, [...others, favorite].slice(-MAX_FAVORITES));
  }

  /** Unpins a list. Rejects if the memento cannot be written. */
  async removeFavorite(connection: string, id: string): Promise<void> {
    await this.#saveFavorites(
      connection,
      this.getFavorites(connection).filter((favorite) => favorite.id !== id),
    );
  }

  async #saveFavorites(connection: string, list: readonly StoredFavorite[]): Promise<void> {
    const { [connection]: _before, ...others } = toObject(this.#globalState.get(FAVORITES));
    await this.#globalState.update(FAVORITES, list.length === 0 ? others : { ...others, [connection]: list });
  }
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function isFavorite(value: unknown): value is StoredFavorite {
  if (!isObject(value)) return false;
  const { id, name, kind, organization, search } = value;
  return (
    typeof id === 'string' &&
    typeof name === 'string' &&
    typeof kind === 'string' &&
    (organization === undefined || typeof organization === 'string') &&
    (search === undefined || typeof search === 'string')
  );
}
