/** Limits how many requests are under way at once; those that wait can be cancelled. */
import { PlatformError } from './errors.ts';

export class Limiter {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** `most`: at least 1 */
  constructor(most: number) {
    this.#free = Math.max(1, most);
  }

  /** Runs when there is room. Rejects with PlatformError `cancelled` (not sent) when the signal fires before that. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(signal);
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }

  #enter(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(cancelled());
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(cancelled());
      };
      this.#waiting.push(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}

function cancelled(): PlatformError {
  return new PlatformError('cancelled', 'Cancelled before it was sent', { sent: false });
}
