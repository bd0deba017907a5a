import type { GetTitle } from '../model/resources/filter-fields.ts';
import type { Labels } from '../model/text/labels.ts';
import type { Sessions } from '../model/session/session.ts';
import { getDefinition } from '../platform/registry.ts';
import type { IdIndex } from './id-index.ts';

/**
 * Returns a lookup of the user's labels, of the titles of known resources, and of the labels of organizations, on these
 * connections. `labels`: absent for titles that the platform gives.
 */
export function createTitleLookup(
  ids: Pick<IdIndex, 'find'>,
  sessions: Pick<Sessions, 'get'>,
  connections: readonly string[],
  labels?: Pick<Labels, 'get'>,
): GetTitle {
  return (kind, id) => {
    const label = labels?.get(id);
    if (label !== undefined) return label.text;
    if (kind === 'organizations')
      return connections
        .flatMap((name) => sessions.get(name)?.organizations ?? [])
        .find((organization) => organization.id === id)?.label;
    // A wallet's known title is that of the resource it was found in; the address identifies it better.
    if (getDefinition(kind)?.read.by === 'cache') return undefined;
    return ids.find(id).find((known) => known.kind === kind && connections.includes(known.connection))?.title;
  };
}
