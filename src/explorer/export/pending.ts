/** Pure: exports that stopped half way, kept over a reload, with all that is needed to go on. */
import { isObject } from '../../platform/json.ts';
import type { AnyQuery } from '../../platform/operation.ts';
import type { Store } from '../memory.ts';
import { isFormat, type Format } from '../../platform/export/format.ts';
import type { Partial } from './partial.ts';
import type { Reached } from './run.ts';

export interface Pending {
  readonly connection: string;
  /** another one is another platform: its cursors mean nothing there */
  readonly baseUrl: string;
  readonly kind: string;
  readonly label: string;
  readonly format: Format;
  /** dates resolved, so that later pages belong to the first */
  readonly query: AnyQuery;
  /** URI of the file that is wanted */
  readonly target: string;
  /** the file that is written to */
  readonly partial: Partial;
  readonly reached: Reached;
}

const KEY = 'explorer.exports';
const MOST = 20;

export class PendingExports {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  get all(): readonly Pending[] {
    const kept = this.#store.get(KEY);
    return Array.isArray(kept) ? kept.filter(isPending) : [];
  }

  async keep(pending: Pending): Promise<void> {
    await this.#write([...this.#others(pending), pending].slice(-MOST));
  }

  async drop(pending: Pick<Pending, 'target'>): Promise<void> {
    await this.#write(this.#others(pending));
  }

  #others({ target }: Pick<Pending, 'target'>): readonly Pending[] {
    return this.all.filter((other) => other.target !== target);
  }

  async #write(all: readonly Pending[]): Promise<void> {
    await this.#store.update(KEY, all.length === 0 ? undefined : all);
  }
}

const TEXTS = ['connection', 'baseUrl', 'kind', 'label', 'target'] as const;

function isPending(value: unknown): value is Pending {
  if (!isObject(value) || !TEXTS.every((name) => typeof value[name] === 'string')) return false;
  const { reached, query, format, partial } = value;
  if (!isObject(reached) || !isObject(query) || !isFormat(format) || !isObject(partial)) return false;
  if (typeof partial['path'] !== 'string' || typeof partial['identity'] !== 'string') return false;
  const { count, bytes, cursor, complete } = reached;
  const counted = Number.isSafeInteger(count) && Number.isSafeInteger(bytes);
  return counted && typeof complete === 'boolean' && (cursor === undefined || typeof cursor === 'string');
}
