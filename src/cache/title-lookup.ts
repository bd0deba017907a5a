import type { GetTitle } from '../model/filter-fields.ts';
import type { Sessions } from '../model/session.ts';
import { getDefinition } from '../platform/registry.ts';
import type { IdIndex } from './id-index.ts';

/** Returns a lookup of the titles of known resources, and of the labels of organizations, on these connections. */
export function createTitleLookup(
  ids: Pick<IdIndex, 'find'>,
  sessions: Pick<Sessions, 'get'>,
  connections: readonly string[],
): GetTitle {
  return (kind, id) => {
    if (kind === 'organizations')
      return connections
        .flatMap((name) => sessions.get(name)?.organizations ?? [])
        .find((organization) => organization.id === id)?.label;
    // A wallet's known title is that of the resource it was found in; the address identifies it better.
    if (getDefinition(kind)?.read.by === 'cache') return undefined;
    return ids.find(id).find((known) => known.kind === kind && connections.includes(known.connection))?.title;
  };
}
