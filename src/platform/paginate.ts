/** Walks a list page by page, and ends where it leads in a circle or goes on without anything new. */
import type * as z from 'zod/mini';
import { PlatformError } from './errors.ts';
import type { Page } from './page.ts';

/** Pages of one look at a list. */
export const MAX_PAGES = 10_000;
/** Pages in a row without an item that is new. */
export const MAX_IDLE_PAGES = 20;

export interface PageLimits {
  /** default `MAX_PAGES` */
  readonly maxPages?: number;
  /** default `MAX_IDLE_PAGES` */
  readonly maxIdlePages?: number;
}

export interface PaginateOptions extends PageLimits {
  /** the cursor to begin with; default: the first page */
  readonly from?: string | undefined;
}

/**
 * Yields each page; ends on an absent, empty or repeated `next`. `read` gets the cursor of the page to fetch. Throws
 * PlatformError `tooLarge` at a limit: `detail.next` is the cursor to go on with.
 */
export async function* paginate<S extends z.core.SomeType>(
  read: (cursor: string | undefined) => Promise<Page<S>>,
  { from, ...limits }: PaginateOptions = {},
): AsyncGenerator<Page<S>, void, undefined> {
  const look = new PageLook(limits);
  let cursor = from;
  do {
    const page = await read(cursor);
    yield page;
    cursor = look.follow(page);
  } while (cursor !== undefined);
}

/** One look at a list: decides after each page whether and where it goes on. */
export class PageLook {
  readonly #maxPages: number;
  readonly #maxIdlePages: number;
  readonly #trail = new CursorTrail();
  readonly #ids = new RecentIds();
  #pages = 0;
  #idle = 0;

  constructor({ maxPages = MAX_PAGES, maxIdlePages = MAX_IDLE_PAGES }: PageLimits = {}) {
    this.#maxPages = maxPages;
    this.#maxIdlePages = maxIdlePages;
  }

  /**
   * The cursor to go on with, or `undefined` where the list ends. Throws PlatformError `tooLarge` at a limit:
   * `detail.next` is the cursor.
   */
  follow(page: Page): string | undefined {
    const next = this.#trail.follow(page.next);
    this.#pages++;
    this.#idle = this.#isNew(page) ? 0 : this.#idle + 1;
    if (next === undefined) return undefined;
    if (this.#idle >= this.#maxIdlePages)
      throw endless(`The list goes on, but its last ${String(this.#idle)} pages held nothing new`, next);
    if (this.#pages >= this.#maxPages) throw endless(`The list goes on after ${String(this.#pages)} pages`, next);
    return next;
  }

  /** By its first and last item alone: a page that comes again shows by them, and long lists stay cheap. */
  #isNew({ items }: Page): boolean {
    const [first, last] = [items[0], items.at(-1)];
    if (first === undefined || last === undefined) return false;
    // An item without an id cannot be told from others.
    if (first.id === undefined || last.id === undefined) return true;
    const isFirstNew = this.#ids.add(first.id);
    const isLastNew = last !== first && this.#ids.add(last.id);
    return isFirstNew || isLastNew;
  }
}

function endless(message: string, next: string): PlatformError {
  return new PlatformError('tooLarge', message, { next });
}

/** True for the error of a list that was left at a limit. */
export function isEndless(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.detail.next !== undefined;
}

/** Remembers the last cursors; one that comes back would be a circle. Bounded, so that a million pages cost nothing. */
export class CursorTrail {
  readonly #recent = new Set<string>();

  /** The cursor to go on with, or `undefined` where the list ends. */
  follow(next: string | undefined): string | undefined {
    if (next === undefined || next === '' || this.#recent.has(next)) return undefined;
    this.#recent.add(next);
    if (this.#recent.size > 1000) {
      const [oldest] = this.#recent;
      if (oldest !== undefined) this.#recent.delete(oldest);
    }
    return next;
  }
}

/** Remembers the last 5,000 to 10,000 ids. */
class RecentIds {
  #current = new Set<string>();
  #previous = new Set<string>();

  /** False where the id is remembered. */
  add(id: string): boolean {
    if (this.#current.has(id)) return false;
    const isNew = !this.#previous.has(id);
    this.#current.add(id);
    if (this.#current.size >= 5000) {
      this.#previous = this.#current;
      this.#current = new Set();
    }
    return isNew;
  }
}
