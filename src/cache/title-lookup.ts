import type { GetTitle } from '../model/resources/filter-fields.ts';
import type { Labels } from '../model/text/labels.ts';
import type { Sessions } from '../model/session/session.ts';
import { getDefinition } from '../platform/registry.ts';
import { getItemTitle } from '../model/resources/item-title.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import { addTemplateTitle, type IdIndex } from './id-index.ts';

/** Where titles are found. */
export interface TitleSources {
  readonly knownIds: { readonly index: Pick<IdIndex, 'find'> };
  readonly sessions: Pick<Sessions, 'get'>;
  /** absent for titles that the platform gives */
  readonly labels?: Pick<Labels, 'get'>;
}

/**
 * Returns a lookup of the user's labels, of the titles of known resources, and of the labels of organizations, on these
 * connections. Everything that shows an id in place of its resource uses it.
 */
export function createTitleLookup(
  { knownIds, sessions, labels }: TitleSources,
  connections: readonly string[],
): GetTitle {
  return (kind, id) => {
    const label = labels?.get(id);
    if (label !== undefined) return label.text;
    if (kind === 'organizations' || kind === undefined) {
      const organizations = connections.flatMap((name) => sessions.get(name)?.organizations ?? []);
      const organization = organizations.find(({ id: own }) => own === id);
      if (organization !== undefined || kind !== undefined) return organization?.label;
    }
    const found = knownIds.index.find(id).find(
      (known) =>
        connections.includes(known.connection) &&
        (kind === undefined || known.kind === kind) &&
        // A wallet's known title is that of the resource it was found in; the address identifies it better.
        getDefinition(known.kind)?.read.by !== 'cache',
    );
    return found && addTemplateTitle(knownIds.index, found).title;
  };
}

/** Returns the title of a resource as one line of plain text, its id if no title is known; of at most `maxLength` characters. */
export function getTitleOrId(
  sources: TitleSources,
  { connection, kind, id }: ResourceArgument,
  maxLength = 80,
): string {
  const title = createTitleLookup(sources, [connection])(kind, id) ?? '';
  return toPlainText(title, maxLength) || toPlainText(id, maxLength);
}

/** Returns the title of a resource that was read, as one line of plain text; its id if it has none. */
export function formatTitle(
  sources: TitleSources,
  { connection, id }: Pick<ResourceArgument, 'connection' | 'id'>,
  definition: ResourceDefinition,
  raw: unknown,
  maxLength = 80,
): string {
  const title = getItemTitle(definition, raw, createTitleLookup(sources, [connection]));
  return toPlainText(title, maxLength) || toPlainText(id, maxLength);
}
