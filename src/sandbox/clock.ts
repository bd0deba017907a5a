/** The clock of the sandbox: the system clock, or a manual one for tests. */

export interface Clock {
  readonly manual: boolean;
  /** milliseconds since 1970 */
  now(): number;
  /** Runs `task` after `delay` milliseconds of this clock. */
  after(delay: number, task: () => void): void;
  /** Advances a manual clock by milliseconds and runs the due tasks in order. Throws for the system clock. */
  advance(by: number): void;
  /** Drops all pending tasks. */
  stop(): void;
}

class SystemClock implements Clock {
  readonly manual = false;
  readonly #timers = new Set<NodeJS.Timeout>();

  now(): number {
    return Date.now();
  }

  after(delay: number, task: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      task();
    }, delay);
    this.#timers.add(timer.unref());
  }

  advance(): void {
    throw new Error('only a manual clock can be advanced');
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

  stop(): void {
    this.#tasks = [];
  }
}

/** Default start of a manual clock. */
const MANUAL_START = Date.parse('2026-03-02T10:00:00.000Z');

/** `start`: milliseconds since 1970, for a manual clock. */
export function createClock(kind: 'system' | 'manual', start?: number): Clock {
  return kind === 'manual' ? new ManualClock(start ?? MANUAL_START) : new SystemClock();
}
