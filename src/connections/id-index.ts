/** Pure: the ids that were met in what was read, each with its name and kind; bounded, the longest unseen go first. */
import { isObject } from '../platform/json.ts';
import type { Item } from '../platform/page.ts';
import type { ResourceRow } from '../platform/resource.ts';
import { pictureOf } from './picture.ts';

export interface KnownId {
  readonly connection: string;
  readonly kind: string;
  /** as it stands in the platform's JSON */
  readonly id: string;
  /** as its document is addressed, where that differs: `organization/role` */
  readonly address?: string;
  /** hostile text, cut: show it as plain text */
  readonly title: string;
  /** the state in the server's own word */
  readonly state?: string;
  /** ISO 8601 */
  readonly when?: string;
  /** the address of a picture, as the server names it: asked for only where it is the connection's own */
  readonly picture?: string;
}

export const MOST_IDS = 50_000;
const LONGEST_ID = 256;
const LONGEST_TITLE = 120;
const LONGEST_PICTURE = 300;

export class IdIndex {
  /** by id, the longest unseen first; two connections may well know the same id */
  readonly #known = new Map<string, readonly KnownId[]>();
  readonly #listeners = new Set<() => void>();
  readonly #most: number;
  #size = 0;

  constructor(most = MOST_IDS) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  find(id: string): readonly KnownId[] {
    return this.#known.get(id) ?? [];
  }

  has(id: string): boolean {
    return this.#known.has(id);
  }

  /** The latest first. */
  *latest(): Generator<KnownId> {
    for (const entries of [...this.#known.values()].reverse()) yield* entries;
  }

  /** Takes in what a list or a reading held. `asked`: the id it was asked for by, which addresses a role. */
  note(connection: string, row: ResourceRow, items: readonly Item[], asked?: readonly string[]): void {
    for (const { id, raw } of items) {
      if (id === undefined) continue;
      const { title, state, when } = row.summary(raw);
      const picture = pictureOf(raw);
      this.add({
        connection,
        kind: row.kind,
        id,
        ...(asked !== undefined && asked.length > 1 && { address: [asked[0], id].join('/') }),
        title,
        ...(state !== undefined && { state: state.word }),
        ...(when !== undefined && { when }),
        ...(picture !== undefined && picture.length <= LONGEST_PICTURE && { picture }),
      });
      this.#noteWallets(connection, row, raw, title);
    }
    if (items.length > 0) this.#tell();
  }

  /** No list has wallets: their ids are known from the owners, signers and authors of other resources. */
  #noteWallets(connection: string, row: ResourceRow, raw: unknown, title: string): void {
    for (const [field, kind] of Object.entries(row.references)) {
      const id = kind === 'wallets' && isObject(raw) ? raw[field] : undefined;
      if (typeof id !== 'string' || this.find(id).some((known) => known.connection === connection)) continue;
      this.add({ connection, kind, id, title: `${field.replace('_id', '')} of ${title}` });
    }
  }

  add(entry: KnownId): void {
    const { id, connection, kind } = entry;
    if (id === '' || id.length > LONGEST_ID) return;
    const before = this.find(id);
    const others = before.filter((known) => known.connection !== connection || known.kind !== kind);
    const cut = (text: string): string => text.slice(0, LONGEST_TITLE).toWellFormed();
    const kept: KnownId = {
      ...entry,
      title: cut(entry.title),
      ...(entry.state !== undefined && { state: cut(entry.state) }),
    };
    this.#known.delete(id);
    this.#known.set(id, [...others, kept]);
    this.#size += others.length + 1 - before.length;
    while (this.#size > this.#most) this.#dropOldest();
  }

  #dropOldest(): void {
    const [oldest] = this.#known;
    if (oldest === undefined) return;
    this.#known.delete(oldest[0]);
    this.#size -= oldest[1].length;
  }

  /** Those of a connection that is gone, or whose base URL has become another. */
  forget(connection: string): void {
    for (const [id, entries] of this.#known) {
      const rest = entries.filter((known) => known.connection !== connection);
      if (rest.length === entries.length) continue;
      this.#size -= entries.length - rest.length;
      if (rest.length === 0) this.#known.delete(id);
      else this.#known.set(id, rest);
    }
    this.#tell();
  }

  /** Older knowledge, from a file: what was met since stays the newest. */
  recall(older: Iterable<KnownId>): void {
    const since = [...this.#known.values()].flat();
    for (const entry of older) this.add(entry);
    for (const entry of since) this.add(entry);
    this.#tell();
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
