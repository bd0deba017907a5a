/**
 * Pure: reads one window of time to its end, whatever order the pages come in: a page that ends oddly is asked for again,
 * and a window whose list still ends too early is read in two halves. Each of these is bounded: a list that goes on
 * without anything new is left, and halves that bring nothing new are not split again.
 */
import { PlatformError } from '../platform/errors.ts';
import type { AnyQuery } from '../platform/operation.ts';
import type { Item, Page } from '../platform/page.ts';
import { parseDateTime } from '../ui/times.ts';

export type ReadPage = (query: AnyQuery, options: { readonly signal: AbortSignal }) => Promise<Page>;

export interface WindowsOptions {
  readonly read: ReadPage;
  /** the filters, without dates, limit and cursor */
  readonly query: AnyQuery;
  /** asked of each page: 1 to 100 */
  readonly limit: number;
  /** milliseconds that the connection's form of dates can tell apart */
  readonly grain: number;
  /** gets each page as it comes, with the beginning of its window */
  readonly take: (items: readonly Item[], from: number) => void;
  /** the id of an entry that is certainly there, if any is known */
  readonly knownId: () => string | undefined;
}

/** How many pages may still be read. */
export interface Budget {
  pages: number;
}

export interface WindowResult {
  /** false: the budget ran out first */
  readonly done: boolean;
  readonly items: number;
  /** of the `when_created` that were read, milliseconds since the epoch */
  readonly newest: number | undefined;
  readonly oldest: number | undefined;
}

/** Pages in a row without a new entry after which a list is left: filtering servers send some empty pages. */
const PATIENCE = 20;
/** The same for a list that was left before. */
const LITTLE_PATIENCE = 3;
/** The same after the user asked to go on. */
const MUCH_PATIENCE = 200;
/** Pages of one look. */
const MAX_PAGES = 1000;
/** Parts of one window that may end too early without anything new before such an end counts as the end. */
const MAX_DOUBTS = 8;
/** Windows in a row that ended too early with a part of a page and missed nothing, after which such an end is believed. */
const BELIEVED = 2;

interface Walk {
  readonly ended: 'end' | 'early' | 'budget';
  readonly items: number;
  /** entries that no part of the window had brought before */
  readonly fresh: number;
  /** the last page held as many as a page does */
  readonly full: boolean;
  readonly newest: number | undefined;
  readonly oldest: number | undefined;
}

/** One window while it is read, in as many parts as that takes. */
interface Window {
  readonly ids: Set<string>;
  readonly budget: Budget;
  /** early ends without anything new that may still be doubted */
  doubts: number;
}

export class Windows {
  readonly #options: WindowsOptions;
  /** this server writes null for a list that is empty */
  #nullIsEmpty = false;
  #nullDoubts = 0;
  /** the most items that a page has held which was followed by another */
  #fullPage = Infinity;
  #patience = PATIENCE;
  #endless = false;
  #pages = 0;
  /** windows in a row that ended oddly with a part of a page although nothing was missing */
  #vain = 0;

  constructor(options: WindowsOptions) {
    this.#options = options;
  }

  get grain(): number {
    return this.#options.grain;
  }

  /** The moment as the connection's form of dates tells it, not later than it is. */
  floor(time: number): number {
    return Math.floor(time / this.grain) * this.grain;
  }

  /** Items of a page, as far as is known. */
  get pageItems(): number {
    return Math.min(this.#options.limit, this.#fullPage);
  }

  /** The list went on without anything new, and was left. */
  get endless(): boolean {
    return this.#endless;
  }

  /** One look read as many pages as it may. */
  get exhausted(): boolean {
    return this.#pages > MAX_PAGES;
  }

  /** A look begins: its pages count anew. */
  begin(): void {
    this.#pages = 0;
  }

  /** The next look reads on for longer where a list does not end. */
  goOn(): void {
    if (this.#endless) this.#patience = MUCH_PATIENCE;
  }

  /** From `from` on, before `to`; both aligned to the grain. `take` has had all items when this resolves. Throws PlatformError. */
  async read(
    from: number | undefined,
    to: number | undefined,
    budget: Budget,
    signal: AbortSignal,
  ): Promise<WindowResult> {
    return this.#part(from, to, { ids: new Set(), budget, doubts: MAX_DOUBTS }, signal);
  }

  async #part(
    from: number | undefined,
    to: number | undefined,
    window: Window,
    signal: AbortSignal,
  ): Promise<WindowResult> {
    const walk = await this.#walk(from, to, window, signal);
    const doubted = walk.ended === 'early' && (walk.full || !this.#believes) && (walk.fresh > 0 || window.doubts-- > 0);
    const middle = doubted ? this.#middle(from, to, walk) : undefined;
    if (middle === undefined) return { ...walk, done: walk.ended !== 'budget' };
    const known = window.ids.size;
    const older = await this.#part(from, middle, window, signal);
    const younger = await this.#part(middle, to, window, signal);
    if (!walk.full) this.#vain = window.ids.size > known ? 0 : this.#vain + 1;
    return {
      done: older.done && younger.done,
      items: older.items + younger.items,
      newest: most(older.newest, younger.newest, Math.max),
      oldest: most(older.oldest, younger.oldest, Math.min),
    };
  }

  /** The entries with this id: none or one. */
  async readId(id: string, signal: AbortSignal): Promise<readonly Item[]> {
    const { query } = this.#options;
    // By its id it is found whatever its status is now.
    const { status: _status, ...rest } = query;
    const { items } = await this.#read({ ...rest, id }, signal);
    return items.filter((item) => item.id === id);
  }

  /** Halves of the last windows brought nothing: this server ends its lists with a repeated cursor. */
  get #believes(): boolean {
    return this.#vain >= BELIEVED;
  }

  #middle(from: number | undefined, to: number | undefined, { newest, oldest }: Walk): number | undefined {
    if (newest === undefined || oldest === undefined) return undefined;
    const half = this.floor(oldest + (newest - oldest) / 2);
    const middle = from === undefined ? half : Math.max(from + this.grain, half);
    return (to !== undefined && middle >= to) || middle > newest + this.grain ? undefined : middle;
  }

  async #walk(from: number | undefined, to: number | undefined, window: Window, signal: AbortSignal): Promise<Walk> {
    const { query, limit, take } = this.#options;
    const dates = {
      ...(from !== undefined && { gte: new Date(from) }),
      ...(to !== undefined && { lt: new Date(to) }),
    };
    const seen = new Set<string>();
    const own = new Set<string>();
    let cursor: string | undefined;
    let items = 0;
    let fresh = 0;
    let vain = 0;
    let full = false;
    let newest: number | undefined;
    let oldest: number | undefined;
    const walked = (ended: Walk['ended']): Walk => ({ ended, items, fresh, full, newest, oldest });
    for (;;) {
      if (window.budget.pages-- <= 0) return walked('budget');
      const asked = { ...query, when_created: dates, limit, ...(cursor !== undefined && { next: cursor }) };
      const page = await this.#page(asked, seen, signal);
      signal.throwIfAborted();
      take(page.items, from ?? 0);
      const before = own.size;
      for (const item of page.items) {
        const { raw, id } = item;
        const created = createdOf(raw);
        newest = most(newest, created, Math.max);
        oldest = most(oldest, created, Math.min);
        if (id === undefined) continue;
        own.add(id);
        if (window.ids.has(id)) continue;
        window.ids.add(id);
        fresh++;
      }
      const gain = own.size - before;
      items += gain;
      vain = gain > 0 ? 0 : vain + 1;
      full = page.items.length >= this.pageItems;
      const { next } = page;
      if (next === undefined || seen.has(next)) {
        if (seen.size > 0) this.#ends();
        return walked(this.#isOdd(page, seen) ? 'early' : 'end');
      }
      if (vain >= this.#patience) {
        this.#endless = true;
        this.#patience = LITTLE_PATIENCE;
        // Full pages that come again may hide what is behind them.
        return walked(full ? 'early' : 'end');
      }
      seen.add(next);
      this.#notePage(page);
      cursor = next;
    }
  }

  /** A list of several pages came to its end. */
  #ends(): void {
    this.#endless = false;
    this.#patience = PATIENCE;
  }

  #notePage({ items }: Page): void {
    if (items.length === 0) return;
    this.#fullPage = this.#fullPage === Infinity ? items.length : Math.max(this.#fullPage, items.length);
  }

  /** A page that ends oddly may be a slip: it is asked for once more. */
  async #page(query: AnyQuery, seen: ReadonlySet<string>, signal: AbortSignal): Promise<Page> {
    const first = await this.#read(query, signal);
    if (!this.#isOdd(first, seen)) return first;
    const again = await this.#read(query, signal);
    if (isNull(again) && !this.#nullIsEmpty) await this.#askWhetherNullIsEmpty(signal);
    return again;
  }

  #read(query: AnyQuery, signal: AbortSignal): Promise<Page> {
    if (this.#pages++ >= MAX_PAGES)
      throw new PlatformError(
        'contract',
        `One look read ${MAX_PAGES.toLocaleString('en')} pages, and there were more`,
        {
          operation: 'GET /ebus/action-logs',
          sent: false,
        },
      );
    return this.#options.read(query, { signal });
  }

  async #askWhetherNullIsEmpty(signal: AbortSignal): Promise<void> {
    const { query, knownId } = this.#options;
    const id = knownId();
    if (id !== undefined) {
      const { status: _status, ...rest } = query;
      const probe = await this.#read({ ...rest, id }, signal);
      if (probe.items.length > 0) {
        this.#nullIsEmpty = true;
        return;
      }
    } else if (++this.#nullDoubts > 2) return;
    throw new PlatformError('contract', 'The platform sent no list of action logs, and no sign that there are none', {
      operation: 'GET /ebus/action-logs',
    });
  }

  /** True where the list may go on although the page does not say how. */
  #isOdd(page: Page, seen: ReadonlySet<string>): boolean {
    const { next, items } = page;
    if (isNull(page)) return !this.#nullIsEmpty && this.#nullDoubts <= 2;
    const full = items.length >= this.pageItems;
    return next === undefined ? full : seen.has(next) && items.length > 0 && (full || !this.#believes);
  }
}

function isNull({ items, drift }: Page): boolean {
  return items.length === 0 && drift.some(({ path, problem }) => path === 'action_logs' || problem === 'missing');
}

function createdOf(raw: unknown): number | undefined {
  const created: unknown = typeof raw === 'object' && raw !== null ? Reflect.get(raw, 'when_created') : undefined;
  return typeof created === 'string' ? parseDateTime(created) : undefined;
}

function most(
  a: number | undefined,
  b: number | undefined,
  choose: (a: number, b: number) => number,
): number | undefined {
  return a === undefined ? b : b === undefined ? a : choose(a, b);
}
