/** Paces the requests of all watches. */
import type { Clock } from '../../logs/stream/clock.ts';

/** Milliseconds between two requests of all watches together. */
const GAP = 1000;

/** A watch, as far as its requests are concerned. */
interface ScheduledWatch {
  /** milliseconds since the epoch; infinite while nothing is to be sent */
  readonly dueAt: number;
  /** Sends one request, and sets `dueAt` anew. Rejects only if the signal fires. */
  poll(signal: AbortSignal): Promise<void>;
}

interface SchedulerOptions {
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** false while nothing may be sent */
  readonly isAllowed: () => boolean;
  readonly getWatches: () => Iterable<ScheduledWatch>;
  /** called when no other watch is due within a second */
  readonly onIdle: () => void;
}

/** Polls watches one after the other, at most one a second, whichever is due longest first. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  #wake = new AbortController();
  #nextAt = 0;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Looks again at what is due: after a watch was added, or `isAllowed` or `dueAt` changed. */
  wakeUp(): void {
    this.#wake.abort();
  }

  /** Polls until the signal fires. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, isAllowed, getWatches, onIdle } = this.#options;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const [next] = [...getWatches()].sort((one, other) => one.dueAt - other.dueAt);
      const at = next === undefined || !isAllowed() ? Infinity : Math.max(next.dueAt, this.#nextAt);
      if (at > clock.now() + GAP) onIdle();
      if (at > clock.now()) {
        // A timer cannot wait longer; woken early, or stopped.
        const milliseconds = Math.min(at - clock.now(), 24 * 60 * 60_000);
        await clock.sleep(milliseconds, AbortSignal.any([signal, this.#wake.signal])).catch(() => undefined);
        continue;
      }
      this.#nextAt = clock.now() + GAP;
      await next?.poll(signal).catch(() => undefined);
    }
  }
}
