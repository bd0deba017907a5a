import { setTimeout as delay } from 'node:timers/promises';
import { PageFollower } from '../../platform/paginate.ts';
import type { Item, Page } from '../../platform/page.ts';

interface NameScanOptions {
  /** reads the page of a cursor, the first page without one */
  readonly read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>;
  /** returns the name of an item */
  readonly getName: (item: Item) => string;
  /** items that are loaded; searched first */
  readonly loaded?: Iterable<Item>;
  /** milliseconds before each page; default: 250 before the first of a pass, then 100 */
  readonly interval?: number;
}

/** Pages that are read before the user is asked to continue. */
const PAGES_PER_PASS = 10;
/** Matches that are added before the user is asked to continue. */
const MATCHES_PER_PASS = 20;
const FIRST_INTERVAL = 250;
const INTERVAL = 100;
/** Milliseconds between reports while the whole list is read. */
const REPORT_INTERVAL = 100;
const MIN_TERM_LENGTH = 2;

/** Whether a term is long enough to be compared with names. */
export function isSearchable(term: string): boolean {
  return term.length >= MIN_TERM_LENGTH;
}

/**
 * Searches the names of a list that the platform cannot search by name: reads it page by page and compares. What was
 * read is kept for the next term.
 */
export class NameScan {
  readonly #options: NameScanOptions;
  readonly #items: { readonly item: Item; readonly name: string }[] = [];
  readonly #ids = new Set<string>();
  readonly #follower = new PageFollower();
  readonly #end = new AbortController();
  #loaded: Iterable<Item> | undefined;
  #term = '';
  /** the items among the first `#comparedCount` that match the term */
  #found: Item[] = [];
  #comparedCount = 0;
  #changed: () => void = () => undefined;
  #cursor: string | undefined;
  #pagesLeft = PAGES_PER_PASS;
  #readsAll = false;
  #maxMatches = MATCHES_PER_PASS;
  #hasMore = true;
  #paused = false;
  #running = false;
  #failure: unknown;

  constructor(options: NameScanOptions) {
    this.#options = options;
    this.#loaded = options.loaded;
  }

  /** The first items whose name has every word of the term. */
  get matches(): readonly Item[] {
    if (!isSearchable(this.#term)) return [];
    const words = this.#term.toLowerCase().split(/\s+/);
    for (; this.#comparedCount < this.#items.length; this.#comparedCount++) {
      const compared = this.#items[this.#comparedCount];
      if (compared !== undefined && words.every((word) => compared.name.includes(word)))
        this.#found.push(compared.item);
    }
    return this.#found.slice(0, this.#maxMatches);
  }
  /** Whether there may be more matches among the items that were read. */
  get hasMaxMatches(): boolean {
    return this.matches.length >= this.#maxMatches;
  }
  /** Number of items that were compared so far: those that were loaded, and those that were read, each once. */
  get searchedCount(): number {
    return this.#ids.size;
  }
  /** Whether there are items that were not read. */
  get hasMore(): boolean {
    return this.#hasMore;
  }
  /** Whether pages are being read. */
  get isReading(): boolean {
    return this.#running && this.#shouldRead();
  }
  /** Why the last page could not be read. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Searches another term; a very short one reads nothing. `changed` is called after each page and at the end of a pass. */
  search(term: string, changed: () => void): void {
    if (term !== this.#term) {
      this.#maxMatches = MATCHES_PER_PASS;
      this.#found = [];
      this.#comparedCount = 0;
      this.#readsAll = false;
      this.#pagesLeft = Math.min(this.#pagesLeft, PAGES_PER_PASS);
    }
    this.#term = term;
    this.#changed = changed;
    this.#paused = false;
    if (!isSearchable(term)) return;
    this.#add(this.#loaded ?? []);
    this.#loaded = undefined;
    void this.#read();
  }

  /** Reads the rest of the list, until there are `MATCHES_PER_PASS` more matches; a page that failed is read again. */
  searchAll(): void {
    this.#pagesLeft = Infinity;
    this.#readsAll = true;
    this.#maxMatches += MATCHES_PER_PASS;
    this.#failure = undefined;
    this.#paused = false;
    void this.#read();
    this.#changed();
  }

  /** Reads no more pages until `searchAll`, or another term. */
  pause(): void {
    this.#paused = true;
    this.#changed();
  }

  /** Ends the search, and its request. */
  dispose(): void {
    this.#paused = true;
    this.#end.abort();
  }

  async #read(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    const { read, interval } = this.#options;
    const { signal } = this.#end;
    let reportedAt = 0;
    try {
      for (let isFirst = true; this.#shouldRead(); isFirst = false) {
        const wait = interval ?? (this.#readsAll ? 0 : isFirst ? FIRST_INTERVAL : INTERVAL);
        await delay(wait, undefined, { signal });
        if (!this.#shouldRead()) break;
        const page = await read(this.#cursor, signal);
        this.#pagesLeft--;
        this.#add(page.items);
        this.#cursor = this.#follower.follow(page);
        this.#hasMore = this.#cursor !== undefined;
        const now = performance.now();
        if (!this.#shouldRead() || (this.#readsAll && now - reportedAt < REPORT_INTERVAL)) continue;
        reportedAt = now;
        this.#changed();
      }
    } catch (error) {
      this.#failure = error;
    }
    this.#running = false;
    if (!signal.aborted) this.#changed();
  }

  #shouldRead(): boolean {
    return (
      !this.#paused &&
      this.#failure === undefined &&
      this.#hasMore &&
      this.#pagesLeft > 0 &&
      isSearchable(this.#term) &&
      !this.hasMaxMatches
    );
  }

  #add(items: Iterable<Item>): void {
    for (const item of items) {
      if (item.id === undefined || this.#ids.has(item.id)) continue;
      this.#ids.add(item.id);
      this.#items.push({ item, name: this.#options.getName(item).toLowerCase() });
    }
  }
}
