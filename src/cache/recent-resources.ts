/** Storage key of the recently opened resources, shared so that a sign-out removes them. */
import { isObject } from '../platform/json/json.ts';

/** Memento key; global to the installation. */
export const RECENT_RESOURCES_KEY = 'documents.recent';

/** The part of `vscode.Memento` that is used. */
interface RecentStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Removes a connection's entries. Rejects if the memento cannot be written. */
export async function forgetRecentResources(memory: RecentStorage, connection: string): Promise<void> {
  const stored = memory.get(RECENT_RESOURCES_KEY);
  if (!Array.isArray(stored)) return;
  const others = stored.filter((entry: unknown) => !isObject(entry) || entry['connection'] !== connection);
  if (others.length < stored.length) await memory.update(RECENT_RESOURCES_KEY, others);
}
