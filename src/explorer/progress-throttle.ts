const RENDER_INTERVAL = 1000;
const MIN_GROWTH = 1.5;

/** Limits re-rendering of a growing list: at most once a second, and only after it grew by half. */
export class ProgressThrottle {
  #renderedCount: number;
  #renderedAt = -Infinity;
  #reportedAt = -Infinity;

  constructor(renderedCount: number) {
    this.#renderedCount = renderedCount;
  }

  /** Returns whether to re-render a list of `count` items; `now` in milliseconds. */
  shouldRender(count: number, now: number): boolean {
    if (now - this.#renderedAt < RENDER_INTERVAL || count < this.#renderedCount * MIN_GROWTH) return false;
    this.#renderedCount = count;
    this.#renderedAt = now;
    return true;
  }

  /** Returns whether to report progress: at most four times a second; `now` in milliseconds. */
  shouldReport(now: number): boolean {
    if (now - this.#reportedAt < RENDER_INTERVAL / 4) return false;
    this.#reportedAt = now;
    return true;
  }
}
