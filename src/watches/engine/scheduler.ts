/** Paces the requests of all watches. */
import type { Clock } from '../../model/clock.ts';

/** Milliseconds between two requests of all watches together. */
const GAP = 1000;

/** A watch, as far as its requests are concerned. */
interface ScheduledWatch {
  /** one request at a time is sent on each */
  readonly connection: string;
  /** milliseconds since the epoch; infinite while nothing is to be sent */
  readonly dueAt: number;
  /** Sends one request, and sets `dueAt` anew. Rejects only if the signal fires. */
  readonly poll: (signal: AbortSignal) => Promise<void>;
}

interface SchedulerOptions {
  readonly clock: Clock;
  /** false while nothing may be sent */
  readonly isAllowed: () => boolean;
  readonly getWatches: () => Iterable<ScheduledWatch>;
  /** called when no other watch is due within a second, and no request was sent in the last one that has no response yet */
  readonly onIdle: () => void;
}

/**
 * Polls watches, at most one a second, whichever is due longest first. A poll without a response delays only those of its
 * connection.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  /** connections with a poll that has no response yet */
  readonly #polled = new Set<string>();
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
      const [next] = (isAllowed() ? [...getWatches()] : [])
        .filter(({ connection }) => !this.#polled.has(connection))
        .sort((one, other) => one.dueAt - other.dueAt);
      // After the clock was set back, the last request may have been in the future.
      this.#nextAt = Math.min(this.#nextAt, clock.now() + GAP);
      const isPolling = this.#polled.size > 0 && this.#nextAt > clock.now();
      const at = isPolling ? this.#nextAt : Math.max(next?.dueAt ?? Infinity, this.#nextAt);
      if (at > clock.now() + GAP) onIdle();
      if (at > clock.now()) {
        // A timer cannot wait longer; woken early, or stopped.
        const milliseconds = Math.min(at - clock.now(), 24 * 60 * 60_000);
        await clock.sleep(milliseconds, AbortSignal.any([signal, this.#wake.signal])).catch(() => undefined);
        continue;
      }
      this.#nextAt = clock.now() + GAP;
      if (next !== undefined) void this.#poll(next, signal);
    }
  }

  async #poll({ connection, poll }: ScheduledWatch, signal: AbortSignal): Promise<void> {
    this.#polled.add(connection);
    await poll(signal).catch(() => undefined);
    this.#polled.delete(connection);
    this.wakeUp();
  }
}
