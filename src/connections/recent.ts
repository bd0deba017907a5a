/** Where the resources that were opened lately are kept, so that they go with whoever opened them (pure). */
import { isObject } from '../platform/json.ts';

/** In the memory of the installation, over its windows. */
export const RECENT = 'documents.recent';

/** The part of `vscode.Memento` that is used. */
interface Kept {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

export async function forgetRecent(memory: Kept, connection: string): Promise<void> {
  const kept = memory.get(RECENT);
  if (!Array.isArray(kept)) return;
  const others = kept.filter((entry: unknown) => !isObject(entry) || entry['connection'] !== connection);
  if (others.length < kept.length) await memory.update(RECENT, others);
}
