import { delay } from '../../platform/http/retry.ts';

/** Time and timers, replaced in tests. */
export interface Clock {
  /** milliseconds since the epoch */
  now(): number;
  /** Resolves after `milliseconds`. Rejects when the signal fires. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Calls `run` once after `milliseconds`. Returns a function that cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: Date.now,
  sleep: delay,
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
