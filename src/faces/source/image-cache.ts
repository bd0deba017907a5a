import type { Send } from '../../platform/http/unauthenticated-get.ts';
import { fetchImage } from './requests.ts';

/** Assets that one preview fetches. */
export const MAX_ASSETS = 40;

/** Fetches images on the connection's own origin, without credentials, and caches them for one preview. */
export class ImageCache {
  readonly #requested = new Set<string>();
  readonly #fetched = new Map<string, string | null>();
  readonly #send: Send;
  readonly #signal: AbortSignal;
  readonly #onDidChange: () => void;
  readonly #fetch: typeof fetchImage;
  #running = 0;
  constructor(send: Send, signal: AbortSignal, onDidChange: () => void, fetch = fetchImage) {
    this.#send = send;
    this.#signal = signal;
    this.#onDidChange = onDidChange;
    this.#fetch = fetch;
  }

  /** Finished downloads by address, as data: URLs; `null`: failed. */
  get fetched(): ReadonlyMap<string, string | null> {
    return this.#fetched;
  }

  /** Whether images are being fetched. */
  get isFetching(): boolean {
    return this.#running > 0;
  }

  /** Fetches the addresses that were not requested before, and calls back once when all of them have finished. */
  request(urls: readonly string[]): void {
    const missing = urls
      .filter((url) => !this.#requested.has(url))
      .slice(0, Math.max(0, MAX_ASSETS - this.#requested.size));
    if (missing.length === 0) return;
    for (const url of missing) this.#requested.add(url);
    this.#running++;
    const requests = missing.map(async (url) => [url, await this.#fetch(this.#send, url, this.#signal)] as const);
    void Promise.all(requests).then((images) => {
      this.#running--;
      if (this.#signal.aborted) return;
      for (const [url, image] of images) this.#fetched.set(url, image ?? null);
      this.#onDidChange();
    });
  }

  /** Forgets all images, so that they are fetched again. */
  clear(): void {
    this.#requested.clear();
    this.#fetched.clear();
  }
}
