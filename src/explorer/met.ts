/** Pure: what was met in the answers of one session: organizations, and ids of kinds that have no list. */
import { isObject } from '../platform/json.ts';
import type { Item } from '../platform/page.ts';
import type { ResourceRow } from '../platform/resource.ts';
import { template } from '../platform/resources/templates.ts';
import { viewOf, type ViewOf } from '../platform/schema.ts';
import { valuesAt, type Rows } from './related.ts';

const MOST_IDS = 500;

type TemplateActions = NonNullable<ViewOf<typeof template>['actions']>;

export interface News {
  readonly organizations: readonly string[];
  /** kinds without a list of which ids were met for the first time */
  readonly kinds: ReadonlySet<string>;
}

export class Met {
  readonly #rows: Rows;
  readonly #ids = new Map<string, Set<string>>();
  /** the actions of templates, as the server sent them */
  readonly #actions = new Map<string, unknown>();

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** The latest first. */
  ids(kind: string): readonly string[] {
    return [...(this.#ids.get(kind) ?? [])].reverse();
  }

  /** The actions of a template that was read; empty for one that was not. */
  actionsOf(id: string): TemplateActions {
    return viewOf(template, { actions: this.#actions.get(id) })?.actions ?? [];
  }

  /** `asked`: what the resource was asked for by; of `organization/myrole`, the organization belongs to its address. */
  take(row: ResourceRow, items: readonly Item[], asked?: string): News {
    const organizations = new Set<string>();
    const kinds = new Set<string>();
    const fields = Object.entries(row.references).map(([path, kind]) => [path, kind, this.#withoutList(kind)] as const);
    for (const item of items) {
      const { id, raw } = item;
      if (row.kind === 'templates' && id !== undefined && isObject(raw)) {
        this.#actions.set(id, raw['actions']);
        if (this.#actions.size > MOST_IDS)
          for (const oldest of this.#actions.keys()) {
            this.#actions.delete(oldest);
            break;
          }
      }
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
