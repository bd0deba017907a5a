/** Spreads work over time: at most so many a second, with a short burst. */

export interface RateOptions {
  readonly perSecond: number;
  /** how many may start at once after a rest */
  readonly burst: number;
  /** milliseconds of any steady clock */
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export class Rate {
  readonly #options: RateOptions;
  /** when the last turn that was given out would be due without bursts */
  #due = -Infinity;

  constructor(options: RateOptions) {
    this.#options = options;
  }

  /** Resolves when it is the caller's turn. Rejects as `sleep` does when the signal fires before. */
  async turn(signal?: AbortSignal): Promise<void> {
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
