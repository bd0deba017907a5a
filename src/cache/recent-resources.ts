/** Storage key of the recently opened resources, shared so that a sign-out removes them. */
import { isObject } from '../platform/json/json.ts';
import { parseResource } from '../model/resources/parse-argument.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import type { KeyValueStore } from './stored-record.ts';

/** Memento key; global to the installation. */
export const RECENT_RESOURCES_KEY = 'documents.recent';

export interface RecentResource extends ResourceArgument {
  /** untrusted server text, cut to 80 characters */
  readonly title: string;
}

/** Returns the resources that the user opened, newest first. */
export function readRecentResources(memory: Pick<KeyValueStore, 'get'>): readonly RecentResource[] {
  const stored = memory.get(RECENT_RESOURCES_KEY);
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((element: unknown) => {
    const resource = parseResource(element);
    const title = isObject(element) ? element['title'] : undefined;
    return resource === undefined ? [] : [{ ...resource, title: typeof title === 'string' ? title : resource.id }];
  });
}

/** Removes a connection's entries. Rejects if the memento cannot be written. */
export async function forgetRecentResources(memory: KeyValueStore, connection: string): Promise<void> {
  const stored = memory.get(RECENT_RESOURCES_KEY);
  if (!Array.isArray(stored)) return;
  const others = stored.filter((entry: unknown) => !isObject(entry) || entry['connection'] !== connection);
  if (others.length < stored.length) await memory.update(RECENT_RESOURCES_KEY, others);
}
