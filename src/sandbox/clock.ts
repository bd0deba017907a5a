/** The clock of the sandbox: the system clock, or a manual one for tests. */

export interface Clock {
  /** only `advance` moves it: a manual clock, and a system clock that is paused or repeats the past */
  readonly manual: boolean;
  /** milliseconds since 1970 */
  now(): number;
  /** Runs `task` after `delay` milliseconds of this clock. */
  after(delay: number, task: () => void): void;
  /** Advances by milliseconds and runs the due tasks in order. Throws for a clock that runs by itself. */
  advance(by: number): void;
  /** Stops the clock until `resume`. */
  pause(): void;
  /** Lets the clock of the system run again, from its present time. Throws for a manual clock. */
  resume(): void;
  /** Ends repeating the past: advances to the time of the system. Does nothing for other clocks. */
  catchUp(): void;
  /** Runs all pending tasks now, and those that they add, in order. */
  flush(): void;
  /** Drops all pending tasks. */
  stop(): void;
}

interface Task {
  /** milliseconds since 1970 */
  readonly at: number;
  readonly task: () => void;
}

class SystemClock implements Clock {
  readonly #timers = new Map<NodeJS.Timeout, Task>();
  /** moves the time while this clock does not run by itself */
  #manual: ManualClock | undefined;
  /** milliseconds by which it is ahead of the system's clock */
  #ahead = 0;

  constructor(past: ManualClock | undefined) {
    this.#manual = past;
  }

  get manual(): boolean {
    return this.#manual !== undefined;
  }

  now(): number {
    return this.#manual?.now() ?? Date.now() + this.#ahead;
  }

  after(delay: number, task: () => void): void {
    if (this.#manual !== undefined) {
      this.#manual.after(delay, task);
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      task();
    }, delay);
    this.#timers.set(timer.unref(), { at: this.now() + delay, task });
  }

  advance(by: number): void {
    if (this.#manual === undefined) throw new Error('only a clock that does not run by itself can be advanced');
    this.#manual.advance(by);
  }

  pause(): void {
    if (this.#manual !== undefined) return;
    const manual = new ManualClock(this.now());
    for (const { at, task } of this.#timers.values()) manual.after(at - manual.now(), task);
    this.stop();
    this.#manual = manual;
  }

  resume(): void {
    const manual = this.#manual;
    if (manual === undefined) return;
    this.#manual = undefined;
    this.#ahead = manual.now() - Date.now();
    for (const { at, task } of manual.tasks) this.after(at - manual.now(), task);
  }

  catchUp(): void {
    this.#manual?.advance(Math.max(0, Date.now() - this.now()));
    this.resume();
  }

  flush(): void {
    const isRunning = !this.manual;
    this.pause();
    this.#manual?.flush();
    if (isRunning) this.resume();
  }

  stop(): void {
    for (const timer of this.#timers.keys()) clearTimeout(timer);
    this.#timers.clear();
  }
}

class ManualClock implements Clock {
  readonly manual = true;
  #now: number;
  #tasks: Task[] = [];

  /** What is not due yet. */
  get tasks(): readonly Task[] {
    return this.#tasks;
  }

  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(delay: number, task: () => void): void {
    const at = this.#now + Math.max(0, delay);
    let position = this.#tasks.length;
    while (position > 0 && (this.#tasks[position - 1]?.at ?? at) > at) position--;
    this.#tasks.splice(position, 0, { at, task });
  }

  advance(by: number): void {
    const until = this.#now + by;
    for (let due = this.#tasks[0]; due !== undefined && due.at <= until; due = this.#tasks[0]) {
      this.#tasks.shift();
      this.#now = due.at;
      due.task();
    }
    this.#now = until;
  }

  pause(): void {
    // Only `advance` changes this clock.
  }

  resume(): void {
    throw new Error('a manual clock does not run by itself');
  }

  catchUp(): void {
    // Only `advance` changes this clock.
  }

  flush(): void {
    for (let next = this.#tasks.shift(); next !== undefined; next = this.#tasks.shift()) next.task();
  }

  stop(): void {
    this.#tasks = [];
  }
}

/** Default start of a manual clock. */
const MANUAL_START = Date.parse('2026-03-02T10:00:00.000Z');

/** `start`: milliseconds since 1970, for a manual clock, or for a system clock that repeats the past until it catches up. */
export function createClock(kind: 'system' | 'manual', start?: number, repeatsPast = false): Clock {
  if (kind === 'manual') return new ManualClock(start ?? MANUAL_START);
  return new SystemClock(repeatsPast && start !== undefined ? new ManualClock(start) : undefined);
}
