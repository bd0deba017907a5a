import { isObject } from '../../platform/json/json.ts';
import type { Item } from '../../platform/page.ts';
import { isOwnedByOrganization, isUnlisted, type ResourceDefinition } from '../../platform/resource.ts';
import { template, templates } from '../../platform/resources/templates.ts';
import { createView, type SchemaView } from '../../platform/schema.ts';
import type { ResourceRows } from '../rows/related-resources.ts';
import { getValuesAt } from '../../platform/json/field-values.ts';
import { getOrAdd } from '../../platform/get-or-add.ts';

const MAX_IDS_PER_KIND = 500;

type TemplateActions = NonNullable<SchemaView<typeof template>['actions']>;

/** What one response added. */
interface Discoveries {
  readonly organizations: readonly string[];
  /** kinds without a list of which new ids were found */
  readonly kinds: ReadonlySet<string>;
}

/** Collects from a session's responses: organizations, ids of kinds without a list, and actions of templates. */
export class DiscoveredIds {
  readonly #definitions: ResourceRows;
  readonly #ids = new Map<string, Set<string>>();
  /** the actions of templates, as the server sent them */
  readonly #actions = new Map<string, unknown>();

  constructor(definitions: ResourceRows) {
    this.#definitions = definitions;
  }

  /** Returns the ids of a kind, newest first. */
  getIds(kind: string): readonly string[] {
    return [...(this.#ids.get(kind) ?? [])].reverse();
  }

  /** Returns the actions of a template; empty if it has not been read. */
  getTemplateActions(id: string): TemplateActions {
    return createView(template, { actions: this.#actions.get(id) })?.actions ?? [];
  }

  /** Records the items. `requestedId`: the id the request named; that of a role includes the organization. */
  add(definition: ResourceDefinition, items: readonly Item[], requestedId?: string): Discoveries {
    const organizations = new Set<string>();
    const kinds = new Set<string>();
    const fields = Object.entries(definition.references).map(
      ([path, kind]) => [path, kind, isUnlisted(this.#definitions[kind])] as const,
    );
    for (const item of items) {
      const { id, raw } = item;
      if (definition.kind === templates.kind && id !== undefined && isObject(raw)) {
        this.#actions.set(id, raw['actions']);
        if (this.#actions.size > MAX_IDS_PER_KIND)
          for (const oldest of this.#actions.keys()) {
            this.#actions.delete(oldest);
            break;
          }
      }
      for (const [path, kind, unlisted] of fields) {
        if (kind !== 'organizations' && !unlisted) continue;
        for (const value of getValuesAt(raw, path)) {
          if (kind === 'organizations') organizations.add(value);
          else if (this.#add(kind, value)) kinds.add(kind);
        }
      }
      if (id === undefined || !isUnlisted(definition)) continue;
      const owner = isOwnedByOrganization(definition) ? requestedId?.split('/')[0] : undefined;
      if (this.#add(definition.kind, owner === undefined ? id : `${owner}/${id}`)) kinds.add(definition.kind);
    }
    return { organizations: [...organizations], kinds };
  }

  #add(kind: string, id: string): boolean {
    const ids = getOrAdd(this.#ids, kind, () => new Set());
    const isNew = !ids.has(id);
    ids.delete(id);
    ids.add(id);
    if (ids.size > MAX_IDS_PER_KIND) for (const oldest of ids) return isNew && ids.delete(oldest);
    return isNew;
  }
}
