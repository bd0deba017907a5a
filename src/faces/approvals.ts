/** What a person has allowed faces to load, by connection; kept in the extension's own storage (pure). */
import type { Use, Wish } from './render.ts';

/** Of `vscode.Memento`. */
export interface Store {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const KEY = 'smartObjects.faces.allowed';
const MOST = 200;

/** Allowing addresses with object data allows those without. */
export class Approvals {
  readonly #store: Store;
  constructor(store: Store) {
    this.#store = store;
  }

  allows(scope: string, use: Use, origin: string, personal: boolean): boolean {
    const known = this.list(scope);
    return (
      known.includes(idOf({ use, origin, personal: true })) ||
      (!personal && known.includes(idOf({ use, origin, personal })))
    );
  }

  list(scope: string): readonly string[] {
    const entry = this.#all().get(scope);
    return entry ?? [];
  }

  async allow(scope: string, wish: Wish): Promise<void> {
    const others = this.list(scope).filter((id) => id !== idOf(wish));
    await this.#put(scope, [...others, idOf(wish)].slice(-MOST));
  }

  async forget(scope: string, id: string): Promise<void> {
    await this.#put(
      scope,
      this.list(scope).filter((known) => known !== id),
    );
  }

  #all(): Map<string, readonly string[]> {
    const value = this.#store.get(KEY);
    if (typeof value !== 'object' || value === null) return new Map();
    return new Map(
      Object.entries(value).map(([scope, list]: [string, unknown]) => [
        scope,
        Array.isArray(list) ? list.filter((id) => typeof id === 'string') : [],
      ]),
    );
  }

  async #put(scope: string, list: readonly string[]): Promise<void> {
    const all = this.#all();
    all.set(scope, list);
    await this.#store.update(KEY, Object.fromEntries([...all].filter(([, known]) => known.length > 0)));
  }
}

/** `images https://cdn.example`, `page+data https://…` */
export function idOf({ use, origin, personal }: Wish): string {
  return `${use}${personal ? '+data' : ''} ${origin}`;
}

export function labelOf(id: string): string {
  const [what = '', origin = ''] = id.split(' ');
  const thing = what.startsWith('page') ? 'pages' : 'images';
  return `${thing} of ${origin}${what.endsWith('+data') ? ', with object data' : ''}`;
}

/** A connection by name and place: the same name elsewhere is another one. Files without one share a scope. */
export function scopeOf(connection: { readonly name: string; readonly baseUrl: string } | undefined): string {
  return connection === undefined ? 'files' : `${connection.name} ${new URL(connection.baseUrl).origin}`;
}
