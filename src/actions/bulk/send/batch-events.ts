import type { BatchEvent, BatchTotals, RowResult } from '../batch.ts';

/** Milliseconds between two events. */
const INTERVAL = 100;

/** Bundles changes of rows, so that listeners get few events. */
export class BatchEvents {
  readonly #getTotals: () => BatchTotals;
  readonly #listeners = new Set<(event: BatchEvent) => void>();
  readonly #changed = new Map<number, RowResult>();
  #timer: NodeJS.Timeout | undefined;

  constructor(getTotals: () => BatchTotals) {
    this.#getTotals = getTotals;
  }

  /** Returns a function that stops listening. */
  listen(listener: (event: BatchEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  add(result: RowResult): void {
    if (this.#listeners.size === 0) return;
    this.#changed.set(result.row, result);
    this.#timer ??= setTimeout(() => this.flush(), INTERVAL);
  }

  /** Fires now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = [...this.#changed.values()];
    this.#changed.clear();
    if (rows.length > 0) this.#fire({ type: 'rows', rows });
    this.#fire({ type: 'totals', totals: this.#getTotals() });
  }

  #fire(event: BatchEvent): void {
    for (const listener of this.#listeners)
      try {
        listener(event);
      } catch {
        // An error in a view does not change the batch.
      }
  }
}
