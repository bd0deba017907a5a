/** Pure: the states of objects that a session has seen, by state root: what a history is compared with; bounded. */
import type { Item } from '../platform/page.ts';
import { isObject, type JsonObject } from '../platform/json.ts';
import type { ResourceRow } from '../platform/resource.ts';

const MOST = 400;

export class ObjectStates {
  /** the longest unseen first */
  readonly #seen = new Map<string, JsonObject>();

  /** As `ClientOptions.observe` tells it; masked. */
  note(row: Pick<ResourceRow, 'kind'>, items: readonly Pick<Item, 'raw'>[]): void {
    if (row.kind !== 'objects') return;
    for (const { raw } of items) if (isObject(raw)) this.add(raw);
  }

  add(raw: JsonObject): void {
    const { id } = raw;
    const root = stateRootOf(raw);
    if (typeof id !== 'string' || root === undefined) return;
    const key = keyOf(id, root);
    this.#seen.delete(key);
    this.#seen.set(key, raw);
    if (this.#seen.size <= MOST) return;
    const [oldest] = this.#seen.keys();
    if (oldest !== undefined) this.#seen.delete(oldest);
  }

  get(object: string, root: string): JsonObject | undefined {
    return this.#seen.get(keyOf(object, root));
  }

  clear(): void {
    this.#seen.clear();
  }
}

/** By whichever name the deployment has for it. */
export function stateRootOf(raw: unknown): string | undefined {
  const root = isObject(raw) ? (raw['state_root'] ?? raw['state_hash']) : undefined;
  return typeof root === 'string' && root !== '' ? root : undefined;
}

function keyOf(object: string, root: string): string {
  return `${object}\n${root}`;
}
