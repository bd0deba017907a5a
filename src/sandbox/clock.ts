/** The clock of the sandbox: the system clock, or a manual one for tests. */

export interface Clock {
  readonly manual: boolean;
  /** milliseconds since 1970 */
  now(): number;
  /** Runs `task` after `delay` milliseconds of this clock. */
  after(delay: number, task: () => void): void;
  /** Advances a manual clock, or one that repeats the past, by milliseconds and runs the due tasks in order. Throws for others. */
  advance(by: number): void;
  /** Ends repeating the past: advances to the time of the system. Does nothing for other clocks. */
  catchUp(): void;
  /** Drops all pending tasks. */
  stop(): void;
}

class SystemClock implements Clock {
  readonly manual = false;
  readonly #timers = new Set<NodeJS.Timeout>();
  #past: ManualClock | undefined;

  constructor(past: ManualClock | undefined) {
    this.#past = past;
  }

  now(): number {
    return this.#past?.now() ?? Date.now();
  }

  after(delay: number, task: () => void): void {
    if (this.#past !== undefined) {
      this.#past.after(delay, task);
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      task();
    }, delay);
    this.#timers.add(timer.unref());
  }

  advance(by: number): void {
    if (this.#past === undefined) throw new Error('only a manual clock can be advanced');
    this.#past.advance(by);
  }

  catchUp(): void {
    const past = this.#past;
    if (past === undefined) return;
    past.advance(Math.max(0, Date.now() - past.now()));
    this.#past = undefined;
    for (const { at, task } of past.tasks) this.after(at - past.now(), task);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}

class ManualClock implements Clock {
  readonly manual = true;
  #now: number;
  #tasks: { readonly at: number; readonly task: () => void }[] = [];

  /** What is not due yet. */
  get tasks(): readonly { readonly at: number; readonly task: () => void }[] {
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

  catchUp(): void {
    // Only `advance` changes this clock.
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
