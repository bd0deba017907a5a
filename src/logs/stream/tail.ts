import * as l10n from '@vscode/l10n';
import { PlatformError } from '../../platform/errors.ts';
import type { AnyQuery } from '../../platform/operation.ts';
import type { Page } from '../../platform/page.ts';
import { observeProgress } from '../../platform/requests/progress.ts';
import { pluralize } from '../../platform/text/localization.ts';
import { EntryReader, type EntryReaderOptions } from './entry-reader.ts';

// All times are milliseconds.
const MAX_IDLE_WAIT = 20_000;
const MAX_BACKOFF = 20_000;
/** Upper bound of Retry-After: a server may send hours. */
const MAX_RETRY_AFTER = 60_000;
/** Wait if only Refresh is likely to change anything: after a poll that reached its limit, and for a range in the past. */
const REST = 10 * 60_000;
/** Longest time to wait for a response. */
const REQUEST_TIMEOUT = 30_000;

export interface TailOptions extends EntryReaderOptions {
  /** Reads one page of the list. Rejects with PlatformError. */
  readonly read: (query: AnyQuery, options: { readonly signal: AbortSignal }) => Promise<Page>;
}

type TailPhase = 'waiting' | 'reading' | 'live' | 'idle' | 'ended' | 'stale';

/** Follows the action logs of one stream: polls, waits longer while nothing new comes, and backs off on failure. */
export class Tail {
  readonly reader: EntryReader;
  readonly #options: TailOptions;
  /** consecutive polls that failed; a poll that read pages before shows that the platform is up */
  #failures = 0;
  #pagesRead = 0;
  #lastSuccess: number;
  #idlePolls = 0;
  #phase: TailPhase = 'waiting';
  #error: unknown;
  #wake: AbortController | undefined;
  /** the next poll reads everything again */
  #refresh = false;
  /** a poll was requested during another; if that fails, the next follows at once */
  #pollRequested = false;
  /** set while the current request is overdue */
  #slowError: PlatformError | undefined;
  #requestAbort: AbortController | undefined;

  constructor(options: TailOptions) {
    this.#options = options;
    this.#lastSuccess = options.clock.now();
    this.reader = new EntryReader(options, (query, signal) => this.#request(query, signal));
  }

  get phase(): TailPhase {
    return this.#slowError === undefined ? this.#phase : 'stale';
  }

  /** Time of the last success, and the error since then. */
  get failure(): { readonly since: number; readonly error: unknown } | undefined {
    const error = this.#slowError ?? (this.#failures > 0 ? this.#error : undefined);
    return error === undefined ? undefined : { since: this.#lastSuccess, error };
  }

  /** Polls until the signal fires. A later call continues. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    // The phase from before the pause may be outdated.
    this.#phase = 'waiting';
    while (!signal.aborted) {
      const wait = await this.poll(signal);
      const wake = (this.#wake = new AbortController());
      // Woken early, or stopped.
      await this.#options.clock.sleep(wait, AbortSignal.any([signal, wake.signal])).catch(() => undefined);
    }
  }

  /** Polls once. Resolves to the milliseconds to wait before the next poll. Never rejects. */
  async poll(signal: AbortSignal): Promise<number> {
    const { clock } = this.#options;
    const refresh = this.#refresh;
    this.#refresh = this.#pollRequested = false;
    const pagesBefore = this.#pagesRead;
    try {
      if (this.#phase === 'waiting') this.#setPhase('reading');
      const newCount = await this.reader.read(refresh, signal);
      this.#failures = 0;
      this.#lastSuccess = clock.now();
      this.#idlePolls = newCount > 0 ? 0 : this.#idlePolls + 1;
      this.#setPhase(this.reader.ended ? 'ended' : this.#idlePolls > 2 ? 'idle' : 'live');
      return this.#getWait();
    } catch (error) {
      this.#refresh ||= refresh;
      if (signal.aborted) return 0;
      this.#failures = this.#pagesRead > pagesBefore ? 1 : this.#failures + 1;
      this.#error = error;
      this.#setPhase('stale');
      return this.#getFailureWait(error);
    }
  }

  /** Ends the wait and polls at once. Aborts an overdue request. */
  pollNow(): void {
    this.#pollRequested = true;
    if (this.#slowError !== undefined) this.#requestAbort?.abort();
    this.#wakeUp();
  }

  /** Polls at once, and reads again all that is loaded. */
  refresh(): void {
    this.#refresh = true;
    this.pollNow();
  }

  /** Reads about `count` older entries in the next poll, which starts at once. */
  readOlder(count: number): void {
    if (this.reader.complete || this.reader.olderWanted >= count) return;
    this.reader.requestOlder(count);
    this.#options.changed();
    // After a failure the next poll waits for its time: scrolling must not override the backoff.
    if (this.#failures === 0) this.#wakeUp();
  }

  /**
   * Sends one request. Rejects with PlatformError, code `timeout` if the response is overdue, `rateLimited` if the platform
   * asks for a wait that makes it overdue.
   */
  async #request(query: AnyQuery, signal: AbortSignal): Promise<Page> {
    const { clock, interval, read, changed } = this.#options;
    const startedAt = clock.now();
    const requestAbort = (this.#requestAbort = new AbortController());
    const createTimeoutError = (): PlatformError =>
      new PlatformError(
        'timeout',
        pluralize(
          Math.round((clock.now() - startedAt) / 1000),
          l10n.t('The platform has not responded for {0} second|The platform has not responded for {0} seconds'),
        ),
      );
    let askedToWait: PlatformError | undefined;
    const endLongWait = (sentence: string, wait = 0): void => {
      if (wait <= 2 * interval) return;
      askedToWait = new PlatformError('rateLimited', sentence, { retryAfter: wait });
      requestAbort.abort();
    };
    const cancels = [
      clock.after(2 * interval, () => {
        this.#slowError = createTimeoutError();
        changed();
      }),
      clock.after(REQUEST_TIMEOUT, () => requestAbort.abort()),
    ];
    try {
      const page = await observeProgress(endLongWait, () =>
        read(query, { signal: AbortSignal.any([signal, requestAbort.signal]) }),
      );
      this.#pagesRead++;
      return page;
    } catch (error) {
      if (!requestAbort.signal.aborted || signal.aborted) throw error;
      throw askedToWait ?? createTimeoutError();
    } finally {
      for (const cancel of cancels) cancel();
      if (this.#slowError !== undefined) {
        this.#slowError = undefined;
        changed();
      }
    }
  }

  #wakeUp(): void {
    this.#idlePolls = 0;
    this.#wake?.abort();
  }

  #getWait(): number {
    if (this.#pollRequested || this.reader.olderWanted > 0) return 0;
    const { interval } = this.#options;
    return this.reader.ended ? REST : Math.min(Math.max(interval, MAX_IDLE_WAIT), interval * 1.5 ** this.#idlePolls);
  }

  #getFailureWait(error: unknown): number {
    if (this.reader.exhausted && !this.#pollRequested) return REST;
    const retryAfter = error instanceof PlatformError ? (error.detail.retryAfter ?? 0) : 0;
    const backoff = Math.min(MAX_BACKOFF, this.#options.interval * 2 ** Math.min(this.#failures, 10));
    return Math.max(Math.min(retryAfter, MAX_RETRY_AFTER), this.#pollRequested ? 0 : backoff);
  }

  #setPhase(phase: TailPhase): void {
    this.#phase = phase;
    this.#options.changed();
  }
}
