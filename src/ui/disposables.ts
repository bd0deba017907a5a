/** Owns disposables; what is added after its disposal is disposed of at once. */

export interface Disposable {
  dispose(): unknown;
}

/** A disposable collection of disposables. */
export class Disposables implements Disposable {
  readonly #disposables = new Set<Disposable>();
  #isDisposed = false;

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** Takes ownership and returns the argument. */
  add<T extends Disposable>(disposable: T): T {
    if (this.#isDisposed) disposable.dispose();
    else this.#disposables.add(disposable);
    return disposable;
  }

  dispose(): void {
    this.#isDisposed = true;
    // In reverse order: later ones may use earlier ones.
    for (const disposable of [...this.#disposables].reverse()) disposable.dispose();
    this.#disposables.clear();
  }
}
