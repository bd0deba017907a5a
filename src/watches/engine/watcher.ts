/** One watch: what was read last, what has changed since, and when to read again. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import { PlatformError, type ErrorCode } from '../../platform/errors.ts';
import { PollMemory } from '../../platform/http/poll.ts';
import type { Item } from '../../platform/page.ts';
import { readSource, type Reading, type WatchClient } from './source.ts';
import type { KnownItems, WatchSource } from './stored-watch.ts';

/** `first`: what one resource was when it was first read. An `item` that was `removed` is the last that was read, if known. */
export interface Change {
  readonly type: 'first' | 'added' | 'changed' | 'removed';
  readonly id: string;
  readonly item?: Item;
  /** the JSON before, if it was read by this process */
  readonly before?: unknown;
}

/** Errors that do not pass by themselves. */
export const PERMANENT_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'unauthenticated',
  'forbidden',
  'notFound',
  'notJson',
  'badRequest',
]);

// Milliseconds.
const MAX_BACKOFF = 10 * 60_000;
const MAX_RETRY_AFTER = 60 * 60_000;

interface PollOptions {
  /** milliseconds between two requests */
  readonly interval: number;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'now'>;
  /** due at multiples of the interval, as other watches are, so that changes at a time are found together */
  readonly isAligned?: boolean;
}

/** Polls one source, and compares what it reads with what it read before. */
export class Watcher {
  readonly #source: WatchSource;
  #digests: ReadonlyMap<string, string> | undefined;
  #items: ReadonlyMap<string, Item> = new Map();
  #memory = new PollMemory();
  #failures = 0;
  #isFinal = false;
  #problem: PlatformError | undefined;
  #dueAt = 0;
  /** the latest time that is known */
  #seenAt = 0;
  /** the last reading was all of the list */
  #wasWhole: boolean;

  /** `known`: of an earlier process, so that changes since then are found; `now`: when it is due, in milliseconds since the epoch. */
  constructor(source: WatchSource, known?: KnownItems, now = 0) {
    this.#source = source;
    this.#dueAt = now;
    this.#digests = known && new Map(known.digests);
    this.#wasWhole = known?.isWhole === true;
  }

  /** What was read last; `undefined` before. */
  get known(): KnownItems | undefined {
    return this.#digests && { digests: [...this.#digests], isWhole: this.#wasWhole };
  }

  /** When to poll again, in milliseconds since the epoch; infinite if there is nothing more to read. */
  get dueAt(): number {
    return this.#isFinal || this.refusal !== undefined ? Infinity : this.#dueAt;
  }

  /** The error of the last poll. */
  get problem(): PlatformError | undefined {
    return this.#problem;
  }

  get isFinal(): boolean {
    return this.#isFinal;
  }

  /** The error that ends the watch, unless it is reset. */
  get refusal(): PlatformError | undefined {
    return this.#problem !== undefined && PERMANENT_ERRORS.has(this.#problem.code) ? this.#problem : undefined;
  }

  /** Polls again from `now` on, also after a permanent error. Forgets what was read with another credential. */
  reset(now: number): void {
    this.#memory = new PollMemory();
    this.#problem = undefined;
    this.#failures = 0;
    this.#dueAt = now;
  }

  /** Waits no longer than before if the clock was set back since the last call. */
  checkClock(now: number): void {
    if (now < this.#seenAt) this.#dueAt -= this.#seenAt - now;
    this.#seenAt = now;
  }

  /** Sends one request. Resolves with what has changed; an error is kept as `problem`. Rejects if the signal fires. */
  async poll(client: WatchClient, { interval, signal, clock, isAligned }: PollOptions): Promise<readonly Change[]> {
    const startedAt = clock.now();
    this.checkClock(startedAt);
    try {
      const reading = await readSource(client, this.#source, { memory: this.#memory, now: startedAt, signal });
      signal.throwIfAborted();
      this.#problem = undefined;
      this.#failures = 0;
      // Pacing delays a request a little: the next one is due as if it did not.
      const next = (startedAt - this.#dueAt < interval / 2 ? this.#dueAt : startedAt) + interval;
      this.#dueAt = isAligned === true ? Math.ceil(next / interval) * interval : next;
      this.#isFinal = reading.isFinal;
      return this.#compare(reading);
    } catch (error) {
      if (signal.aborted || !(error instanceof PlatformError) || error.code === 'cancelled') throw error;
      this.#problem = error;
      const backoff = Math.min(MAX_BACKOFF, interval * 2 ** Math.min(this.#failures++, 10));
      const retryAfter = Math.min(MAX_RETRY_AFTER, error.detail.retryAfter ?? 0);
      this.#dueAt = clock.now() + Math.max(interval, backoff, retryAfter);
      return error.code === 'notFound' && this.#source.id !== undefined ? this.#remove(this.#source.id) : [];
    }
  }

  #compare({ items, isWhole, mayBeTooOld }: Reading): readonly Change[] {
    const before = this.#digests;
    const wasWhole = this.#wasWhole;
    const known = this.#items;
    const after = new Map([...items].map(([id, { raw }]) => [id, createDigest(raw)] as const));
    this.#digests = after;
    this.#items = items;
    this.#wasWhole = isWhole;
    if (before === undefined)
      return this.#source.id === undefined ? [] : [...items].map(([id, item]) => ({ type: 'first', id, item }));
    const current = [...items].flatMap(([id, item]): readonly Change[] => {
      const digest = before.get(id);
      if (digest === after.get(id)) return [];
      return [
        digest === undefined ? { type: 'added', id, item } : { type: 'changed', id, item, before: known.get(id)?.raw },
      ];
    });
    // Items after the last one that is still there may only have moved to the next page.
    const ids = [...before.keys()];
    const rest = isWhole ? ids : ids.slice(0, ids.findLastIndex((id) => after.has(id)) + 1);
    const removed = rest.flatMap((id): readonly Change[] => {
      const item = known.get(id);
      return after.has(id) || mayBeTooOld(item?.raw)
        ? []
        : [{ type: 'removed', id, ...(item !== undefined && { item }) }];
    });
    // And as many as were removed may have moved here from the next page: they are the last ones.
    const listed = [...after.keys()];
    const last = listed.slice(listed.findLastIndex((id) => before.has(id)) + 1);
    const moved = new Set(wasWhole ? [] : last.slice(Math.max(0, last.length - removed.length)));
    return [...current.filter(({ id }) => !moved.has(id)), ...removed];
  }

  #remove(id: string): readonly Change[] {
    const item = this.#items.get(id);
    const wasThere = this.#digests?.has(id) === true;
    this.#digests = new Map();
    this.#items = new Map();
    return wasThere ? [{ type: 'removed', id, ...(item !== undefined && { item }) }] : [];
  }
}

function createDigest(raw: unknown): string {
  return createHash('sha256').update(JSON.stringify(raw)).digest('base64').slice(0, 16);
}
