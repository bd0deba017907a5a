/** Small pictures, fetched for rows and hovers with limited concurrency, and cached. */
interface ThumbnailOptions {
  readonly signal: AbortSignal;
  /** resolves with `undefined` where there is no picture; never rejects */
  readonly fetch: (url: string, signal: AbortSignal) => Promise<string | undefined>;
}

const MAX_THUMBNAILS = 200;
const MAX_CHARACTERS = 3_000_000;
const MAX_PENDING = 150;
const MAX_CONCURRENT_FETCHES = 2;
/** Milliseconds during which loaded pictures are reported together. */
const NOTIFY_DELAY_MS = 200;

/** A cache of pictures by URL, with a queue of fetches. */
export class Thumbnails {
  readonly #options: ThumbnailOptions;
  /** data: URI, or `undefined` where there is no picture; least recently used first */
  readonly #thumbnails = new Map<string, string | undefined>();
  #characters = 0;
  /** rows waiting for a URL */
  readonly #pendingRows = new Map<string, Set<string>>();
  readonly #fetching = new Set<string>();
  readonly #pendingLoads = new Map<string, PromiseWithResolvers<string | undefined>>();
  readonly #listeners = new Set<(keys: ReadonlySet<string>) => void>();
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
    const rows = this.#pendingRows.get(url);
    if (rows !== undefined) rows.add(row);
    else if (this.#pendingRows.size < MAX_PENDING) {
      this.#pendingRows.set(url, new Set([row]));
      this.#fetchNext();
    }
    return undefined;
  }

  /** Resolves with the data: URI, or `undefined` where there is no picture. Never rejects. */
  load(url: string): Promise<string | undefined> {
    const picture = this.get(url, '');
    if (picture !== undefined || !this.#pendingRows.has(url)) return Promise.resolve(picture);
    let pending = this.#pendingLoads.get(url);
    if (pending === undefined) this.#pendingLoads.set(url, (pending = Promise.withResolvers()));
    return pending.promise;
  }

  /** Fires with the keys of rows whose picture was loaded. */
  onDidLoad(listener: (keys: ReadonlySet<string>) => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const { resolve } of this.#pendingLoads.values()) resolve(undefined);
    this.#pendingRows.clear();
    this.#thumbnails.clear();
  }

  #fetchNext(): void {
    for (const url of this.#pendingRows.keys()) {
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
    const rows = this.#pendingRows.get(url);
    this.#pendingRows.delete(url);
    this.#pendingLoads.get(url)?.resolve(picture);
    this.#pendingLoads.delete(url);
    this.#thumbnails.set(url, picture);
    this.#characters += picture?.length ?? 0;
    for (const [oldest, old] of this.#thumbnails) {
      if (this.#thumbnails.size <= MAX_THUMBNAILS && this.#characters <= MAX_CHARACTERS) break;
      this.#thumbnails.delete(oldest);
      this.#characters -= old?.length ?? 0;
    }
    if (picture === undefined || rows === undefined) return;
    for (const row of rows) this.#loadedRows.add(row);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const keys = new Set(this.#loadedRows);
      this.#loadedRows.clear();
      for (const listener of this.#listeners) listener(keys);
    }, NOTIFY_DELAY_MS);
  }
}
