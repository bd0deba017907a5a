import type { Clock } from '../../../model/clock.ts';

/** Seconds over which the rate is measured. */
const WINDOW = 10;

/** Measures how many rows are sent a second. */
export class SendRate {
  readonly #time: Pick<Clock, 'now'>;
  /** number of rows by second since the epoch */
  readonly #counts = new Map<number, number>();
  #start: number | undefined;

  constructor(time: Pick<Clock, 'now'>) {
    this.#time = time;
  }

  add(): void {
    const now = this.#time.now();
    this.#start ??= now;
    const second = Math.floor(now / 1000);
    this.#counts.set(second, (this.#counts.get(second) ?? 0) + 1);
    for (const old of this.#counts.keys()) if (old <= second - WINDOW) this.#counts.delete(old);
  }

  get perSecond(): number {
    if (this.#start === undefined) return 0;
    const now = this.#time.now();
    const from = Math.floor(now / 1000) - WINDOW;
    const sum = [...this.#counts].reduce((total, [second, count]) => (second > from ? total + count : total), 0);
    return sum / Math.min(WINDOW, Math.max(1, (now - this.#start) / 1000));
  }
}
