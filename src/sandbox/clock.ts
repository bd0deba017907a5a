/** The sandbox's time: the machine's, or one that stands still until it is advanced. */

export interface Clock {
  readonly manual: boolean;
  /** milliseconds since 1970 */
  now(): number;
  /** Runs `task` after `delay` milliseconds of this clock's time. */
  after(delay: number, task: () => void): void;
  /** Moves a manual clock and runs what falls due, in order of time; a clock that runs by itself refuses. */
  advance(by: number): void;
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
    let place = this.#tasks.length;
    while (place > 0 && (this.#tasks[place - 1]?.at ?? at) > at) place--;
    this.#tasks.splice(place, 0, { at, task });
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

/** Where a manual clock starts when nothing else is asked for. */
export const MANUAL_START = Date.parse('2026-03-02T10:00:00.000Z');

export function makeClock(kind: 'system' | 'manual', start?: number): Clock {
  return kind === 'manual' ? new ManualClock(start ?? MANUAL_START) : new SystemClock();
}
