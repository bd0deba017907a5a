/** Limits the number of concurrent requests. */
import { cancelledError } from '../http/network-errors.ts';

/** Runs tasks in order, at most `maxConcurrent` at a time. */
export class ConcurrencyLimiter {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** `maxConcurrent`: at least 1 */
  constructor(maxConcurrent: number) {
    this.#free = Math.max(1, maxConcurrent);
  }

  /** Runs the task when a slot is free. Rejects as the task does, or with `cancelled` (not sent) if aborted before. */
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
    if (signal?.aborted === true) return Promise.reject(cancelledError(false));
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
        reject(cancelledError(false));
      };
      this.#waiting.push(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
