import { delay } from '../platform/http/retry.ts';

/** The time, replaced in tests. */
export interface Clock {
  /** milliseconds since the epoch */
  now(): number;
  /** Resolves after `milliseconds`. Rejects when the signal fires. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** A clock with timers. */
export interface TimerClock extends Clock {
  /** Calls `run` once after `milliseconds`. Returns a function that cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}

/** The clock of this machine. */
export const systemClock: TimerClock = {
  now: Date.now,
  sleep: delay,
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
