/** Pure: small pictures: fetched when a row is drawn or an id hovered, few at a time, kept while there is room. */
export interface ThumbnailOptions {
  readonly signal: AbortSignal;
  /** `undefined`: no picture; never rejects */
  readonly fetch: (url: string, signal: AbortSignal) => Promise<string | undefined>;
}

const MOST_KEPT = 200;
const MOST_CHARACTERS = 3_000_000;
const MOST_WAITING = 150;
const AT_ONCE = 2;
/** milliseconds in which arriving pictures are drawn together */
const GATHER = 200;

export class Thumbnails {
  readonly #options: ThumbnailOptions;
  /** data: URI, or `undefined` for what is no picture; the longest unseen first */
  readonly #kept = new Map<string, string | undefined>();
  #characters = 0;
  /** rows that wait for an address */
  readonly #waiting = new Map<string, Set<string>>();
  readonly #fetching = new Set<string>();
  readonly #awaited = new Map<string, PromiseWithResolvers<string | undefined>>();
  readonly #listeners = new Set<(keys: ReadonlySet<string>) => void>();
  readonly #arrived = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ThumbnailOptions) {
    this.#options = options;
  }

  /** The picture as a data: URI where it is there; else it is fetched, and the row is drawn again. */
  get(url: string, row: string): string | undefined {
    if (this.#kept.has(url)) {
      const picture = this.#kept.get(url);
      this.#kept.delete(url);
      this.#kept.set(url, picture);
      return picture;
    }
    const rows = this.#waiting.get(url);
    if (rows !== undefined) rows.add(row);
    else if (this.#waiting.size < MOST_WAITING) {
      this.#waiting.set(url, new Set([row]));
      this.#next();
    }
    return undefined;
  }

  /** The picture as a data: URI, when it is there; `undefined` where there is none. */
  load(url: string): Promise<string | undefined> {
    const picture = this.get(url, '');
    if (picture !== undefined || !this.#waiting.has(url)) return Promise.resolve(picture);
    let awaited = this.#awaited.get(url);
    if (awaited === undefined) this.#awaited.set(url, (awaited = Promise.withResolvers()));
    return awaited.promise;
  }

  /** Rows that can be drawn with their picture now. */
  onArrived(listener: (keys: ReadonlySet<string>) => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const { resolve } of this.#awaited.values()) resolve(undefined);
    this.#waiting.clear();
    this.#kept.clear();
  }

  #next(): void {
    for (const url of this.#waiting.keys()) {
      if (this.#fetching.size >= AT_ONCE || this.#options.signal.aborted) return;
      if (this.#fetching.has(url)) continue;
      this.#fetching.add(url);
      void this.#options.fetch(url, this.#options.signal).then((picture) => {
        this.#fetching.delete(url);
        this.#keep(url, picture);
        this.#next();
      });
    }
  }

  #keep(url: string, picture: string | undefined): void {
    const rows = this.#waiting.get(url);
    this.#waiting.delete(url);
    this.#awaited.get(url)?.resolve(picture);
    this.#awaited.delete(url);
    this.#kept.set(url, picture);
    this.#characters += picture?.length ?? 0;
    for (const [oldest, old] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT && this.#characters <= MOST_CHARACTERS) break;
      this.#kept.delete(oldest);
      this.#characters -= old?.length ?? 0;
    }
    if (picture === undefined || rows === undefined) return;
    for (const row of rows) this.#arrived.add(row);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const keys = new Set(this.#arrived);
      this.#arrived.clear();
      for (const listener of this.#listeners) listener(keys);
    }, GATHER);
  }
}
