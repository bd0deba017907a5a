/** Pure: what was loaded of one list: its items, the way on, and how the last attempt failed. Old rows outlive a failure. */
import { isObject } from '../platform/json.ts';
import type { Item, Page } from '../platform/page.ts';
import { CursorTrail, isEndless, PageLook } from '../platform/paginate.ts';
import { SharedValues } from '../platform/share-values.ts';

/** Reads one page of a list whose query stands fixed. `passing`: the page is beyond the rows that the tree shows. */
export type ReadPage = (cursor: string | undefined, signal: AbortSignal, passing: boolean) => Promise<Page>;

export interface Failure {
  /** what was tried when it failed */
  readonly of: 'first' | 'more' | 'refresh';
  readonly error: unknown;
  /** milliseconds since the epoch: when it first failed so */
  readonly since: number;
}

/** Rows of a branch that the tree shows: it has no windowing of its own. */
export const MOST_ROWS = 5000;

/** Pages that are read to find one item, where the list cannot be asked for it. */
const MOST_SEARCHED = 10;

/** Items that are kept beside those that were loaded; the oldest go first. */
const MOST_BESIDE = 10;

/** Items held of one list; beyond that a filter or an export serves better. */
export const MOST_HELD = 100_000;

/** Pages without anything new that are read past before a person is asked whether to go on. */
const MOST_EMPTY = 5;

export interface BranchOptions {
  /** begins a list: resolves relative dates, once for all its pages */
  readonly begin: () => ReadPage;
  readonly signal: AbortSignal;
  /** asks the list for one item alone, where it can be asked */
  readonly find?: (id: string, signal: AbortSignal) => Promise<Item | undefined>;
  readonly now?: () => number;
  /** how many rows a refresh reads again at most */
  readonly mostRefreshed?: number;
  readonly mostHeld?: number;
}

export class Branch {
  readonly #options: BranchOptions;
  readonly #now: () => number;
  #items: Item[] = [];
  readonly #ids = new Set<string>();
  readonly #shared = new SharedValues();
  #bad = 0;
  readonly #beside = new Map<string, Item>();
  #next: string | undefined;
  #trail = new CursorTrail();
  #read: ReadPage | undefined;
  #failure: Failure | undefined;
  #readAt: number | undefined;
  #loading: Promise<void> | undefined;
  #whole = false;

  constructor(options: BranchOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  get items(): readonly Item[] {
    return this.#items;
  }
  /** Elements of the pages that are no objects, and have no row of their own. */
  get bad(): number {
    return this.#bad;
  }
  /** Items that were looked for by their id, and that no row of those loaded shows. */
  get beside(): readonly Item[] {
    return [...this.#beside.values()];
  }
  /** There is another page. */
  get hasMore(): boolean {
    return this.#next !== undefined;
  }
  /** So much is held that no more will be. */
  get full(): boolean {
    return this.#items.length >= (this.#options.mostHeld ?? MOST_HELD);
  }
  get failure(): Failure | undefined {
    return this.#failure;
  }
  /** Milliseconds since the epoch: when the first page that is held was read. */
  get readAt(): number | undefined {
    return this.#readAt;
  }
  /** All of its pages are being loaded. */
  get loadingAll(): boolean {
    return this.#whole;
  }

  /** The first page, once: whoever comes meanwhile or later gets what is there. Never throws: see `failure`. */
  async open(): Promise<void> {
    if (this.#readAt !== undefined || this.#failure !== undefined) return this.#loading;
    await this.#alone(() => this.#first());
  }

  /** After a failure of the first page, or to have everything anew. Rows stay until the new ones are there. */
  async refresh(): Promise<void> {
    // What is under way may have begun before the change that this refresh is for.
    await this.#loading;
    await this.#alone(() => (this.#readAt === undefined ? this.#first() : this.#again()));
  }

  async more(): Promise<void> {
    await this.#alone(async () => {
      await this.#page();
    });
  }

  /**
   * True when a row shows the item with that id; then or before, it was asked for by itself, or looked for on the next
   * pages where that cannot be. Throws what `find` throws; a page that fails is in `failure`.
   */
  async show(id: string): Promise<boolean> {
    await this.open();
    while (this.#loading !== undefined) await this.#loading;
    if (!this.#shows(id) && this.#readAt !== undefined) await this.#alone(() => this.#look(id));
    return this.#shows(id);
  }

  /**
   * Page after page, as the list began; `progress` after each. Stops at `signal`, when full, and with a failure where the
   * list goes on without anything new. Waits for a load under way.
   */
  async all(progress: (loaded: number) => void, signal: AbortSignal): Promise<void> {
    while (this.#loading !== undefined) {
      if (this.#whole) return this.#loading;
      await this.#loading;
    }
    this.#whole = true;
    await this.#alone(async () => {
      const look = new PageLook();
      while (this.#next !== undefined && !this.full && !signal.aborted) {
        const page = await this.#page(signal);
        if (page === undefined) return;
        progress(this.#items.length);
        try {
          look.follow(page);
        } catch (error) {
          this.#fail('more', error);
          return;
        }
      }
    }).finally(() => {
      this.#whole = false;
    });
  }

  /** One load at a time; a second caller waits for the first and asks nothing itself. */
  #alone(work: () => Promise<void>): Promise<void> {
    return (this.#loading ??= work().finally(() => {
      this.#loading = undefined;
    }));
  }

  #shows(id: string): boolean {
    return this.#beside.has(id) || this.#items.slice(0, MOST_ROWS).some((item) => item.id === id);
  }

  async #look(id: string): Promise<void> {
    const { find, signal } = this.#options;
    for (let page = 0; find === undefined && page < MOST_SEARCHED && !this.#shows(id); page++) {
      if ((await this.#page()) === undefined) return;
    }
    const item = this.#items.find((held) => held.id === id) ?? (await find?.(id, signal));
    if (item !== undefined && !this.#shows(id)) this.#beside.set(id, item);
    if (this.#beside.size > MOST_BESIDE)
      for (const oldest of this.#beside.keys()) return void this.#beside.delete(oldest);
  }

  async #first(): Promise<void> {
    const read = this.#options.begin();
    try {
      this.#begin(read, await this.#pages(read, 1));
    } catch (error) {
      this.#fail('first', error);
    }
  }

  /** Reads until there are as many rows as before, then swaps. */
  async #again(): Promise<void> {
    const read = this.#options.begin();
    try {
      const pages = await this.#pages(read, Math.min(this.#items.length, this.#options.mostRefreshed ?? MOST_ROWS));
      const { find, signal } = this.#options;
      const beside = await Promise.all(this.#beside.keys().map(async (id) => [id, await find?.(id, signal)] as const));
      this.#beside.clear();
      for (const [id, item] of beside) if (item !== undefined) this.#beside.set(id, item);
      this.#begin(read, pages);
    } catch (error) {
      this.#fail('refresh', error);
    }
  }

  /** As many pages as hold `wanted` items; some servers send empty ones before. */
  async #pages(read: ReadPage, wanted: number): Promise<readonly Page[]> {
    const look = new PageLook({ maxIdlePages: MOST_EMPTY });
    const pages: Page[] = [];
    const ids = new Set<string>();
    let count = 0;
    let cursor: string | undefined;
    do {
      const page = await read(cursor, this.#options.signal, false);
      pages.push(page);
      for (const { id, raw } of page.items) {
        if (isObject(raw) && (id === undefined || !ids.has(id))) count++;
        if (id !== undefined) ids.add(id);
      }
      try {
        cursor = look.follow(page);
      } catch (error) {
        if (!isEndless(error)) throw error;
        break;
      }
    } while (cursor !== undefined && count < wanted);
    return pages;
  }

  #begin(read: ReadPage, pages: readonly Page[]): void {
    this.#read = read;
    this.#trail = new CursorTrail();
    this.#items = [];
    this.#ids.clear();
    this.#bad = 0;
    for (const page of pages) this.#add(page);
    this.#next = undefined;
    for (const { next } of pages) this.#next = this.#trail.follow(next);
    this.#arrived(this.#items);
    this.#failure = undefined;
    this.#readAt = this.#now();
  }

  /** `undefined` where there is none, or it failed, or `signal` fired. */
  async #page(signal?: AbortSignal): Promise<Page | undefined> {
    const cursor = this.#next;
    if (cursor === undefined || this.#read === undefined) return undefined;
    const signals = signal === undefined ? this.#options.signal : AbortSignal.any([this.#options.signal, signal]);
    try {
      const page = await this.#read(cursor, signals, this.#items.length >= MOST_ROWS);
      this.#add(page);
      this.#arrived(this.#items.length > MOST_ROWS ? [] : page.items);
      this.#next = this.#trail.follow(page.next);
      this.#failure = undefined;
      return page;
    } catch (error) {
      if (signal?.aborted !== true) this.#fail('more', error);
      return undefined;
    }
  }

  /** Lists that change while they are read, or lead in a circle, bring some items again. */
  #add({ items }: Page): void {
    for (const item of items) {
      const { id } = item;
      if (!isObject(item.raw)) {
        this.#bad++;
      } else if (id === undefined || !this.#ids.has(id)) {
        this.#shared.add(item.raw);
        this.#items.push(item);
      }
      if (id !== undefined) this.#ids.add(id);
    }
  }

  /** What has come with a page needs no row beside it. */
  #arrived(items: readonly Item[]): void {
    if (this.#beside.size > 0) for (const { id } of items.slice(0, MOST_ROWS)) this.#beside.delete(id ?? '');
  }

  #fail(of: Failure['of'], error: unknown): void {
    const since = this.#failure?.of === of ? this.#failure.since : this.#now();
    this.#failure = { of, error, since };
  }
}
