/** Pure: what was met in the answers of one session: organizations, and ids of kinds that have no list. */
import type { Item } from '../platform/page.ts';
import type { ResourceRow } from '../platform/resource.ts';
import { valuesAt, type Rows } from './related.ts';

const MOST_IDS = 500;

export interface News {
  readonly organizations: readonly string[];
  /** kinds without a list of which ids were met for the first time */
  readonly kinds: ReadonlySet<string>;
}

export class Met {
  readonly #rows: Rows;
  readonly #ids = new Map<string, Set<string>>();

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** The latest first. */
  ids(kind: string): readonly string[] {
    return [...(this.#ids.get(kind) ?? [])].reverse();
  }

  /** `asked`: what the resource was asked for by; of `organization/myrole`, the organization belongs to its address. */
  take(row: ResourceRow, items: readonly Item[], asked?: string): News {
    const organizations = new Set<string>();
    const kinds = new Set<string>();
    const fields = Object.entries(row.references).map(([path, kind]) => [path, kind, this.#withoutList(kind)] as const);
    for (const item of items) {
      const { id, raw } = item;
      for (const [path, kind, unlisted] of fields) {
        if (kind !== 'organizations' && !unlisted) continue;
        for (const met of valuesAt(raw, path)) {
          if (kind === 'organizations') organizations.add(met);
          else if (this.#add(kind, met)) kinds.add(kind);
        }
      }
      if (id === undefined || !this.#withoutList(row.kind)) continue;
      const owner = row.read.by === 'path' && row.read.parameters.length > 1 ? asked?.split('/')[0] : undefined;
      if (this.#add(row.kind, owner === undefined ? id : `${owner}/${id}`)) kinds.add(row.kind);
    }
    return { organizations: [...organizations], kinds };
  }

  #withoutList(kind: string): boolean {
    const row = this.#rows[kind];
    return row !== undefined && row.list === undefined && row.read.by === 'path';
  }

  #add(kind: string, id: string): boolean {
    let ids = this.#ids.get(kind);
    if (ids === undefined) this.#ids.set(kind, (ids = new Set()));
    const isNew = !ids.has(id);
    ids.delete(id);
    ids.add(id);
    if (ids.size > MOST_IDS) for (const oldest of ids) return isNew && ids.delete(oldest);
    return isNew;
  }
}
