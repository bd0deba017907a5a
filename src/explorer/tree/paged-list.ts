import { isObject } from '../../platform/json/json.ts';
import type { CallOptions } from '../../platform/client.ts';
import type { Item, Page } from '../../platform/page.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { CursorHistory, isEndlessListError, paginate } from '../../platform/paginate.ts';
import { ValueDeduplicator } from '../../platform/json/deduplicate-values.ts';

/** Reads one page of a fixed query. `passing`: the page is beyond the rows that the tree shows. `onNext`: see `CallOptions`. */
export type ReadPage = (
  cursor: string | undefined,
  signal: AbortSignal,
  passing: boolean,
  onNext?: CallOptions['onNext'],
) => Promise<Page>;

export interface Failure {
  /** the operation that failed */
  readonly operation: 'first' | 'more' | 'refresh';
  readonly error: unknown;
  /** milliseconds since the epoch of the first of these failures */
  readonly since: number;
}

/** Rows of a list that the tree shows; tree views have no windowing. */
export const MAX_VISIBLE_ROWS = 5000;

/** Items that are compared after a refresh; reading more takes many requests. */
const MAX_COMPARED = 1000;

/** Pages that are read to find one item, if the list has no `id` parameter. */
const MAX_SEARCHED_PAGES = 10;

/** Items that were looked up individually; the oldest are evicted first. */
const MAX_EXTRA_ITEMS = 10;

/** Items of the largest page that the contract allows. */
const MAX_PAGE_SIZE = 100;

/** Item cap of one list. */
const MAX_ITEMS = 100_000;

/** Consecutive pages without new items after which loading pauses. */
const MAX_EMPTY_PAGES = 5;

export interface PagedListOptions {
  /** resolves relative dates once, so that all pages use the same query; `largest`: to read the whole list */
  readonly createPageReader: (largest: boolean) => ReadPage;
  readonly signal: AbortSignal;
  /** requests one item by its id, if the list has an `id` parameter */
  readonly find?: (id: string, signal: AbortSignal) => Promise<Item | undefined>;
  /** compares two states of one item */
  readonly isOlder?: ResourceDefinition['isOlder'] | undefined;
  readonly now?: () => number;
  /** rows that a refresh reads at most */
  readonly maxRefreshedItems?: number;
  readonly maxItems?: number;
}

/** The loaded items of one list, its next cursor, and its last failure. A failed refresh keeps the old items. */
export class PagedList {
  readonly #options: PagedListOptions;
  readonly #now: () => number;
  #items: Item[] = [];
  /** where the items with an id are in `#items` */
  readonly #indexes = new Map<string, number>();
  readonly #shared = new ValueDeduplicator();
  #invalidItemCount = 0;
  readonly #extraItems = new Map<string, Item>();
  #next: string | undefined;
  #trail = new CursorHistory();
  #readPage: ReadPage | undefined;
  #failure: Failure | undefined;
  #readAt: number | undefined;
  #loading: Promise<void> | undefined;
  #isLoadingAll = false;
  /** items of the first page; `Infinity` if the platform has no larger pages */
  #pageLength = 0;

  constructor(options: PagedListOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  get items(): readonly Item[] {
    return this.#items;
  }
  /** Number of elements that are not JSON objects. */
  get invalidItemCount(): number {
    return this.#invalidItemCount;
  }
  /** Items looked up by id that are not among the visible rows. */
  get extraItems(): readonly Item[] {
    return [...this.#extraItems.values()];
  }
  /** Whether there is another page. */
  get hasMore(): boolean {
    return this.#next !== undefined;
  }
  /** Whether the item cap is reached. */
  get isFull(): boolean {
    return this.#items.length >= (this.#options.maxItems ?? MAX_ITEMS);
  }
  get failure(): Failure | undefined {
    return this.#failure;
  }
  /** Milliseconds since the epoch when the first page was read. */
  get readAt(): number | undefined {
    return this.#readAt;
  }
  /** Whether reading it again would take many requests. */
  get isLong(): boolean {
    return this.#items.length > MAX_COMPARED;
  }
  /** Whether `loadAll` is running. */
  get isLoadingAll(): boolean {
    return this.#isLoadingAll;
  }

  /** Reads the first page unless it was read before. Never rejects: see `failure`. */
  async open(): Promise<void> {
    if (this.#readAt !== undefined || this.#failure !== undefined) return this.#loading;
    await this.#runExclusive(() => this.#loadFirst());
  }

  /**
   * Reads the loaded pages again. The old items stay until the new ones have arrived. Resolves to false if the rows are the
   * same as before; to true also if they are not compared. Never rejects.
   */
  async refresh(): Promise<boolean> {
    const before = this.#formatRows();
    // A running load may have started before the change that this refresh is for.
    await this.#loading;
    await this.#runExclusive(() => (this.#readAt === undefined ? this.#loadFirst() : this.#reload()));
    return before === undefined || before !== this.#formatRows();
  }

  /** A text that is equal for equal rows; `undefined` for a list that failed or is long. */
  #formatRows(): string | undefined {
    if (this.isLong || this.#failure !== undefined) return undefined;
    return JSON.stringify([this.hasMore, [...this.#items, ...this.extraItems].map(({ raw }) => raw)]);
  }

  /** Reads the next page. Never rejects. */
  async loadMore(): Promise<void> {
    await this.#runExclusive(async () => {
      await this.#loadNextPage();
    });
  }

  /**
   * Resolves to whether a row shows the item with that id. If none does, requests the item by its id, or reads the next
   * pages if the list has no `id` parameter. Rejects with what `find` rejects with; a failed page sets `failure`.
   */
  async ensureVisible(id: string): Promise<boolean> {
    await this.open();
    while (this.#loading !== undefined) await this.#loading;
    if (!this.#isVisible(id) && this.#readAt !== undefined) await this.#runExclusive(() => this.#findItem(id));
    return this.#isVisible(id);
  }

  /**
   * Reads all remaining pages; calls `progress` after each. Stops at `signal`, at the item cap, and with a failure if the
   * pages bring nothing new. Waits for a running load. Never rejects.
   */
  async loadAll(progress: (loaded: number) => void, signal: AbortSignal): Promise<void> {
    while (this.#loading !== undefined) {
      if (this.#isLoadingAll) return this.#loading;
      await this.#loading;
    }
    this.#isLoadingAll = true;
    await this.#runExclusive(async () => {
      if (this.#next !== undefined && this.#pageLength < MAX_PAGE_SIZE) await this.#startLargest(signal);
      const isDone = (): boolean => this.#next === undefined || this.isFull || signal.aborted;
      const readPage = this.#readPage;
      if (readPage === undefined || isDone()) return;
      const stop = AbortSignal.any([this.#options.signal, signal]);
      let read = this.#items.length;
      const readNext = async (cursor: string | undefined, onNext: CallOptions['onNext']): Promise<Page> => {
        const page = await readPage(cursor, stop, read >= MAX_VISIBLE_ROWS, onNext);
        read += page.items.length;
        return page;
      };
      try {
        for await (const page of paginate(readNext, { from: this.#next, ahead: true, trail: this.#trail })) {
          this.#addNextPage(page);
          progress(this.#items.length);
          if (isDone()) return;
        }
      } catch (error) {
        if (!signal.aborted) this.#setFailure('more', error);
      }
    }).finally(() => {
      this.#isLoadingAll = false;
    });
  }

  /**
   * Reads what is loaded again, in the largest pages, if they are larger than the first one was. A cursor is never
   * continued with another page size, since it may count pages.
   */
  async #startLargest(signal: AbortSignal): Promise<void> {
    const read = this.#options.createPageReader(true);
    const stop = AbortSignal.any([this.#options.signal, signal]);
    const pages: Page[] = [];
    let count = 0;
    try {
      for await (const page of paginate((cursor) => read(cursor, stop, count >= MAX_VISIBLE_ROWS))) {
        if (pages.length === 0 && page.items.length <= this.#pageLength) {
          this.#pageLength = Infinity;
          return;
        }
        pages.push(page);
        count += page.items.length;
        if (count >= this.#items.length) break;
      }
      this.#replacePages(read, pages);
    } catch (error) {
      if (!signal.aborted) this.#setFailure('more', error);
    }
  }

  /** Runs one load at a time; a second caller waits for the first and sends nothing. */
  #runExclusive(work: () => Promise<void>): Promise<void> {
    return (this.#loading ??= work().finally(() => {
      this.#loading = undefined;
    }));
  }

  #isVisible(id: string): boolean {
    return this.#extraItems.has(id) || this.#items.slice(0, MAX_VISIBLE_ROWS).some((item) => item.id === id);
  }

  async #findItem(id: string): Promise<void> {
    const { find, signal } = this.#options;
    for (let page = 0; find === undefined && page < MAX_SEARCHED_PAGES && !this.#isVisible(id); page++) {
      if (!(await this.#loadNextPage())) return;
    }
    const item = this.#items.find((loaded) => loaded.id === id) ?? (await find?.(id, signal));
    if (item !== undefined && !this.#isVisible(id)) this.#extraItems.set(id, item);
    if (this.#extraItems.size > MAX_EXTRA_ITEMS)
      for (const oldest of this.#extraItems.keys()) return void this.#extraItems.delete(oldest);
  }

  async #loadFirst(): Promise<void> {
    const read = this.#options.createPageReader(false);
    try {
      this.#replacePages(read, await this.#readPages(read, 1));
    } catch (error) {
      this.#setFailure('first', error);
    }
  }

  /** Reads as many items as before, then replaces them. */
  async #reload(): Promise<void> {
    const read = this.#options.createPageReader(this.#items.length >= MAX_PAGE_SIZE);
    try {
      const pages = await this.#readPages(
        read,
        Math.min(this.#items.length, this.#options.maxRefreshedItems ?? MAX_VISIBLE_ROWS),
      );
      const { find, signal } = this.#options;
      const extraItems = await Promise.all(
        this.#extraItems.keys().map(async (id) => [id, await find?.(id, signal)] as const),
      );
      this.#extraItems.clear();
      for (const [id, item] of extraItems) if (item !== undefined) this.#extraItems.set(id, item);
      this.#replacePages(read, pages);
    } catch (error) {
      this.#setFailure('refresh', error);
    }
  }

  /** Reads pages until there are `wanted` items; skips empty pages. */
  async #readPages(read: ReadPage, wanted: number): Promise<readonly Page[]> {
    const pages: Page[] = [];
    const ids = new Set<string>();
    let count = 0;
    const readNext = (cursor: string | undefined): Promise<Page> => read(cursor, this.#options.signal, false);
    try {
      for await (const page of paginate(readNext, { maxIdlePages: MAX_EMPTY_PAGES })) {
        pages.push(page);
        for (const { id, raw } of page.items) {
          if (isObject(raw) && (id === undefined || !ids.has(id))) count++;
          if (id !== undefined) ids.add(id);
        }
        if (count >= wanted) break;
      }
    } catch (error) {
      if (!isEndlessListError(error)) throw error;
    }
    return pages;
  }

  #replacePages(read: ReadPage, pages: readonly Page[]): void {
    this.#readPage = read;
    this.#pageLength = pages[0]?.items.length ?? 0;
    this.#trail = new CursorHistory();
    const before = new Map(this.#items.map((item) => [item.id, item]));
    this.#items = [];
    this.#indexes.clear();
    this.#invalidItemCount = 0;
    for (const page of pages) this.#addPage(page, before);
    this.#next = undefined;
    for (const { next } of pages) this.#next = this.#trail.follow(next);
    this.#removeExtraItems(this.#items);
    this.#failure = undefined;
    this.#readAt = this.#now();
  }

  /** Resolves to false if there is no next page or it failed. */
  async #loadNextPage(): Promise<boolean> {
    const cursor = this.#next;
    if (cursor === undefined || this.#readPage === undefined) return false;
    try {
      this.#addNextPage(await this.#readPage(cursor, this.#options.signal, this.#items.length >= MAX_VISIBLE_ROWS));
      return true;
    } catch (error) {
      this.#setFailure('more', error);
      return false;
    }
  }

  #addNextPage(page: Page): void {
    this.#addPage(page);
    this.#removeExtraItems(this.#items.length > MAX_VISIBLE_ROWS ? [] : page.items);
    this.#next = this.#trail.follow(page.next);
    this.#failure = undefined;
  }

  /**
   * Adds the items that are new: a list that changes while it is read repeats some. Keeps the later one of two states.
   * `before`: what was loaded before a refresh.
   */
  #addPage({ items }: Page, before?: ReadonlyMap<string | undefined, Item>): void {
    const isOlder = (item: Item, other: Item): boolean => this.#options.isOlder?.(item.raw, other.raw) === true;
    for (const item of items) {
      const { id } = item;
      if (!isObject(item.raw)) {
        this.#invalidItemCount++;
        continue;
      }
      const index = id === undefined ? undefined : this.#indexes.get(id);
      const known = index === undefined ? undefined : this.#items[index];
      if (index !== undefined && known !== undefined) {
        if (isOlder(known, item)) this.#items[index] = item;
        continue;
      }
      const former = id === undefined ? undefined : before?.get(id);
      this.#shared.add(item.raw);
      const length = this.#items.push(former !== undefined && isOlder(item, former) ? former : item);
      if (id !== undefined) this.#indexes.set(id, length - 1);
    }
  }

  /** Drops extra items that are now among the loaded ones. */
  #removeExtraItems(items: readonly Item[]): void {
    if (this.#extraItems.size > 0)
      for (const { id } of items.slice(0, MAX_VISIBLE_ROWS)) this.#extraItems.delete(id ?? '');
  }

  #setFailure(operation: Failure['operation'], error: unknown): void {
    const since = this.#failure?.operation === operation ? this.#failure.since : this.#now();
    this.#failure = { operation, error, since };
  }
}
