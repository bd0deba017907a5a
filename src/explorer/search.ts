/** Pure: asks every list that can be searched at once, tells of answers as they arrive, and drops those nobody waits for. */
import { PlatformError } from '../platform/errors.ts';
import type { AnyQuery } from '../platform/operation.ts';
import type { Item, Page } from '../platform/page.ts';
import type { ResourceRow } from '../platform/resource.ts';
import type { Rows } from './related.ts';

export interface Found {
  readonly row: ResourceRow;
  readonly item: Item;
}

export interface Findings {
  readonly term: string;
  readonly found: readonly Found[];
  /** kinds whose list gave no answer, with the reason */
  readonly failed: readonly { readonly row: ResourceRow; readonly reason: string }[];
  /** lists that have not answered yet */
  readonly waiting: number;
}

export interface SearchOptions {
  readonly rows: Rows;
  readonly read: (row: ResourceRow, query: AnyQuery, signal: AbortSignal) => Promise<Page>;
  /** milliseconds of silence before a term is sent */
  readonly pause?: number;
}

const PAUSE = 250;
const MOST_OF_A_KIND = 10;

/** The parameter that a list is searched by: its search term, else its name. */
export function searchedBy(row: ResourceRow): 'autocomplete' | 'name' | undefined {
  const query = row.list?.operation.query ?? {};
  return 'autocomplete' in query ? 'autocomplete' : 'name' in query ? 'name' : undefined;
}

export class Search {
  readonly #options: SearchOptions;
  readonly #rows: readonly (readonly [ResourceRow, string])[];
  #timer: NodeJS.Timeout | undefined;
  #stop = new AbortController();

  constructor(options: SearchOptions) {
    this.#options = options;
    this.#rows = Object.values(options.rows).flatMap((row) => {
      const by = searchedBy(row);
      return by === undefined ? [] : [[row, by] as const];
    });
  }

  /** Cancels what was asked before. `tell` is called with each answer; an empty term asks nothing. */
  ask(term: string, tell: (findings: Findings) => void): void {
    this.cancel();
    const waiting = term === '' ? 0 : this.#rows.length;
    tell({ term, found: [], failed: [], waiting });
    if (waiting === 0) return;
    const stop = (this.#stop = new AbortController());
    this.#timer = setTimeout(() => {
      this.#send(term, stop.signal, tell);
    }, this.#options.pause ?? PAUSE);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
  }

  #send(term: string, signal: AbortSignal, tell: (findings: Findings) => void): void {
    const answers = new Map<ResourceRow, readonly Item[] | string>();
    for (const [row, by] of this.#rows) {
      this.#options
        .read(row, { [by]: term, limit: MOST_OF_A_KIND }, signal)
        .then(
          ({ items }) => answers.set(row, items.slice(0, MOST_OF_A_KIND)),
          (error: unknown) => answers.set(row, reasonOf(error)),
        )
        .finally(() => {
          if (!signal.aborted) tell(this.#findings(term, answers));
        });
    }
  }

  /** In the registry's order, whoever answered first. */
  #findings(term: string, answers: ReadonlyMap<ResourceRow, readonly Item[] | string>): Findings {
    const found: Found[] = [];
    const failed: { row: ResourceRow; reason: string }[] = [];
    for (const [row] of this.#rows) {
      const answer = answers.get(row);
      if (typeof answer === 'string') failed.push({ row, reason: answer });
      else for (const item of answer ?? []) found.push({ row, item });
    }
    return { term, found, failed, waiting: this.#rows.length - answers.size };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof PlatformError)) return error instanceof Error ? error.message : 'unknown error';
  return error.detail.serverMessage === undefined ? error.message : `${error.message}: ${error.detail.serverMessage}`;
}
