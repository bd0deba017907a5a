/** Pure: what the explorer remembers over a reload: the filter of each section and the favorites of each connection. */
import { isObject } from '../platform/json.ts';
import type { Filter } from './query.ts';

/** A pinned list. */
export interface Favorite {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly organization?: string;
  readonly filter: Filter;
}

/** VS Code's Memento, as far as it is used. */
export interface Store {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const FILTERS = 'explorer.filters';
const FAVORITES = 'explorer.favorites';
const MOST_FAVORITES = 100;
const MOST_FILTERS = 200;
/** A favorite's filter is checked against the list's parameters when it is shown. */
type Kept = Omit<Favorite, 'filter'> & { readonly filter: unknown };

export class Memory {
  readonly #workspace: Store;
  readonly #everywhere: Store;

  /** Filters belong to a workspace, favorites to a person. */
  constructor(workspace: Store, everywhere: Store) {
    this.#workspace = workspace;
    this.#everywhere = everywhere;
  }

  /** As it was kept: whoever uses it checks it against the list's parameters. */
  filter(key: string): unknown {
    return fields(this.#workspace.get(FILTERS))[key];
  }

  async setFilter(key: string, filter: Filter | undefined): Promise<void> {
    const { [key]: _before, ...others } = fields(this.#workspace.get(FILTERS));
    const kept = Object.entries(filter === undefined ? others : { ...others, [key]: filter });
    await this.#workspace.update(FILTERS, Object.fromEntries(kept.slice(-MOST_FILTERS)));
  }

  favorites(connection: string): readonly Kept[] {
    const list = fields(this.#everywhere.get(FAVORITES))[connection];
    return Array.isArray(list) ? list.filter(isFavorite) : [];
  }

  async addFavorite(connection: string, favorite: Favorite): Promise<void> {
    await this.#keep(connection, [...this.favorites(connection), favorite].slice(-MOST_FAVORITES));
  }

  async removeFavorite(connection: string, id: string): Promise<void> {
    await this.#keep(
      connection,
      this.favorites(connection).filter((favorite) => favorite.id !== id),
    );
  }

  async #keep(connection: string, list: readonly Kept[]): Promise<void> {
    const { [connection]: _before, ...others } = fields(this.#everywhere.get(FAVORITES));
    await this.#everywhere.update(FAVORITES, list.length === 0 ? others : { ...others, [connection]: list });
  }
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function isFavorite(value: unknown): value is Kept {
  if (!isObject(value)) return false;
  const { id, name, kind, organization } = value;
  return (
    typeof id === 'string' &&
    typeof name === 'string' &&
    typeof kind === 'string' &&
    (organization === undefined || typeof organization === 'string')
  );
}
