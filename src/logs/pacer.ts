/** Limits the request rate of a view: a token bucket over an injected clock. Pure. */

/** Requests per second, sustained. */
const RATE = 10;
/** Requests that may go out at once after a pause: opening a view reads its first pages without delay. */
const BURST = 100;

export interface PacerClock {
  /** milliseconds since the epoch */
  now(): number;
  /** Rejects when the signal fires. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export class Pacer {
  readonly #clock: PacerClock;
  #tokens = BURST;
  #at: number;

  constructor(clock: PacerClock) {
    this.#clock = clock;
    this.#at = clock.now();
  }

  /** Resolves when the next request may go out. Rejects when the signal fires first. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    this.#tokens = Math.min(BURST, this.#tokens + (Math.max(0, now - this.#at) * RATE) / 1000);
    this.#at = now;
    this.#tokens--;
    if (this.#tokens >= 0) return;
    try {
      await this.#clock.sleep((-this.#tokens * 1000) / RATE, signal);
    } catch (error) {
      this.#tokens++;
      throw error;
    }
  }
}
