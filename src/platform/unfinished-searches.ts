/** Searches for an id through the pages of a list, which are continued when the user tries again. */
import * as l10n from '@vscode/l10n';
import { PlatformError } from './errors.ts';
import { getOperationName, type Operation } from './operation.ts';
import type { Page } from './page.ts';
import { isEndlessListError, type PageFollower } from './paginate.ts';

/** Searches whose cursor is remembered. */
const MAX_SEARCHES = 20;

/** The cursors at which unfinished searches stopped, by `kind/id`. */
export class UnfinishedSearches {
  readonly #cursors = new Map<string, string>();

  /** Returns the cursor of a search, and forgets it. */
  take(key: string): string | undefined {
    const cursor = this.#cursors.get(key);
    this.#cursors.delete(key);
    return cursor;
  }

  /** Returns the cursor of the next page. Throws PlatformError `tooLarge` at the limit, from where the search continues. */
  follow(follower: PageFollower, page: Page, key: string, kind: string, operation: Operation): string | undefined {
    try {
      return follower.follow(page);
    } catch (error) {
      if (!isEndlessListError(error)) throw error;
      if (this.#cursors.size >= MAX_SEARCHES) this.#cursors.clear();
      if (error.detail.next !== undefined) this.#cursors.set(key, error.detail.next);
      const message = l10n.t(
        'No resource with this ID found so far ({0}). {1}. Try again to continue searching',
        kind,
        error.message,
      );
      throw new PlatformError(error.code, message, { ...error.detail, operation: getOperationName(operation) });
    }
  }
}
