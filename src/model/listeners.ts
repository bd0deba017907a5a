/** The listeners of an event, for code without VS Code. */
export class Listeners<Event = void> {
  readonly #listeners = new Set<(event: Event) => void>();

  /** Calls back with each event, until the result is disposed of. */
  readonly add = (listener: (event: Event) => void): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  /** Calls the listeners. Throws as one of them does. */
  fire(event: Event): void {
    for (const listener of this.#listeners) listener(event);
  }

  clear(): void {
    this.#listeners.clear();
  }
}
