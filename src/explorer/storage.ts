/** Stores the filter of each section and the favorites of each connection. */
import * as z from 'zod/mini';
import { createListSchema, StoredRecord, type KeyValueStore } from '../cache/stored-record.ts';

const favoriteSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  organization: z.exactOptional(z.string()),
  /** checked against the list's parameters when it is shown */
  filter: z.unknown(),
  /** text of a saved search, which has no kind */
  search: z.exactOptional(z.string()),
});
/** A pinned list. */
export type Favorite = Readonly<z.infer<typeof favoriteSchema>>;

const MAX_FAVORITES = 100;
const MAX_FILTERS = 200;

/** The explorer's persistent state. */
export class ExplorerStorage {
  /** by section; a filter is unchecked: validate it with `parseFilter` */
  readonly filters: StoredRecord<unknown>;
  readonly #favorites: StoredRecord<readonly Favorite[]>;

  /** Filters are stored for each workspace, favorites for the user. */
  constructor(workspaceState: KeyValueStore, globalState: KeyValueStore) {
    this.filters = new StoredRecord(workspaceState, 'explorer.filters', z.unknown(), MAX_FILTERS);
    this.#favorites = new StoredRecord(globalState, 'explorer.favorites', createListSchema(favoriteSchema));
  }

  getFavorites(connection: string): readonly Favorite[] {
    return this.#favorites.get(connection) ?? [];
  }

  /** Pins a list, or a search in place of the same one. Rejects if the memento cannot be written. */
  async addFavorite(connection: string, favorite: Favorite): Promise<void> {
    const others = this.getFavorites(connection).filter(
      ({ search }) => search === undefined || search !== favorite.search,
    );
    await this.#favorites.set(connection, [...others, favorite].slice(-MAX_FAVORITES));
  }

  /** Unpins a list. Rejects if the memento cannot be written. */
  async removeFavorite(connection: string, id: string): Promise<void> {
    const others = this.getFavorites(connection).filter((favorite) => favorite.id !== id);
    await this.#favorites.set(connection, others.length === 0 ? undefined : others);
  }
}
