/** Reads a list page by page, with limits on lists that repeat or never end. */
import { setImmediate } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type * as z from 'zod/mini';
import { PlatformError } from './errors.ts';
import type { Page } from './page.ts';
import { pluralize } from './text/localization.ts';

/** Pages read in one pass over a list. */
const MAX_PAGES = 10_000;
/** Consecutive pages without a new item. */
export const MAX_IDLE_PAGES = 20;

export interface PageLimits {
  /** default `MAX_PAGES` */
  readonly maxPages?: number;
  /** default `MAX_IDLE_PAGES` */
  readonly maxIdlePages?: number;
  /** the cursors of pages that were read before */
  readonly trail?: CursorHistory;
}

interface PaginateOptions extends PageLimits {
  /** cursor of the first page to read; default: the start of the list */
  readonly from?: string | undefined;
  /** requests the next page while the caller uses one: for callers that read the whole list */
  readonly ahead?: boolean | undefined;
}

/** Reads the page of a cursor. May call `announce` with the cursor of the next page before it reads this one, and awaits it. */
type ReadCursor<S extends z.core.SomeType> = (
  cursor: string | undefined,
  announce: (next: string) => Promise<void>,
) => Promise<Page<S>>;

/**
 * Yields each page; ends on an absent, empty or repeated `next`, which the last page does not have. `read` fetches the page of a
 * cursor. Rejects as `read` does, and with PlatformError `tooLarge` at a limit; its `detail.next` is the cursor to continue with.
 */
export async function* paginate<S extends z.core.SomeType>(
  read: ReadCursor<S>,
  { from, ahead = false, ...limits }: PaginateOptions = {},
): AsyncGenerator<Page<S>, void, undefined> {
  const follower = new PageFollower({ from, ...limits });
  let awaited: string | undefined;
  const early = new Map<string | undefined, Promise<Page<S>>>();
  const request = (cursor: string | undefined): Promise<Page<S>> =>
    read(cursor, async (next) => {
      // One page ahead of the caller, not more.
      if (ahead && awaited === cursor && follower.mayFollow(next)) await requestEarly(next);
    });
  const requestEarly = async (cursor: string): Promise<void> => {
    const reading = request(cursor);
    // It is awaited after this page, or never.
    reading.catch(() => undefined);
    early.set(cursor, reading);
    // This page may be parsed and used for the rest of the turn: the request is on its way first, which takes undici a second turn.
    await setImmediate();
    await setImmediate();
  };
  for (let cursor = from; ;) {
    awaited = cursor;
    const reading = early.get(cursor) ?? request(cursor);
    early.clear();
    const page = await reading;
    let next: string | undefined;
    try {
      next = follower.follow(page);
    } catch (error) {
      yield page;
      throw error;
    }
    if (ahead && next !== undefined && !early.has(next)) await requestEarly(next);
    if (next === undefined) {
      const { next: _repeated, ...last } = page;
      yield last;
      return;
    }
    yield page;
    cursor = next;
  }
}

/** Decides after each page of one pass whether to continue, and with which cursor. */
export class PageFollower {
  readonly #maxPages: number;
  readonly #maxIdlePages: number;
  readonly #cursors: CursorHistory;
  readonly #ids = new Set<string>();
  #pages = 0;
  #idle = 0;

  constructor({ maxPages = MAX_PAGES, maxIdlePages = MAX_IDLE_PAGES, trail, from }: PaginateOptions = {}) {
    this.#cursors = new CursorHistory(trail);
    this.#cursors.follow(from);
    this.#maxPages = maxPages;
    this.#maxIdlePages = maxIdlePages;
  }

  /**
   * The cursor of the next page, or `undefined` at the end. Throws PlatformError `tooLarge` at a limit; its `detail.next`
   * is the cursor.
   */
  follow(page: Page): string | undefined {
    const next = this.#cursors.follow(page.next);
    this.#pages++;
    this.#idle = this.#isNew(page) ? 0 : this.#idle + 1;
    if (next === undefined) return undefined;
    if (this.#idle >= this.#maxIdlePages)
      throw endlessListError(
        pluralize(
          this.#idle,
          l10n.t(
            'The list continues, but its last {0} page contained nothing new|The list continues, but its last {0} pages contained nothing new',
          ),
        ),
        next,
      );
    if (this.#pages >= this.#maxPages)
      throw endlessListError(
        pluralize(this.#pages, l10n.t('The list continues after {0} page|The list continues after {0} pages')),
        next,
      );
    return next;
  }

  /** Whether the page of that cursor will probably be read after the next page that is followed. */
  mayFollow(next: string): boolean {
    return this.#pages + 1 < this.#maxPages && !this.#cursors.has(next);
  }

  /** Compares only the first and last id: enough to recognise a repeated page, and cheap for long lists. */
  #isNew({ items }: Page): boolean {
    const [first, last] = [items[0], items.at(-1)];
    if (first === undefined || last === undefined) return false;
    // Items without an id cannot be compared.
    if (first.id === undefined || last.id === undefined) return true;
    const { size } = this.#ids;
    return this.#ids.add(first.id).add(last.id).size > size;
  }
}

function endlessListError(message: string, next: string): PlatformError {
  return new PlatformError('tooLarge', message, { next });
}

/** True for the error of a list that reached a limit. */
export function isEndlessListError(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.detail.next !== undefined;
}

/** Remembers the cursors of a list, to detect one that repeats. */
export class CursorHistory {
  readonly #cursors: Set<string>;

  /** `before`: starts with its cursors */
  constructor(before?: CursorHistory) {
    this.#cursors = new Set(before === undefined ? [] : before.#cursors);
  }

  /** Whether it is one of the remembered cursors. */
  has(cursor: string): boolean {
    return this.#cursors.has(cursor);
  }

  /** Returns the cursor, or `undefined` if it is absent, empty or a repeat. */
  follow(next: string | undefined): string | undefined {
    if (next === undefined || next === '' || this.has(next)) return undefined;
    this.#cursors.add(next);
    return next;
  }
}
