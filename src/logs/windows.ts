/**
 * Pure: reads one window of time to its end, whatever order the pages come in: a page that ends oddly is asked for again,
 * and a window whose list still ends too early is read in two halves.
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

interface Walk {
  readonly ended: 'end' | 'early' | 'budget';
  readonly items: number;
  readonly newest: number | undefined;
  readonly oldest: number | undefined;
}

export class Windows {
  readonly #options: WindowsOptions;
  /** this server writes null for a list that is empty */
  #nullIsEmpty = false;
  #nullDoubts = 0;
  /** the most items that a page has held which was followed by another */
  #fullPage = Infinity;

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

  /** From `from` on, before `to`; both aligned to the grain. `take` has had all items when this resolves. Throws PlatformError. */
  async read(
    from: number | undefined,
    to: number | undefined,
    budget: Budget,
    signal: AbortSignal,
  ): Promise<WindowResult> {
    const walk = await this.#walk(from, to, budget, signal);
    const middle = walk.ended === 'early' ? this.#middle(from, to, walk) : undefined;
    if (middle === undefined) return { ...walk, done: walk.ended !== 'budget' };
    const older = await this.read(from, middle, budget, signal);
    const younger = await this.read(middle, to, budget, signal);
    return {
      done: older.done && younger.done,
      items: older.items + younger.items,
      newest: most(older.newest, younger.newest, Math.max),
      oldest: most(older.oldest, younger.oldest, Math.min),
    };
  }

  /** The entries with this id: none or one. */
  async readId(id: string, signal: AbortSignal): Promise<readonly Item[]> {
    const { read, query } = this.#options;
    // By its id it is found whatever its status is now.
    const { status: _status, ...rest } = query;
    const { items } = await read({ ...rest, id }, { signal });
    return items.filter((item) => item.id === id);
  }

  #middle(from: number | undefined, to: number | undefined, { newest, oldest }: Walk): number | undefined {
    if (newest === undefined || oldest === undefined) return undefined;
    const half = this.floor(oldest + (newest - oldest) / 2);
    const middle = from === undefined ? half : Math.max(from + this.grain, half);
    return (to !== undefined && middle >= to) || middle > newest + this.grain ? undefined : middle;
  }

  async #walk(from: number | undefined, to: number | undefined, budget: Budget, signal: AbortSignal): Promise<Walk> {
    const { query, limit, take } = this.#options;
    const dates = {
      ...(from !== undefined && { gte: new Date(from) }),
      ...(to !== undefined && { lt: new Date(to) }),
    };
    const seen = new Set<string>();
    let cursor: string | undefined;
    let items = 0;
    let newest: number | undefined;
    let oldest: number | undefined;
    for (;;) {
      if (budget.pages-- <= 0) return { ended: 'budget', items, newest, oldest };
      const asked = { ...query, when_created: dates, limit, ...(cursor !== undefined && { next: cursor }) };
      const page = await this.#page(asked, seen, signal);
      signal.throwIfAborted();
      take(page.items, from ?? 0);
      items += page.items.length;
      for (const { raw } of page.items) {
        const created = createdOf(raw);
        newest = most(newest, created, Math.max);
        oldest = most(oldest, created, Math.min);
      }
      const { next } = page;
      if (next !== undefined && !seen.has(next)) {
        seen.add(next);
        this.#notePage(page);
        cursor = next;
        continue;
      }
      return { ended: this.#isOdd(page, seen) ? 'early' : 'end', items, newest, oldest };
    }
  }

  #notePage({ items }: Page): void {
    if (items.length === 0) return;
    this.#fullPage = this.#fullPage === Infinity ? items.length : Math.max(this.#fullPage, items.length);
  }

  /** A page that ends oddly may be a slip: it is asked for once more. */
  async #page(query: AnyQuery, seen: ReadonlySet<string>, signal: AbortSignal): Promise<Page> {
    const first = await this.#options.read(query, { signal });
    if (!this.#isOdd(first, seen)) return first;
    const again = await this.#options.read(query, { signal });
    if (isNull(again) && !this.#nullIsEmpty) await this.#askWhetherNullIsEmpty(signal);
    return again;
  }

  async #askWhetherNullIsEmpty(signal: AbortSignal): Promise<void> {
    const { read, query, knownId } = this.#options;
    const id = knownId();
    if (id !== undefined) {
      const { status: _status, ...rest } = query;
      const probe = await read({ ...rest, id }, { signal });
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
    if (next !== undefined) return seen.has(next) && items.length > 0;
    return items.length >= Math.min(this.#options.limit, this.#fullPage);
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
