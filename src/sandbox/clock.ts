/** Default start of a manual clock. */
const MANUAL_START = Date.parse('2026-03-02T10:00:00.000Z');
/** Milliseconds of the longest timer: one for a later task is set again. */
const MAX_TIMER = 2 ** 31 - 1;

interface Task {
  /** milliseconds since 1970 */
  readonly at: number;
  readonly run: () => void;
}

/** The clock of the sandbox: follows that of the system unless it is manual or paused, or repeats the past. */
export class Clock {
  /** never runs by itself */
  readonly #isFixed: boolean;
  /** what is not due yet, by time */
  #tasks: Task[] = [];
  /** the time while only `advance` moves it; absent while it runs */
  #frozenAt: number | undefined;
  /** milliseconds by which it is ahead of the system's clock while it runs */
  #ahead = 0;
  /** for the next task while it runs */
  #timer: NodeJS.Timeout | undefined;

  /** `start`: milliseconds since 1970, for a manual clock, or for one that repeats the past until it catches up. */
  constructor(kind: 'system' | 'manual', start?: number, repeatsPast = false) {
    this.#isFixed = kind === 'manual';
    if (this.#isFixed) this.#frozenAt = start ?? MANUAL_START;
    else if (repeatsPast) this.#frozenAt = start;
  }

  /** Whether only `advance` moves it. */
  get manual(): boolean {
    return this.#frozenAt !== undefined;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#frozenAt ?? Date.now() + this.#ahead;
  }

  /** Runs `run` after `delay` milliseconds of this clock. */
  after(delay: number, run: () => void): void {
    const at = this.now() + Math.max(0, delay);
    const position = this.#tasks.findLastIndex((task) => task.at <= at) + 1;
    this.#tasks.splice(position, 0, { at, run });
    if (position === 0) this.#setTimer();
  }

  /** Advances by milliseconds and runs the due tasks in order. Throws Error for a clock that runs by itself. */
  advance(by: number): void {
    if (this.#frozenAt === undefined) throw new Error('only a clock that does not run by itself can be advanced');
    const until = this.#frozenAt + by;
    this.#runUntil(until);
    this.#frozenAt = until;
  }

  /** Stops the clock until `resume`. */
  pause(): void {
    clearTimeout(this.#timer);
    this.#frozenAt = this.now();
  }

  /** Lets the clock run again, from its present time. Throws Error for a manual clock. */
  resume(): void {
    if (this.#isFixed) throw new Error('a manual clock does not run by itself');
    if (this.#frozenAt === undefined) return;
    this.#ahead = this.#frozenAt - Date.now();
    this.#frozenAt = undefined;
    this.#setTimer();
  }

  /** Ends repeating the past: advances to the time of the system, and runs. Does nothing for a manual clock. */
  catchUp(): void {
    if (this.#isFixed || this.#frozenAt === undefined) return;
    this.advance(Math.max(0, Date.now() - this.#frozenAt));
    this.resume();
  }

  /** Runs all pending tasks now, and those that they add, in order. */
  flush(): void {
    const isRunning = !this.manual;
    this.pause();
    for (let next = this.#tasks.shift(); next !== undefined; next = this.#tasks.shift()) next.run();
    if (isRunning) this.resume();
  }

  /** Drops all pending tasks. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#tasks = [];
  }

  #runUntil(time: number): void {
    for (let due = this.#tasks[0]; due !== undefined && due.at <= time; due = this.#tasks[0]) {
      this.#tasks.shift();
      if (this.#frozenAt !== undefined) this.#frozenAt = Math.max(this.#frozenAt, due.at);
      due.run();
    }
  }

  #setTimer(): void {
    clearTimeout(this.#timer);
    const next = this.#tasks[0];
    if (this.#frozenAt !== undefined || next === undefined) return;
    const due = Math.min(next.at, this.now() + MAX_TIMER);
    const run = (): void => {
      // It is as late as that, even if the clock of the system was set back meanwhile.
      this.#runUntil(Math.max(due, this.now()));
      this.#setTimer();
    };
    this.#timer = setTimeout(run, Math.max(0, due - this.now())).unref();
  }
}
