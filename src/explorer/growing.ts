/** Pure: when a growing list is worth drawing again: at most once a second, and only when it grew by a good part. */
const SECOND = 1000;
const GROWTH = 1.5;

export class GrowingSteps {
  #drawn: number;
  #at = -Infinity;
  #saidAt = -Infinity;

  constructor(drawn: number) {
    this.#drawn = drawn;
  }

  /** True at most once for each step; `now` in milliseconds. */
  isDue(count: number, now: number): boolean {
    if (now - this.#at < SECOND || count < this.#drawn * GROWTH) return false;
    this.#drawn = count;
    this.#at = now;
    return true;
  }

  /** A number in a notification may change more often. */
  isSayable(now: number): boolean {
    if (now - this.#saidAt < SECOND / 4) return false;
    this.#saidAt = now;
    return true;
  }
}
