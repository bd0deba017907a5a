import * as z from 'zod/mini';
import { getOwn, isObject } from '../platform/json/json.ts';

/** The part of `vscode.Memento` that is used. */
export interface KeyValueStore {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Named values under one key of a memento. The oldest are dropped beyond `max`; those that do not fit the schema are none. */
export class StoredRecord<T> {
  readonly #store: KeyValueStore;
  readonly #key: string;
  readonly #schema: z.ZodMiniType<T>;
  readonly #max: number;

  constructor(store: KeyValueStore, key: string, schema: z.ZodMiniType<T>, max = Infinity) {
    this.#store = store;
    this.#key = key;
    this.#schema = schema;
    this.#max = max;
  }

  get(name: string): T | undefined {
    return z.safeParse(this.#schema, getOwn(this.#all, name)).data;
  }

  /** Stores a value as the newest; `undefined` removes it. Rejects if the memento cannot be written. */
  async set(name: string, value: T | undefined): Promise<void> {
    const { [name]: _former, ...others } = this.#all;
    const entries = Object.entries(value === undefined ? others : { ...others, [name]: value });
    await this.#store.update(this.#key, Object.fromEntries(entries.slice(-this.#max)));
  }

  get #all(): Readonly<Record<string, unknown>> {
    const stored = this.#store.get(this.#key);
    return isObject(stored) ? stored : {};
  }
}

/** A stored list, without the elements that do not fit the schema. */
export function createListSchema<T extends object>(element: z.ZodMiniType<T>): z.ZodMiniType<readonly T[]> {
  const parse = z.transform((list: unknown[]): readonly T[] =>
    list.flatMap((each) => z.safeParse(element, each).data ?? []),
  );
  return z.pipe(z.array(z.unknown()), parse);
}
