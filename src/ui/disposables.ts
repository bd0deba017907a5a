/** Owns disposables; what is added after the end is disposed of at once. */

export interface Disposable {
  dispose(): unknown;
}

export class Disposables implements Disposable {
  readonly #owned = new Set<Disposable>();
  #ended = false;

  get ended(): boolean {
    return this.#ended;
  }

  /** Takes ownership and hands the same thing back. */
  add<T extends Disposable>(disposable: T): T {
    if (this.#ended) disposable.dispose();
    else this.#owned.add(disposable);
    return disposable;
  }

  dispose(): void {
    this.#ended = true;
    // Last in, first out: later things may use earlier ones.
    for (const disposable of [...this.#owned].reverse()) disposable.dispose();
    this.#owned.clear();
  }
}
