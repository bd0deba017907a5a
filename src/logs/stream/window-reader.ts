import * as l10n from '@vscode/l10n';
import { PlatformError } from '../../platform/errors.ts';
import type { AnyQuery } from '../../platform/operation.ts';
import type { Item, Page } from '../../platform/page.ts';
import { isEndlessListError, MAX_IDLE_PAGES, paginate } from '../../platform/paginate.ts';
import { formatNumber } from '../../platform/text/localization.ts';
import type { LogEntry } from '../entry.ts';

/** Pages of one list; a window with more is read in parts. */
export const MAX_LIST_PAGES = 150;
/** Requests of one poll. */
const MAX_REQUESTS = 1000;
/** Consecutive pages without a new entry after which reading stops, if a list went on like that before. */
const MAX_IDLE_PAGES_ENDLESS = 3;
/** The same for Refresh: servers that filter send many empty pages. */
const MAX_IDLE_PAGES_REFRESH = 200;

interface WindowReaderOptions {
  /** Sends one request. Rejects with PlatformError. */
  readonly request: (query: AnyQuery, signal: AbortSignal) => Promise<Page>;
  /** filters, without dates, limit and cursor */
  readonly query: AnyQuery;
  /** requested page size: 1 to 100 */
  readonly pageSize: number;
  /** resolution of the connection's date format in milliseconds */
  readonly dateResolution: number;
  readonly clock: { now(): number };
  /** Stores the items of a page. Returns its entries. */
  readonly addItems: (items: readonly Item[], from: number) => readonly LogEntry[];
}

export interface WindowPart {
  /** start of what was read completely: milliseconds since the epoch */
  readonly from: number;
  readonly count: number;
  /** latest `when_created`; 0 without entries */
  readonly newest: number;
}

/** Reads windows of time, in whatever order a list has. */
export class WindowReader {
  readonly #options: WindowReaderOptions;
  #requests = 0;
  #isRefresh = false;
  #endless = false;

  constructor(options: WindowReaderOptions) {
    this.#options = options;
  }

  /** True if a list went on without new entries and reading stopped. */
  get endless(): boolean {
    return this.#endless;
  }

  /** True if the poll reached its limit of requests. */
  get exhausted(): boolean {
    return this.#requests > MAX_REQUESTS;
  }

  /** Starts a poll. `refresh`: reads further into lists that do not end. */
  startPoll(refresh: boolean): void {
    this.#requests = 0;
    this.#isRefresh = refresh;
  }

  /** Rounds a time down to the resolution of dates in queries. */
  floor(time: number): number {
    const { dateResolution } = this.#options;
    return Math.floor(time / dateResolution) * dateResolution;
  }

  /**
   * Reads the entries created from `from` on, before `to`; only the youngest of them if they are more than `maxPages` or one
   * list cannot have them all. Rejects with PlatformError.
   */
  async read(
    from: number,
    to: number | undefined,
    signal: AbortSignal,
    maxPages = MAX_LIST_PAGES,
  ): Promise<WindowPart> {
    for (let start = this.floor(from), isLast = false; ;) {
      const list = await this.#readList(start, to, isLast ? MAX_REQUESTS : maxPages, signal);
      if (isLast || list.from !== undefined) return { ...list, from: list.from ?? start };
      const end = to ?? Math.max(list.newest, this.#options.clock.now());
      const middle = this.floor(start + (end - start) / 2);
      // Entries of the same time cannot be separated.
      if (middle > start) start = middle;
      else isLast = true;
    }
  }

  /** Reads the entry with an id: none or one. Rejects with PlatformError. */
  async readId(id: string, signal: AbortSignal): Promise<readonly Item[]> {
    // Its status may have changed, so it is not filtered by it.
    const { status: _status, ...query } = this.#options.query;
    const { items } = await this.#request({ ...query, id }, signal);
    return items.filter((item) => item.id === id);
  }

  /** Reads a list. The result has no `from` if its oldest entries may not be all there are. */
  async #readList(
    start: number,
    to: number | undefined,
    maxPages: number,
    signal: AbortSignal,
  ): Promise<Omit<WindowPart, 'from'> & { readonly from?: number }> {
    const { query, pageSize: limit, dateResolution, addItems } = this.#options;
    const dates = { gte: new Date(start), ...(to !== undefined && { lt: new Date(to) }) };
    const keys = new Set<string>();
    const maxIdlePages = this.#isRefresh
      ? MAX_IDLE_PAGES_REFRESH
      : this.#endless
        ? MAX_IDLE_PAGES_ENDLESS
        : MAX_IDLE_PAGES;
    let [newest, oldest, pages, idlePages] = [0, Infinity, 0, 0];
    let [isCut, isEndless] = [false, false];
    let isDescending = true;
    const readPage = (next: string | undefined): Promise<Page> =>
      this.#request({ ...query, when_created: dates, limit, ...(next !== undefined && { next }) }, signal);
    try {
      for await (const { items } of paginate(readPage, { maxPages, maxIdlePages: Infinity })) {
        const before = { count: keys.size, oldest };
        for (const { key, time, row } of addItems(items, start)) {
          keys.add(key);
          if (row.withoutTime === true) continue;
          newest = Math.max(newest, time);
          oldest = Math.min(oldest, time);
          isDescending &&= time <= before.oldest;
        }
        idlePages = keys.size > before.count ? 0 : idlePages + 1;
        // A full page without a next one, or with the same as the next one: the server may not know cursors.
        isCut = items.length >= limit && (pages === 0 || idlePages > 0);
        pages++;
        isEndless = idlePages >= maxIdlePages;
        if (isEndless) break;
      }
      if (pages > 1) this.#endless = isEndless;
      return { ...(!isCut && { from: start }), count: keys.size, newest };
    } catch (error) {
      if (!isEndlessListError(error)) throw error;
      // In a list that begins with the newest, nothing is missing down to the last page.
      const from = this.floor(oldest) + dateResolution;
      return { ...(isDescending && from < (to ?? newest) && { from }), count: keys.size, newest };
    }
  }

  async #request(query: AnyQuery, signal: AbortSignal): Promise<Page> {
    if (this.#requests++ >= MAX_REQUESTS)
      throw new PlatformError(
        'contract',
        l10n.t('More than {0} pages of new action logs', formatNumber(MAX_REQUESTS)),
        { sent: false },
      );
    const page = await this.#options.request(query, signal);
    signal.throwIfAborted();
    return page;
  }
}
