/** Data that features keep about a connection after its sign-out, for the user to delete. */
import { formatList } from '../platform/text/localization.ts';
import type { Disposable } from '../ui/disposables.ts';

interface FeatureHistory {
  /** Returns `1 run` or `3 runs`. */
  formatCount(count: number): string;
  /** number of items stored for the connection */
  count(connection: string): Promise<number>;
  /** Deletes the items of the connection, on disk too. */
  delete(connection: string): Promise<void>;
}

interface HistoryCount {
  readonly history: FeatureHistory;
  readonly count: number;
}

/** Registry of what features store; connections are below the features, so each feature registers its own. */
export class HistoryRegistry {
  readonly #histories = new Set<FeatureHistory>();

  register(history: FeatureHistory): Disposable {
    this.#histories.add(history);
    return { dispose: () => this.#histories.delete(history) };
  }

  /** Returns the registered histories that store something for the connection. Rejects as a `count` does. */
  async countAll(connection: string): Promise<readonly HistoryCount[]> {
    const all = await Promise.all(
      [...this.#histories].map(async (history) => ({ history, count: await history.count(connection) })),
    );
    return all.filter(({ count }) => count > 0);
  }
}

/** Lists what is stored for a connection, such as `3 runs` or `1 run and 2 exports`; empty if nothing is. */
export function formatCounts(counted: readonly HistoryCount[]): string {
  return formatList(counted.map(({ count, history }) => history.formatCount(count)));
}
