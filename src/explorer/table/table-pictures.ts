import type { Thumbnails } from '../../cache/thumbnails.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import type { RowPictures } from '../rows/row-pictures.ts';
import { getOrAdd } from '../../platform/get-or-add.ts';

/** Items that are searched for a picture. */
const MAX_SEARCHED_ITEMS = 200;

/** Numbers the pictures of a table's rows; rows of one template share theirs. */
export class TablePictures {
  readonly #pictures: RowPictures;
  readonly #thumbnails: Pick<Thumbnails, 'load'>;
  readonly #connection: string;
  readonly #definition: ResourceDefinition;
  readonly #urls: string[] = [];
  readonly #numbers = new Map<string, number>();
  #waiting = new AbortController();

  constructor(
    pictures: RowPictures,
    thumbnails: Pick<Thumbnails, 'load'>,
    { connection, definition }: { readonly connection: string; readonly definition: ResourceDefinition },
  ) {
    this.#pictures = pictures;
    this.#thumbnails = thumbnails;
    this.#connection = connection;
    this.#definition = definition;
  }

  /** Whether one of the first items has a picture. */
  hasAny(items: readonly { readonly raw: unknown }[]): boolean {
    return items.slice(0, MAX_SEARCHED_ITEMS).some(({ raw }) => this.getNumber(raw) !== undefined);
  }

  /** Returns the number of an item's picture. */
  getNumber(raw: unknown): number | undefined {
    const url = this.#pictures.getUrl(this.#connection, this.#definition, raw);
    if (url === undefined) return undefined;
    return getOrAdd(this.#numbers, url, () => this.#urls.push(url) - 1);
  }

  /**
   * Loads the pictures of the visible rows and calls `onDidLoad` for each, with a data: URI or `undefined` if there is no
   * picture. Those of an earlier call are no longer waited for.
   */
  load(numbers: readonly number[], onDidLoad: (number: number, dataUri: string | undefined) => void): void {
    const earlier = this.#waiting;
    const { signal } = (this.#waiting = new AbortController());
    for (const number of numbers) {
      const url = this.#urls[number];
      if (url === undefined) continue;
      void this.#thumbnails.load(url, signal).then((dataUri) => {
        if (!signal.aborted) onDidLoad(number, dataUri);
      });
    }
    // Only now: what both calls want keeps its place in the queue.
    earlier.abort();
  }

  /** Stops loading pictures until the next `load`. */
  stop(): void {
    this.#waiting.abort();
  }
}
