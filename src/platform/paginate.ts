/** Walks a list page by page, and stops where a cursor would lead in a circle. */
import type { Page } from './page.ts';
import type * as z from 'zod/mini';

/** Yields each page; ends on an absent, empty or repeated `next`. `read` gets the cursor of the page to fetch. */
export async function* paginate<S extends z.core.SomeType>(
  read: (cursor: string | undefined) => Promise<Page<S>>,
  start?: string,
): AsyncGenerator<Page<S>, void, undefined> {
  const seen = new CursorTrail();
  let cursor = start;
  for (;;) {
    const page = await read(cursor);
    const next = seen.follow(page.next);
    yield page;
    if (next === undefined) return;
    cursor = next;
  }
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
