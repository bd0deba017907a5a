/** Small pictures, fetched for rows and hovers with limited concurrency, and cached. */
import { Listeners } from '../model/listeners.ts';
import { ConcurrencyLimiter } from '../platform/requests/concurrency-limiter.ts';
import { SharedRequests } from '../platform/requests/shared-requests.ts';

/** Resolves with the data: URI, or `undefined` if there is no picture. Never rejects. */
type FetchPicture = (url: string, signal: AbortSignal) => Promise<string | undefined>;

const MAX_THUMBNAILS = 200;
const MAX_CHARACTERS = 3_000_000;
/** Rows wait for no more URLs than these; callers of `load` do. */
const MAX_PENDING = 150;
const MAX_CONCURRENT_FETCHES = 2;
/** Milliseconds during which loaded pictures are reported together. */
const NOTIFY_DELAY_MS = 200;

/** A cache of pictures by URL, which are fetched in the order of their requests. */
export class Thumbnails {
  readonly #fetchPicture: FetchPicture;
  /** data: URI, or `undefined` if there is no picture; least recently used first */
  readonly #thumbnails = new Map<string, string | undefined>();
  #characters = 0;
  readonly #requests = new SharedRequests<string | undefined>();
  readonly #slots = new ConcurrencyLimiter(MAX_CONCURRENT_FETCHES);
  readonly #disposal = new AbortController();
  /** the rows that wait for a URL */
  readonly #pending = new Map<string, Set<string>>();
  readonly #listeners = new Listeners<ReadonlySet<string>>();
  /** Fires with the keys of rows whose picture was loaded. */
  readonly onDidLoad = this.#listeners.add;
  readonly #loadedRows = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(fetchPicture: FetchPicture) {
    this.#fetchPicture = fetchPicture;
  }

  /** Returns the data: URI if cached; otherwise fetches it and reports the row in `onDidLoad`. */
  get(url: string, row: string): string | undefined {
    if (this.#thumbnails.has(url)) return this.#getCached(url);
    const rows = this.#pending.get(url);
    if (rows !== undefined) rows.add(row);
    else if (this.#pending.size < MAX_PENDING) {
      this.#pending.set(url, new Set([row]));
      void this.load(url).then((picture) => this.#report(url, picture));
    }
    return undefined;
  }

  /**
   * Resolves with the data: URI, or `undefined` if there is no picture. Never rejects. `signal`: ends the wait with
   * `undefined`; the fetch of a picture that no other caller waits for is stopped.
   */
  load(url: string, signal?: AbortSignal): Promise<string | undefined> {
    if (this.#thumbnails.has(url)) return Promise.resolve(this.#getCached(url));
    const ended = AbortSignal.any([this.#disposal.signal, ...(signal === undefined ? [] : [signal])]);
    return this.#requests
      .join(url, ended, (stop) => this.#slots.run(() => this.#fetch(url, stop), stop))
      .catch(() => undefined);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#disposal.abort();
    this.#pending.clear();
    this.#thumbnails.clear();
  }

  #getCached(url: string): string | undefined {
    const picture = this.#thumbnails.get(url);
    this.#thumbnails.delete(url);
    this.#thumbnails.set(url, picture);
    return picture;
  }

  async #fetch(url: string, signal: AbortSignal): Promise<string | undefined> {
    const picture = await this.#fetchPicture(url, signal);
    // A fetch that was stopped does not tell whether there is a picture.
    if (signal.aborted) return undefined;
    this.#thumbnails.set(url, picture);
    this.#characters += picture?.length ?? 0;
    for (const [oldest, old] of this.#thumbnails) {
      if (this.#thumbnails.size <= MAX_THUMBNAILS && this.#characters <= MAX_CHARACTERS) break;
      this.#thumbnails.delete(oldest);
      this.#characters -= old?.length ?? 0;
    }
    return picture;
  }

  #report(url: string, picture: string | undefined): void {
    const rows = this.#pending.get(url) ?? [];
    this.#pending.delete(url);
    if (picture === undefined) return;
    for (const row of rows) this.#loadedRows.add(row);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const keys = new Set(this.#loadedRows);
      this.#loadedRows.clear();
      this.#listeners.fire(keys);
    }, NOTIFY_DELAY_MS);
  }
}
