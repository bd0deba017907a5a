/** Pure: what features keep of a connection and leave at sign-out, for the user to delete. */
import type { Disposable } from '../ui/disposables.ts';

export interface History {
  /** what is kept, one and many: `run`, `runs` */
  readonly words: readonly [one: string, many: string];
  /** how many of the connection are kept and can be deleted */
  count(connection: string): Promise<number>;
  /** Deletes those, on disk too. */
  delete(connection: string): Promise<void>;
}

export interface Counted {
  readonly history: History;
  readonly count: number;
}

/** The histories of all features. Connections are below the features, so each registers its own. */
export class Histories {
  readonly #all = new Set<History>();

  register(history: History): Disposable {
    this.#all.add(history);
    return { dispose: () => this.#all.delete(history) };
  }

  /** Those that hold something of the connection. */
  async of(connection: string): Promise<readonly Counted[]> {
    const all = await Promise.all(
      [...this.#all].map(async (history) => ({ history, count: await history.count(connection) })),
    );
    return all.filter(({ count }) => count > 0);
  }
}

/** `3 runs`, `1 run and 2 exports`; empty where there is none. */
export function formatCounts(counted: readonly Counted[]): string {
  return counted
    .map(({ count, history: { words } }) => `${String(count)} ${count === 1 ? words[0] : words[1]}`)
    .join(' and ');
}
