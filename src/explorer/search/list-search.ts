import type { AnyQuery } from '../../platform/operation.ts';
import type { Item, Page } from '../../platform/page.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import type { ResourceRows } from '../rows/related-resources.ts';
import { getMessageWithServer } from '../../model/text/error-message.ts';

interface SearchResult {
  readonly definition: ResourceDefinition;
  readonly item: Item;
}

export interface SearchResults {
  readonly term: string;
  readonly found: readonly SearchResult[];
  /** kinds whose list failed, with the reason */
  readonly failed: readonly { readonly definition: ResourceDefinition; readonly reason: string }[];
  /** lists that have not responded yet */
  readonly pendingCount: number;
}

export interface SearchOptions {
  readonly definitions: ResourceRows;
  readonly read: (definition: ResourceDefinition, query: AnyQuery, signal: AbortSignal) => Promise<Page>;
  /** milliseconds without typing before a term is sent */
  readonly debounce?: number;
}

const DEBOUNCE = 250;
export const MAX_RESULTS_PER_KIND = 10;

/** One request of a search. */
interface SearchRequest {
  readonly definition: ResourceDefinition;
  readonly read: (signal: AbortSignal) => Promise<Page>;
}

/** Returns the parameter that a list is searched by. */
export function getSearchParameter(definition: ResourceDefinition): 'autocomplete' | 'name' | undefined {
  const query = definition.list?.operation.query ?? {};
  return 'autocomplete' in query ? 'autocomplete' : 'name' in query ? 'name' : undefined;
}

/** Searches all searchable lists in parallel, and cancels the previous search. */
export class ListSearch {
  readonly #options: SearchOptions;
  readonly #rows: readonly (readonly [ResourceDefinition, string])[];
  #searched: readonly SearchRequest[] = [];
  #timer: NodeJS.Timeout | undefined;
  #stop = new AbortController();

  constructor(options: SearchOptions) {
    this.#options = options;
    this.#rows = Object.values(options.definitions).flatMap((definition) => {
      const by = getSearchParameter(definition);
      return by === undefined ? [] : [[definition, by] as const];
    });
  }

  /**
   * Cancels the previous search and starts another, of some kinds. Calls `onResults` with each response; an empty term sends
   * nothing but `others`.
   */
  start(
    term: string,
    onResults: (results: SearchResults) => void,
    kinds: ResourceRows = this.#options.definitions,
    others: readonly SearchRequest[] = [],
  ): void {
    this.cancel();
    const { read } = this.#options;
    const byTerm = this.#rows
      .filter(([definition]) => term !== '' && Object.values(kinds).includes(definition))
      .map(([definition, by]): SearchRequest => ({
        definition,
        read: (signal) => read(definition, { [by]: term, limit: MAX_RESULTS_PER_KIND }, signal),
      }));
    this.#searched = [...byTerm, ...others];
    const pendingCount = this.#searched.length;
    onResults({ term, found: [], failed: [], pendingCount });
    if (pendingCount === 0) return;
    const stop = (this.#stop = new AbortController());
    this.#timer = setTimeout(() => this.#send(term, stop.signal, onResults), this.#options.debounce ?? DEBOUNCE);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
  }

  #send(term: string, signal: AbortSignal, onResults: (results: SearchResults) => void): void {
    const responses = new Map<ResourceDefinition, readonly Item[] | string>();
    for (const { definition, read } of this.#searched) {
      read(signal)
        .then(
          ({ items }) => responses.set(definition, items.slice(0, MAX_RESULTS_PER_KIND)),
          (error: unknown) => responses.set(definition, getMessageWithServer(error)),
        )
        .finally(() => {
          if (!signal.aborted) onResults(this.#collectResults(term, responses));
        });
    }
  }

  /** Collects the responses in the registry's order. */
  #collectResults(term: string, responses: ReadonlyMap<ResourceDefinition, readonly Item[] | string>): SearchResults {
    const found: SearchResult[] = [];
    const failed: { definition: ResourceDefinition; reason: string }[] = [];
    for (const { definition } of this.#searched) {
      const response = responses.get(definition);
      if (typeof response === 'string') failed.push({ definition, reason: response });
      else for (const item of response ?? []) found.push({ definition, item });
    }
    return { term, found, failed, pendingCount: this.#searched.length - responses.size };
  }
}
