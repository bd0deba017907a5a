/** Pictures of the connection's own origin for one preview: fetched once, kept while it is open. */
import type { Send } from '../platform/plain-get.ts';
import { fetchImage } from './fetch.ts';
import { MOST_ASSETS } from './render.ts';

export class Assets {
  readonly #fetched = new Map<string, string | null>();
  readonly #send: Send;
  readonly #signal: AbortSignal;
  readonly #changed: () => void;
  constructor(send: Send, signal: AbortSignal, changed: () => void) {
    this.#send = send;
    this.#signal = signal;
    this.#changed = changed;
  }

  /** data: URLs by address; `null`: it could not be had, or is under way */
  get fetched(): ReadonlyMap<string, string | null> {
    return this.#fetched;
  }

  /** Calls back when those that were not asked for before have come or failed. */
  want(urls: readonly string[]): void {
    const fresh = urls.filter((url) => !this.#fetched.has(url)).slice(0, Math.max(0, MOST_ASSETS - this.#fetched.size));
    if (fresh.length === 0) return;
    // Taken as had: a further look does not ask again while these are under way.
    for (const url of fresh) this.#fetched.set(url, null);
    const work = fresh.map(async (url) => {
      this.#fetched.set(url, (await fetchImage(this.#send, url, this.#signal)) ?? null);
    });
    void Promise.all(work).then(() => {
      if (!this.#signal.aborted) this.#changed();
    });
  }

  /** The next look asks again. */
  forget(): void {
    this.#fetched.clear();
  }
}
