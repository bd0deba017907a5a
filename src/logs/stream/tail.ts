import * as l10n from '@vscode/l10n';
import { pluralize } from '../../platform/text/localization.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { AnyQuery } from '../../platform/operation.ts';
import type { Item, Page } from '../../platform/page.ts';
import { parseEntry, type LogEntry } from '../entry.ts';
import { PendingEntries } from './pending-entries.ts';
import { getOldestTime, WindowScheduler } from './window-scheduler.ts';
import { Settler } from './settler.ts';
import type { TailOptions } from './tail-options.ts';
import { WindowReader } from './window-reader.ts';

interface TailState {
  readonly phase: 'waiting' | 'reading' | 'live' | 'idle' | 'ended' | 'stale';
  /** time of the last success, and the error since then */
  readonly failure?: { readonly since: number; readonly error: unknown };
  /** everything newer has been read: milliseconds since the epoch; `undefined` before the first poll */
  readonly reached: number | undefined;
  /** the range has no older entries */
  readonly complete: boolean;
  /** older entries are being read */
  readonly readingOlder: boolean;
  /** number of entries without an id */
  readonly unreadable: number;
  /** the list went on without new entries, and reading stopped */
  readonly endless: boolean;
}

// All times are milliseconds.
const MAX_IDLE_WAIT = 20_000;
const MAX_BACKOFF = 20_000;
/** Upper bound of Retry-After: a server may send hours. */
const MAX_RETRY_AFTER = 60_000;
/** Shortest wait between polls that read many entries again. */
const MIN_WAIT = 500;
const ENDED_WAIT = 60_000;
/** Wait after a poll that hit its page limit. */
const EXHAUSTED_WAIT = 10 * 60_000;
/** A request without an answer for this long, and at least two intervals, makes the state stale. */
const MIN_SILENCE = 5000;
/** Longest time to wait for an answer. */
const MAX_REQUEST_TIMEOUT = 30_000;
const MAX_UNREADABLE = 1000;

/**
 * Follows the action logs of one stream: polls, waits longer while nothing new comes, and backs off on failure. The
 * scheduler chooses the windows to read, the settler reads pending entries again.
 */
export class Tail {
  readonly #options: TailOptions;
  readonly #scheduler: WindowScheduler;
  readonly #pending: PendingEntries;
  readonly #settler: Settler;
  readonly #reader: WindowReader;
  /** JSON of entries without an id, so that rereading does not count them twice */
  readonly #unreadable = new Set<string>();
  #knownId: string | undefined;
  #failures = 0;
  /** consecutive polls that failed before reading a page */
  #failuresWithoutPage = 0;
  #pagesRead = 0;
  #lastSuccess: number;
  #idlePolls = 0;
  #phase: TailState['phase'] = 'waiting';
  #error: unknown;
  #wake: AbortController | undefined;
  /** a poll was requested during another; if that fails, the next follows at once */
  #pollRequested = false;
  /** set while the current request is overdue */
  #slowError: PlatformError | undefined;
  #requestAbort: AbortController | undefined;
  /** consecutive requests that were aborted as overdue */
  #timeouts = 0;
  /** milliseconds of the slowest recent answer */
  #slowestResponse: number | undefined;

  constructor(options: TailOptions) {
    this.#options = options;
    this.#lastSuccess = options.clock.now();
    this.#pending = new PendingEntries(options);
    const reader = (this.#reader = new WindowReader({
      read: (query, { signal }) => this.#request(query, signal),
      query: options.query,
      limit: options.pageSize,
      dateResolution: options.dateResolution,
      onItems: (items, from) => {
        this.#addItems(items, from);
      },
      getKnownId: () => this.#knownId,
    }));
    this.#scheduler = new WindowScheduler(options, reader);
    this.#settler = new Settler({
      ...options,
      reader,
      pending: this.#pending,
      readWindow: (from, to, signal) => this.#scheduler.readWindow(from, to, signal),
      addItems: (items) => {
        this.#addItems(items, 0);
      },
    });
  }

  get state(): TailState {
    const slowError = this.#slowError;
    const failed = this.#failures > 0 || slowError !== undefined;
    return {
      phase: slowError === undefined ? this.#phase : 'stale',
      ...(failed && { failure: { since: this.#lastSuccess, error: slowError ?? this.#error } }),
      reached: this.#scheduler.reached,
      complete: this.#scheduler.complete,
      readingOlder: this.#scheduler.olderWanted > 0,
      unreadable: this.#unreadable.size,
      endless: this.#reader.endless,
    };
  }

  /** Number of pending entries that will be read again. */
  get pendingCount(): number {
    return this.#pending.size;
  }

  /** Polls until the signal fires. A later call continues. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    // The phase from before the pause may be outdated.
    this.#phase = 'waiting';
    while (!signal.aborted) await this.#wait(await this.poll(signal), signal);
  }

  /** Polls once. Resolves to the milliseconds to wait before the next poll. Never rejects. */
  async poll(signal: AbortSignal): Promise<number> {
    this.#pollRequested = false;
    const pagesBefore = this.#pagesRead;
    const startedAt = this.#options.clock.now();
    try {
      this.#setPhase('reading');
      const newCount = await this.readOnce(signal);
      this.#failures = this.#failuresWithoutPage = 0;
      this.#lastSuccess = this.#options.clock.now();
      const wait = this.#getWait(newCount, this.#lastSuccess - startedAt);
      this.#setPhase(this.#ended ? 'ended' : this.#idlePolls > 2 ? 'idle' : 'live');
      return this.#ended ? ENDED_WAIT : wait;
    } catch (error) {
      if (signal.aborted) return 0;
      this.#failures++;
      // A poll that read pages before failing shows that the platform is up, so the backoff starts over.
      this.#failuresWithoutPage = this.#pagesRead > pagesBefore ? 1 : this.#failuresWithoutPage + 1;
      this.#error = error;
      const wait = this.#getFailureWait(error);
      this.#setPhase('stale');
      return wait;
    }
  }

  /** Ends the wait and polls at once. Aborts an overdue request. */
  pollNow(): void {
    this.#pollRequested = true;
    this.#reader.extendIdlePages();
    if (this.#slowError !== undefined) this.#requestAbort?.abort();
    this.#wakeUp();
  }

  /** Sends one request. Rejects with PlatformError, code `timeout` if the answer is overdue. */
  async #request(query: AnyQuery, signal: AbortSignal): Promise<Page> {
    const { clock, interval, read, changed } = this.#options;
    const startedAt = clock.now();
    const silence = Math.max(MIN_SILENCE, 2 * interval);
    const timeout = Math.min(
      MAX_REQUEST_TIMEOUT,
      Math.max(silence, 3 * (this.#slowestResponse ?? silence)) * 2 ** this.#timeouts,
    );
    const requestAbort = (this.#requestAbort = new AbortController());
    const createTimeoutError = (): PlatformError => {
      const seconds = Math.round((clock.now() - startedAt) / 1000);
      return new PlatformError(
        'timeout',
        pluralize(
          seconds,
          l10n.t('The platform has not responded for {0} second|The platform has not responded for {0} seconds'),
        ),
      );
    };
    const cancels = [
      clock.after(silence, () => {
        this.#slowError = createTimeoutError();
        changed();
      }),
      clock.after(timeout, () => {
        requestAbort.abort();
      }),
    ];
    try {
      const page = await read(query, { signal: AbortSignal.any([signal, requestAbort.signal]) });
      this.#pagesRead++;
      this.#timeouts = 0;
      this.#slowestResponse = Math.max(clock.now() - startedAt, (this.#slowestResponse ?? 0) * 0.9);
      return page;
    } catch (error) {
      if (!requestAbort.signal.aborted || signal.aborted) throw error;
      this.#timeouts++;
      throw createTimeoutError();
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

  /** Reads about `count` older entries in the next poll, which starts at once. */
  readOlder(count: number): void {
    if (this.#scheduler.complete || this.#scheduler.olderWanted >= count) return;
    this.#scheduler.requestOlder(count);
    this.#options.changed();
    // After a failure the next poll waits for its time: scrolling must not override the backoff.
    if (this.#failures === 0) this.#wakeUp();
  }

  /** Reads dropped entries again, from `time` backwards. */
  rereadFrom(time: number): void {
    this.#scheduler.rereadFrom(time);
    if (this.#scheduler.olderWanted > 0 && this.#failures === 0) this.#wakeUp();
  }

  /** Reads new and pending entries once. Resolves to the number of new entries. Rejects with PlatformError. */
  async readOnce(signal: AbortSignal): Promise<number> {
    let newCount = 0;
    this.#countAdded = (added) => (newCount += added);
    this.#reader.resetPageCount();
    await this.#scheduler.poll(signal);
    this.#pending.removeBefore(getOldestTime(this.#options.buffer));
    // A list filtered by status does not show what has settled, so pending entries are read by id.
    const before = this.#options.query['status'] === undefined ? this.#scheduler.pendingBefore : Infinity;
    await this.#settler.poll(before, signal);
    return newCount;
  }

  #countAdded: (added: number) => void = () => undefined;

  get #ended(): boolean {
    return this.#options.to !== undefined && this.#scheduler.complete && this.#pending.size === 0;
  }

  #addItems(items: readonly Item[], from: number): void {
    const { buffer, addEntries, connection } = this.#options;
    const now = this.#options.clock.now();
    // A page can contain two states of one log.
    const entries = new Map<string, LogEntry>();
    for (const { raw } of items) {
      const entry = parseEntry(connection, raw, from === 0 ? now : from, (key) => entries.get(key) ?? buffer.get(key));
      if (entry === undefined) {
        if (this.#unreadable.size < MAX_UNREADABLE) this.#unreadable.add(JSON.stringify(raw).slice(0, 1000));
        continue;
      }
      this.#knownId = entry.id;
      entries.set(entry.key, entry);
      this.#pending.update(entry, now);
    }
    const unknown = [...entries.values()].filter(({ key }) => buffer.get(key) === undefined);
    this.#countAdded(addEntries([...entries.values()]));
    const added = unknown.filter(({ key }) => buffer.get(key) !== undefined);
    if (added.length > 0) this.#scheduler.recordDelays(added);
  }

  /** `duration`: milliseconds of the poll */
  #getWait(newCount: number, duration: number): number {
    const { interval } = this.#options;
    this.#idlePolls = newCount > 0 || this.#scheduler.olderWanted > 0 ? 0 : this.#idlePolls + 1;
    // Recent pending entries may settle any moment.
    const maxWait = this.#pending.hasRecent(this.#options.clock.now())
      ? interval * 2
      : Math.max(interval, MAX_IDLE_WAIT);
    return Math.min(maxWait, interval * 1.5 ** this.#idlePolls, Math.max(MIN_WAIT, this.#scheduler.maxWait - duration));
  }

  #getFailureWait(error: unknown): number {
    if (this.#reader.exhausted && !this.#pollRequested) return EXHAUSTED_WAIT;
    const retryAfter = error instanceof PlatformError ? (error.detail.retryAfter ?? 0) : 0;
    const backoff = Math.min(MAX_BACKOFF, this.#options.interval * 2 ** Math.min(this.#failuresWithoutPage, 10));
    return Math.max(Math.min(retryAfter, MAX_RETRY_AFTER), this.#pollRequested ? 0 : backoff);
  }

  #setPhase(phase: TailState['phase']): void {
    if (phase === 'reading' && this.#phase !== 'waiting') return;
    this.#phase = phase;
    this.#options.changed();
  }

  async #wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    const wake = new AbortController();
    this.#wake = wake;
    try {
      await this.#options.clock.sleep(milliseconds, AbortSignal.any([signal, wake.signal]));
    } catch {
      // Woken early, or stopped.
    }
  }
}
