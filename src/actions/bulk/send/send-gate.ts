import type { Clock } from '../../../model/clock.ts';
import type { BatchPacing } from '../batch.ts';

/** Milliseconds to wait after a 429 that names no time, doubled with each in a row. */
const FIRST_BACKOFF = 1000;
const MAX_BACKOFF = 60_000;

/** Decides when the next row may be sent: with limits on rows at once and on rows a second, and not while the platform asks to wait. */
export class SendGate {
  readonly #time: Clock;
  #pacing: BatchPacing;
  #active = 0;
  #isPaused = false;
  #isStopped = false;
  /** milliseconds since the epoch */
  #nextStart = 0;
  #waitingUntil = 0;
  /** milliseconds */
  #askedWait = 0;
  #backoff = FIRST_BACKOFF;
  /** resolved, and replaced, on each change that can let a row pass */
  #change = Promise.withResolvers<undefined>();

  constructor(pacing: BatchPacing, time: Clock) {
    this.#pacing = pacing;
    this.#time = time;
  }

  /** Milliseconds since the epoch; `undefined` if the platform does not ask to wait. */
  get waitingUntil(): number | undefined {
    return this.#waitingUntil > this.#time.now() ? this.#waitingUntil : undefined;
  }

  /** False while no row may be sent: the gate is paused or stopped, or the platform asks to wait. */
  get isOpen(): boolean {
    return !this.#isPaused && !this.#isStopped && this.waitingUntil === undefined;
  }

  setPacing(pacing: BatchPacing): void {
    this.#pacing = pacing;
    this.#notify();
  }

  /** Lets no row pass until `resume`. */
  pause(): void {
    this.#isPaused = true;
    this.#notify();
  }

  resume(): void {
    this.#isPaused = false;
    this.#notify();
  }

  /** Lets no more rows pass. */
  stop(): void {
    this.#isStopped = true;
    this.#notify();
  }

  /** Waits for the turn of a row. Resolves with false if no more may be sent; else `leave` must follow. */
  async enter(): Promise<boolean> {
    for (;;) {
      if (this.#isStopped) return false;
      const now = this.#time.now();
      this.#limitWaits(now);
      const start = Math.max(this.#waitingUntil, this.#pacing.rate === undefined ? 0 : this.#nextStart);
      const isBlocked = this.#isPaused || this.#active >= this.#pacing.concurrency;
      if (!isBlocked && start <= now) break;
      await this.#waitForChange(isBlocked ? undefined : start - now);
    }
    if (this.#pacing.rate !== undefined)
      this.#nextStart = Math.max(this.#nextStart, this.#time.now()) + 1000 / this.#pacing.rate;
    this.#active++;
    return true;
  }

  leave(): void {
    this.#active--;
    this.#notify();
  }

  /** Resolves when no row is being sent. */
  async drain(): Promise<void> {
    while (this.#active > 0) await this.#waitForChange();
  }

  /** Lets all rows wait. `milliseconds`: as the platform asked; absent: longer each time. */
  hold(milliseconds?: number): void {
    const wait = milliseconds ?? this.#backoff;
    if (milliseconds === undefined) this.#backoff = Math.min(MAX_BACKOFF, this.#backoff * 2);
    const until = this.#time.now() + wait;
    if (until <= this.#waitingUntil) return;
    this.#waitingUntil = until;
    this.#askedWait = wait;
  }

  /** The platform accepts rows again. */
  resetBackoff(): void {
    this.#backoff = FIRST_BACKOFF;
  }

  /** A clock that was set back lets nothing wait longer. */
  #limitWaits(now: number): void {
    const { rate } = this.#pacing;
    this.#waitingUntil = Math.min(this.#waitingUntil, now + this.#askedWait);
    if (rate !== undefined) this.#nextStart = Math.min(this.#nextStart, now + 1000 / rate);
  }

  #notify(): void {
    const change = this.#change;
    this.#change = Promise.withResolvers();
    change.resolve(undefined);
  }

  /** `milliseconds`: the longest time to wait, if there is one. */
  async #waitForChange(milliseconds?: number): Promise<void> {
    const { promise } = this.#change;
    if (milliseconds === undefined) return promise;
    const stop = new AbortController();
    const sleep = this.#time.sleep(Math.min(milliseconds, 2 ** 31 - 1), stop.signal).catch(() => undefined);
    await Promise.race([promise, sleep]);
    stop.abort();
  }
}
