/** Tells the item that the user moved to from those that the editor highlights by itself: the first of each list. */
export class HighlightTracker {
  readonly #automatic = new Set<string | undefined>();
  #first: string | undefined;
  #kept: string | undefined;

  /** Whether the editor has not yet highlighted the kept item of the last list: it highlights the first one before. */
  get isRestoring(): boolean {
    return this.#kept !== undefined;
  }

  /** Records typed text, after which nothing that was highlighted is kept: its events may still arrive. */
  reset(highlighted: string | undefined): void {
    this.#kept = undefined;
    this.#automatic.clear();
    this.#automatic.add(highlighted).add(this.#first);
  }

  /** Records the item that the editor reports: once it is the first of the last list, later ones are the user's. */
  report(highlighted: string | undefined): void {
    if (this.isRestoring) {
      if (highlighted === this.#kept || highlighted !== this.#first) this.#kept = undefined;
    } else if (highlighted === this.#first) this.reset(highlighted);
  }

  /** Returns the item to keep highlighted in a new list, by its key; `undefined` highlights the first one. */
  show(keys: readonly string[], highlighted: string | undefined): string | undefined {
    const chosen = this.#kept ?? (this.#automatic.has(highlighted) ? undefined : highlighted);
    this.#kept = chosen !== undefined && keys.includes(chosen) ? chosen : undefined;
    this.#first = keys[0];
    this.#automatic.add(this.#first);
    return this.#kept;
  }
}
