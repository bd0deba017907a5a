import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../platform/text/localization.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { AnyQuery } from '../../platform/operation.ts';
import type { Item, Page } from '../../platform/page.ts';
import { parseDateTime } from '../../model/text/time-format.ts';

/** Reads one page of the list. Rejects with PlatformError. */
export type ReadPage = (query: AnyQuery, options: { readonly signal: AbortSignal }) => Promise<Page>;

interface WindowReaderOptions {
  readonly read: ReadPage;
  /** filters, without dates, limit and cursor */
  readonly query: AnyQuery;
  /** requested page size: 1 to 100 */
  readonly limit: number;
  /** resolution of the connection's date format in milliseconds */
  readonly dateResolution: number;
  /** Called with the items of each page and the start of its window (0 without one). */
  readonly onItems: (items: readonly Item[], from: number) => void;
  /** Returns the id of an entry that exists, if one is known. */
  readonly getKnownId: () => string | undefined;
}

/** How many pages may still be read. */
interface PageBudget {
  pages: number;
}

export interface WindowResult {
  /** false if the budget ran out first */
  readonly done: boolean;
  readonly items: number;
  /** latest and earliest `when_created` read: milliseconds since the epoch */
  readonly newest: number | undefined;
  readonly oldest: number | undefined;
}

/** Consecutive pages without a new entry after which reading stops: servers that filter send some empty pages. */
const MAX_IDLE_PAGES = 20;
/** The same for a list that did not end before. */
const MAX_IDLE_PAGES_ENDLESS = 3;
/** The same after the user chose to read on. */
const MAX_IDLE_PAGES_CONTINUED = 200;
/** Pages of one poll. */
const MAX_PAGES = 1000;
/** Early ends without new entries that are doubted in one window; later ones count as its end. */
const MAX_EARLY_ENDS = 8;
/** Consecutive windows that ended early with a partial page and missed nothing, after which early ends are trusted. */
const TRUSTED_EARLY_ENDS = 2;

interface ListResult {
  readonly ended: 'end' | 'early' | 'budget';
  readonly items: number;
  /** entries that no other part of the window contained */
  readonly newItems: number;
  /** the last page was full */
  readonly full: boolean;
  readonly newest: number | undefined;
  readonly oldest: number | undefined;
}

/** State of one window while its parts are read. */
interface WindowProgress {
  readonly ids: Set<string>;
  readonly budget: PageBudget;
  /** early ends without new entries that will still be doubted */
  earlyEndsLeft: number;
}

/**
 * Reads one time window completely, in whatever order its pages come. A page that ends early is requested again; a list
 * that still ends early is read in two halves. Both are bounded: reading stops when a list goes on without new entries,
 * and halves without new entries are not split again.
 */
export class WindowReader {
  readonly #options: WindowReaderOptions;
  /** the server sends null for an empty list */
  #nullIsEmpty = false;
  #nullAnswers = 0;
  /** most items of a page that was followed by another */
  #fullPage = Infinity;
  #maxIdlePages = MAX_IDLE_PAGES;
  #endless = false;
  #pages = 0;
  /** consecutive windows whose early end was doubted without finding more */
  #fruitlessSplits = 0;

  constructor(options: WindowReaderOptions) {
    this.#options = options;
  }

  get dateResolution(): number {
    return this.#options.dateResolution;
  }

  /** Rounds a time down to the date resolution. */
  floor(time: number): number {
    return Math.floor(time / this.dateResolution) * this.dateResolution;
  }

  /** Size of a full page, as far as known. */
  get pageItems(): number {
    return Math.min(this.#options.limit, this.#fullPage);
  }

  /** True if the list went on without new entries and reading stopped. */
  get endless(): boolean {
    return this.#endless;
  }

  /** True if the poll hit its page limit. */
  get exhausted(): boolean {
    return this.#pages > MAX_PAGES;
  }

  /** Resets the page count at the start of a poll. */
  resetPageCount(): void {
    this.#pages = 0;
  }

  /** Lets the next poll read further into a list that does not end. */
  extendIdlePages(): void {
    if (this.#endless) this.#maxIdlePages = MAX_IDLE_PAGES_CONTINUED;
  }

  /**
   * Reads the entries from `from` on, before `to`, both aligned to the date resolution. `onItems` has received all
   * items when this resolves. Rejects with PlatformError.
   */
  async read(
    from: number | undefined,
    to: number | undefined,
    budget: PageBudget,
    signal: AbortSignal,
  ): Promise<WindowResult> {
    return this.#readPart(from, to, { ids: new Set(), budget, earlyEndsLeft: MAX_EARLY_ENDS }, signal);
  }

  async #readPart(
    from: number | undefined,
    to: number | undefined,
    window: WindowProgress,
    signal: AbortSignal,
  ): Promise<WindowResult> {
    const list = await this.#readList(from, to, window, signal);
    const isDoubtful =
      list.ended === 'early' &&
      (list.full || !this.#trustsEarlyEnds) &&
      (list.newItems > 0 || window.earlyEndsLeft-- > 0);
    const middle = isDoubtful ? this.#middle(from, to, list) : undefined;
    if (middle === undefined) return { ...list, done: list.ended !== 'budget' };
    const known = window.ids.size;
    const older = await this.#readPart(from, middle, window, signal);
    const younger = await this.#readPart(middle, to, window, signal);
    if (!list.full) this.#fruitlessSplits = window.ids.size > known ? 0 : this.#fruitlessSplits + 1;
    return {
      done: older.done && younger.done,
      items: older.items + younger.items,
      newest: pickDefined(older.newest, younger.newest, Math.max),
      oldest: pickDefined(older.oldest, younger.oldest, Math.min),
    };
  }

  /** Reads the entry with an id: none or one. Rejects with PlatformError. */
  async readId(id: string, signal: AbortSignal): Promise<readonly Item[]> {
    const { query } = this.#options;
    // Its status may have changed, so it is not filtered by it.
    const { status: _status, ...rest } = query;
    const { items } = await this.#request({ ...rest, id }, signal);
    return items.filter((item) => item.id === id);
  }

  /** True if doubting the last early ends found nothing: this server repeats a cursor at the end of its lists. */
  get #trustsEarlyEnds(): boolean {
    return this.#fruitlessSplits >= TRUSTED_EARLY_ENDS;
  }

  #middle(from: number | undefined, to: number | undefined, { newest, oldest }: ListResult): number | undefined {
    if (newest === undefined || oldest === undefined) return undefined;
    const half = this.floor(oldest + (newest - oldest) / 2);
    const middle = from === undefined ? half : Math.max(from + this.dateResolution, half);
    return (to !== undefined && middle >= to) || middle > newest + this.dateResolution ? undefined : middle;
  }

  async #readList(
    from: number | undefined,
    to: number | undefined,
    window: WindowProgress,
    signal: AbortSignal,
  ): Promise<ListResult> {
    const { query, limit, onItems } = this.#options;
    const dates = {
      ...(from !== undefined && { gte: new Date(from) }),
      ...(to !== undefined && { lt: new Date(to) }),
    };
    const cursors = new Set<string>();
    const listIds = new Set<string>();
    let cursor: string | undefined;
    let items = 0;
    let newItems = 0;
    let idlePages = 0;
    let full = false;
    let newest: number | undefined;
    let oldest: number | undefined;
    const getResult = (ended: ListResult['ended']): ListResult => ({ ended, items, newItems, full, newest, oldest });
    for (;;) {
      if (window.budget.pages-- <= 0) return getResult('budget');
      const pageQuery = { ...query, when_created: dates, limit, ...(cursor !== undefined && { next: cursor }) };
      const page = await this.#readPage(pageQuery, cursors, signal);
      signal.throwIfAborted();
      onItems(page.items, from ?? 0);
      const before = listIds.size;
      for (const item of page.items) {
        const { raw, id } = item;
        const created = getCreatedTime(raw);
        newest = pickDefined(newest, created, Math.max);
        oldest = pickDefined(oldest, created, Math.min);
        if (id === undefined) continue;
        listIds.add(id);
        if (window.ids.has(id)) continue;
        window.ids.add(id);
        newItems++;
      }
      const gain = listIds.size - before;
      items += gain;
      idlePages = gain > 0 ? 0 : idlePages + 1;
      full = page.items.length >= this.pageItems;
      const { next } = page;
      if (next === undefined || cursors.has(next)) {
        if (cursors.size > 0) this.#recordEnd();
        return getResult(this.#endsEarly(page, cursors) ? 'early' : 'end');
      }
      if (idlePages >= this.#maxIdlePages) {
        this.#endless = true;
        this.#maxIdlePages = MAX_IDLE_PAGES_ENDLESS;
        // Repeated full pages may hide the entries behind them.
        return getResult(full ? 'early' : 'end');
      }
      cursors.add(next);
      this.#recordPageSize(page);
      cursor = next;
    }
  }

  /** Records that a list of several pages ended. */
  #recordEnd(): void {
    this.#endless = false;
    this.#maxIdlePages = MAX_IDLE_PAGES;
  }

  #recordPageSize({ items }: Page): void {
    if (items.length === 0) return;
    this.#fullPage = this.#fullPage === Infinity ? items.length : Math.max(this.#fullPage, items.length);
  }

  /** Reads a page; one that ends early is requested once more. */
  async #readPage(query: AnyQuery, cursors: ReadonlySet<string>, signal: AbortSignal): Promise<Page> {
    const first = await this.#request(query, signal);
    if (!this.#endsEarly(first, cursors)) return first;
    const again = await this.#request(query, signal);
    if (isNullList(again) && !this.#nullIsEmpty) await this.#checkNullIsEmpty(signal);
    return again;
  }

  #request(query: AnyQuery, signal: AbortSignal): Promise<Page> {
    if (this.#pages++ >= MAX_PAGES)
      throw new PlatformError('contract', l10n.t('More than {0} pages of new action logs', formatNumber(MAX_PAGES)), {
        operation: 'GET /ebus/action-logs',
        sent: false,
      });
    return this.#options.read(query, { signal });
  }

  /** Finds out whether null means an empty list: rejects with PlatformError while that is not certain. */
  async #checkNullIsEmpty(signal: AbortSignal): Promise<void> {
    const { query, getKnownId } = this.#options;
    const id = getKnownId();
    if (id !== undefined) {
      const { status: _status, ...rest } = query;
      const probe = await this.#request({ ...rest, id }, signal);
      if (probe.items.length > 0) {
        this.#nullIsEmpty = true;
        return;
      }
    } else if (++this.#nullAnswers > 2) return;
    throw new PlatformError('contract', l10n.t('The response contains no list of action logs'), {
      operation: 'GET /ebus/action-logs',
    });
  }

  /** Whether the list may have more entries although the page has no usable cursor. */
  #endsEarly(page: Page, cursors: ReadonlySet<string>): boolean {
    const { next, items } = page;
    if (isNullList(page)) return !this.#nullIsEmpty && this.#nullAnswers <= 2;
    const full = items.length >= this.pageItems;
    return next === undefined ? full : cursors.has(next) && items.length > 0 && (full || !this.#trustsEarlyEnds);
  }
}

function isNullList({ items, drift }: Page): boolean {
  return items.length === 0 && drift.some(({ path, problem }) => path === 'action_logs' || problem === 'missing');
}

function getCreatedTime(raw: unknown): number | undefined {
  const created: unknown = typeof raw === 'object' && raw !== null ? Reflect.get(raw, 'when_created') : undefined;
  return typeof created === 'string' ? parseDateTime(created) : undefined;
}

function pickDefined(
  a: number | undefined,
  b: number | undefined,
  choose: (a: number, b: number) => number,
): number | undefined {
  return a === undefined ? b : b === undefined ? a : choose(a, b);
}
