/** Small pictures, fetched for rows and hovers with limited concurrency, and cached. */
import { getOrAdd } from '../platform/get-or-add.ts';
import { Listeners } from '../model/listeners.ts';

interface ThumbnailOptions {
  readonly signal: AbortSignal;
  /** resolves with `undefined` if there is no picture; never rejects */
  readonly fetch: (url: string, signal: AbortSignal) => Promise<string | undefined>;
}

const MAX_THUMBNAILS = 200;
const MAX_CHARACTERS = 3_000_000;
/** Rows wait for no more URLs than these; callers of `load` do. */
const MAX_PENDING = 150;
const MAX_CONCURRENT_FETCHES = 2;
/** Milliseconds during which loaded pictures are reported together. */
const NOTIFY_DELAY_MS = 200;

interface Pending {
  readonly rows: Set<string>;
  readonly loads: Set<(picture: string | undefined) => void>;
}

/** A cache of pictures by URL, with a queue of fetches. */
export class Thumbnails {
  readonly #options: ThumbnailOptions;
  /** data: URI, or `undefined` if there is no picture; least recently used first */
  readonly #thumbnails = new Map<string, string | undefined>();
  #characters = 0;
  /** who waits for a URL: first come, first served */
  readonly #pending = new Map<string, Pending>();
  readonly #fetching = new Set<string>();
  readonly #listeners = new Listeners<ReadonlySet<string>>();
  /** Fires with the keys of rows whose picture was loaded. */
  readonly onDidLoad = this.#listeners.add;
  readonly #loadedRows = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ThumbnailOptions) {
    this.#options = options;
  }

  /** Returns the data: URI if cached; otherwise fetches it and reports the row in `onDidLoad`. */
  get(url: string, row: string): string | undefined {
    if (this.#thumbnails.has(url)) {
      const picture = this.#thumbnails.get(url);
      this.#thumbnails.delete(url);
      this.#thumbnails.set(url, picture);
      return picture;
    }
    if (this.#pending.has(url) || this.#pending.size < MAX_PENDING) this.#wait(url).rows.add(row);
    this.#fetchNext();
    return undefined;
  }

  /**
   * Resolves with the data: URI, or `undefined` if there is no picture. Never rejects. `signal`: ends the wait with
   * `undefined`; what nobody else waits for is then not fetched.
   */
  load(url: string, signal?: AbortSignal): Promise<string | undefined> {
    if (this.#thumbnails.has(url)) return Promise.resolve(this.get(url, ''));
    if (signal?.aborted === true) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#wait(url).loads.add(resolve);
    const giveUp = (): void => {
      const pending = this.#pending.get(url);
      pending?.loads.delete(resolve);
      if (pending?.rows.size === 0 && pending.loads.size === 0 && !this.#fetching.has(url)) this.#pending.delete(url);
      resolve(undefined);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    this.#fetchNext();
    return promise;
  }

  #wait(url: string): Pending {
    return getOrAdd(this.#pending, url, () => ({ rows: new Set(), loads: new Set() }));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const { loads } of this.#pending.values()) for (const resolve of loads) resolve(undefined);
    this.#pending.clear();
    this.#thumbnails.clear();
  }

  #fetchNext(): void {
    for (const url of this.#pending.keys()) {
      if (this.#fetching.size >= MAX_CONCURRENT_FETCHES || this.#options.signal.aborted) return;
      if (this.#fetching.has(url)) continue;
      this.#fetching.add(url);
      void this.#options.fetch(url, this.#options.signal).then((picture) => {
        this.#fetching.delete(url);
        this.#store(url, picture);
        this.#fetchNext();
      });
    }
  }

  #store(url: string, picture: string | undefined): void {
    const pending = this.#pending.get(url);
    this.#pending.delete(url);
    for (const resolve of pending?.loads ?? []) resolve(picture);
    this.#thumbnails.set(url, picture);
    this.#characters += picture?.length ?? 0;
    for (const [oldest, old] of this.#thumbnails) {
      if (this.#thumbnails.size <= MAX_THUMBNAILS && this.#characters <= MAX_CHARACTERS) break;
      this.#thumbnails.delete(oldest);
      this.#characters -= old?.length ?? 0;
    }
    if (picture === undefined || pending === undefined || pending.rows.size === 0) return;
    for (const row of pending.rows) this.#loadedRows.add(row);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const keys = new Set(this.#loadedRows);
      this.#loadedRows.clear();
      this.#listeners.fire(keys);
    }, NOTIFY_DELAY_MS);
  }
}
