/** Limits the rate of requests. */

interface RateLimiterOptions {
  readonly perSecond: number;
  /** how many may start at once after an idle period */
  readonly burst: number;
  /** milliseconds of a monotonic clock */
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** Allows `perSecond` acquisitions a second, after a burst. */
export class RateLimiter {
  readonly #options: RateLimiterOptions;
  /** the time of the last acquisition if there were no bursts */
  #due = -Infinity;

  constructor(options: RateLimiterOptions) {
    this.#options = options;
  }

  /** Resolves when the caller may start. Rejects as `sleep` does if the signal fires before. */
  async acquire(signal?: AbortSignal): Promise<void> {
    const { perSecond, burst, now, sleep } = this.#options;
    const interval = 1000 / perSecond;
    const at = now();
    this.#due = Math.max(this.#due, at) + interval;
    const wait = this.#due - at - burst * interval;
    if (wait <= 0) return;
    try {
      await sleep(wait, signal);
    } catch (error) {
      this.#due -= interval;
      throw error;
    }
  }
}
