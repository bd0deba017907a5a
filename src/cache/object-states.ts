/** Object states that a session has read, by state root, for comparison with a history; bounded. */
import type { Item } from '../platform/page.ts';
import { isObject, type JsonObject } from '../platform/json/json.ts';
import type { ResourceDefinition } from '../platform/resource.ts';

const MAX_STATES = 400;

/** A bounded map of object states; `get` expects an object id and a state root. */
export class ObjectStates {
  /** least recently used first */
  readonly #states = new Map<string, JsonObject>();

  /** Records items as passed to `ClientOptions.observe`; masked. */
  record(row: Pick<ResourceDefinition, 'kind'>, items: readonly Pick<Item, 'raw'>[]): void {
    if (row.kind !== 'objects') return;
    for (const { raw } of items) if (isObject(raw)) this.add(raw);
  }

  add(raw: JsonObject): void {
    const { id } = raw;
    const root = getStateRoot(raw);
    if (typeof id !== 'string' || root === undefined) return;
    const key = formatKey(id, root);
    this.#states.delete(key);
    this.#states.set(key, raw);
    if (this.#states.size <= MAX_STATES) return;
    const [oldest] = this.#states.keys();
    if (oldest !== undefined) this.#states.delete(oldest);
  }

  get(object: string, root: string): JsonObject | undefined {
    return this.#states.get(formatKey(object, root));
  }

  /** The state that was read last. */
  getLatest(object: string): JsonObject | undefined {
    return [...this.#states].findLast(([key]) => key.startsWith(`${object}\n`))?.[1];
  }
}

/** Returns the state root of an object; deployments name the field differently. */
export function getStateRoot(raw: unknown): string | undefined {
  const root = isObject(raw) ? (raw['state_root'] ?? raw['state_hash']) : undefined;
  return typeof root === 'string' && root !== '' ? root : undefined;
}

function formatKey(object: string, root: string): string {
  return `${object}\n${root}`;
}
