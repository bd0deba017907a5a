/** Failed action logs that anything in this window read: views, watches, runs. For counts of what is new; bounded. */
import { isObject } from '../platform/json/json.ts';
import type { Item } from '../platform/page.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import { readStatus } from '../platform/resources/action-log-fields.ts';
import { Listeners } from '../model/listeners.ts';

interface FailedLog {
  readonly connection: string;
  readonly raw: unknown;
}

const MAX_LOGS = 1000;

/** The failed logs of all connections, each once. */
export class FailedLogs {
  /** by connection and id, the first that was read first */
  readonly #logs = new Map<string, FailedLog>();
  readonly #listeners = new Listeners();
  readonly onDidChange = this.#listeners.add;

  get all(): readonly FailedLog[] {
    return [...this.#logs.values()];
  }

  /** Records items as passed to `ClientOptions.observe`; masked. */
  record(
    connection: string,
    { kind }: Pick<ResourceDefinition, 'kind'>,
    items: readonly Pick<Item, 'id' | 'raw'>[],
  ): void {
    if (kind !== 'action-logs') return;
    const before = this.#logs.size;
    for (const { id, raw } of items) {
      const key = JSON.stringify([connection, id]);
      if (isObject(raw) && readStatus(raw) === 'failed' && !this.#logs.has(key))
        this.#logs.set(key, { connection, raw });
    }
    if (this.#logs.size === before) return;
    for (const key of [...this.#logs.keys()].slice(0, -MAX_LOGS)) this.#logs.delete(key);
    this.#listeners.fire();
  }

  /** Removes the logs of a connection that was deleted or has another identity. */
  forget(connection: string): void {
    for (const [key, log] of this.#logs) if (log.connection === connection) this.#logs.delete(key);
    this.#listeners.fire();
  }
}
