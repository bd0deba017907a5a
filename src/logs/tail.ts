/**
 * Pure: follows the action logs of one stream: looks, waits longer where nothing comes, backs off where it fails, and says
 * since when. What a look reads is told in reading.ts; entries that have not settled are looked at again, see settle.ts.
 */
import { PlatformError } from '../platform/errors.ts';
import type { AnyQuery } from '../platform/operation.ts';
import type { Item, Page } from '../platform/page.ts';
import { entryOf, type LogEntry } from './entry.ts';
import { OpenEntries } from './open-entries.ts';
import { oldestOf, Reading } from './reading.ts';
import { Settler } from './settle.ts';
import { Windows, type ReadPage } from './windows.ts';

export interface TailClock {
  /** milliseconds since the epoch */
  now(): number;
  /** Rejects when the signal fires. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Runs something once, later. Returns a function that cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}

/** What is held of all streams; the tail asks it how dense a stretch of time is. */
export interface Held {
  get(key: string): LogEntry | undefined;
  timeBack(count: number): number | undefined;
  timeAfter(from: number, count: number): number | undefined;
  countBetween(from: number, to: number): number;
  readonly full: boolean;
  /** what is older was left behind */
  readonly least: number;
}

export interface TailOptions {
  readonly connection: string;
  readonly read: ReadPage;
  /** filters of the endpoint, without dates */
  readonly query: AnyQuery;
  /** 1 to 100 */
  readonly pageSize: number;
  /** milliseconds that the connection's form of dates tells apart */
  readonly grain: number;
  readonly clock: TailClock;
  /** the platform's clock, in milliseconds since the epoch, where it is known */
  readonly serverNow?: () => number;
  /** milliseconds between two looks */
  readonly interval: number;
  /** where the range begins; absent: as far back as is asked for */
  readonly from?: number | undefined;
  /** where it ends; with an end nothing new is looked for */
  readonly to?: number | undefined;
  readonly held: Held;
  /** Holds the entries of one page; tells how many were new. */
  readonly take: (entries: readonly LogEntry[]) => number;
  /** entries that no longer pass the filter */
  readonly gone: (ids: readonly string[]) => void;
  /** the state is another */
  readonly changed: () => void;
}

export interface TailState {
  readonly phase: 'waiting' | 'reading' | 'live' | 'idle' | 'ended' | 'stale';
  /** the first look since which none succeeded, and why */
  readonly failure?: { readonly since: number; readonly error: unknown };
  /** everything from here to the newest has been read; `undefined` before the first look */
  readonly reached: number | undefined;
  /** nothing older is in the range */
  readonly complete: boolean;
  readonly older: boolean;
  readonly unreadable: number;
  /** the list went on without anything new, and was left */
  readonly endless: boolean;
}

const MOST_IDLE = 20_000;
const MOST_BACKOFF = 20_000;
/** A server may ask for hours: a view is not still for so long. */
const MOST_ASKED = 60_000;
/** Between two looks that go over many entries: milliseconds. */
const LEAST_WAIT = 500;
const ENDED_WAIT = 60_000;
/** After a look that read as many pages as it may. */
const EXHAUSTED_WAIT = 10 * 60_000;
/** Milliseconds without an answer after which the state says so, or two intervals if those are longer. */
const LEAST_SILENCE = 5000;
/** Longest time that a request is waited for: milliseconds. */
const MOST_PATIENCE = 30_000;
const MOST_UNREADABLE = 1000;
export class Tail {
  readonly #options: TailOptions;
  readonly #reading: Reading;
  readonly #open: OpenEntries;
  readonly #settler: Settler;
  readonly #windows: Windows;
  /** entries without an id, by their JSON: the same one is read again and again */
  readonly #unreadable = new Set<string>();
  #known: string | undefined;
  #failures = 0;
  /** looks in a row that failed before they had read a page */
  #barren = 0;
  /** pages that were read */
  #answers = 0;
  #lastGood: number;
  #quiet = 0;
  #phase: TailState['phase'] = 'waiting';
  #error: unknown;
  #wake: AbortController | undefined;
  /** asked for during a look; should that one fail, another comes at once */
  #hurried = false;
  /** the request under way has not been answered for a while */
  #silence: PlatformError | undefined;
  #giveUp: AbortController | undefined;
  /** requests in a row that were given up */
  #givenUp = 0;
  /** milliseconds that the slowest of the last answers took */
  #slowest: number | undefined;

  constructor(options: TailOptions) {
    this.#options = options;
    this.#lastGood = options.clock.now();
    this.#open = new OpenEntries(options);
    const windows = (this.#windows = new Windows({
      read: (query, { signal }) => this.#ask(query, signal),
      query: options.query,
      limit: options.pageSize,
      grain: options.grain,
      take: (items, from) => {
        this.#take(items, from);
      },
      knownId: () => this.#known,
    }));
    this.#reading = new Reading(options, windows);
    this.#settler = new Settler({
      ...options,
      windows,
      open: this.#open,
      slice: (from, to, signal) => this.#reading.slice(from, to, signal),
      took: (items) => {
        this.#take(items, 0);
      },
    });
  }

  get state(): TailState {
    const silence = this.#silence;
    const failed = this.#failures > 0 || silence !== undefined;
    return {
      phase: silence === undefined ? this.#phase : 'stale',
      ...(failed && { failure: { since: this.#lastGood, error: silence ?? this.#error } }),
      reached: this.#reading.reached,
      complete: this.#reading.complete,
      older: this.#reading.wanted > 0,
      unreadable: this.#unreadable.size,
      endless: this.#windows.endless,
    };
  }

  /** Open entries that will be looked at again. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Looks until the signal fires; can be called again, and goes on where it was. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    // What was true when it stopped need not be true now.
    this.#phase = 'waiting';
    while (!signal.aborted) await this.#pause(await this.look(signal), signal);
  }

  /** Looks once; tells how long to wait until the next look. Never throws. */
  async look(signal: AbortSignal): Promise<number> {
    this.#hurried = false;
    const answers = this.#answers;
    const began = this.#options.clock.now();
    try {
      this.#to('reading');
      const fresh = await this.round(signal);
      this.#failures = this.#barren = 0;
      this.#lastGood = this.#options.clock.now();
      const wait = this.#waitAfter(fresh, this.#lastGood - began);
      this.#to(this.#ended ? 'ended' : this.#quiet > 2 ? 'idle' : 'live');
      return this.#ended ? ENDED_WAIT : wait;
    } catch (error) {
      if (signal.aborted) return 0;
      this.#failures++;
      // What was read stays read: one that came half way is not pressing a platform that is down.
      this.#barren = this.#answers > answers ? 1 : this.#barren + 1;
      this.#error = error;
      const wait = this.#waitAfterFailure(error);
      this.#to('stale');
      return wait;
    }
  }

  /** Ends the wait: look now. A request that has not been answered for a while is given up. */
  hurry(): void {
    this.#hurried = true;
    this.#windows.goOn();
    if (this.#silence !== undefined) this.#giveUp?.abort();
    this.#wakeUp();
  }

  /** One request. Rejects with PlatformError `timeout` if no answer comes for long. */
  async #ask(query: AnyQuery, signal: AbortSignal): Promise<Page> {
    const { clock, interval, read, changed } = this.#options;
    const began = clock.now();
    const silence = Math.max(LEAST_SILENCE, 2 * interval);
    const patience = Math.min(MOST_PATIENCE, Math.max(silence, 3 * (this.#slowest ?? silence)) * 2 ** this.#givenUp);
    const giveUp = (this.#giveUp = new AbortController());
    const noAnswer = (): PlatformError => {
      const seconds = Math.round((clock.now() - began) / 1000).toLocaleString('en');
      return new PlatformError('timeout', `The platform has not answered for ${seconds} seconds`);
    };
    const cancels = [
      clock.after(silence, () => {
        this.#silence = noAnswer();
        changed();
      }),
      clock.after(patience, () => {
        giveUp.abort();
      }),
    ];
    try {
      const page = await read(query, { signal: AbortSignal.any([signal, giveUp.signal]) });
      this.#answers++;
      this.#givenUp = 0;
      this.#slowest = Math.max(clock.now() - began, (this.#slowest ?? 0) * 0.9);
      return page;
    } catch (error) {
      if (!giveUp.signal.aborted || signal.aborted) throw error;
      this.#givenUp++;
      throw noAnswer();
    } finally {
      for (const cancel of cancels) cancel();
      if (this.#silence !== undefined) {
        this.#silence = undefined;
        changed();
      }
    }
  }

  #wakeUp(): void {
    this.#quiet = 0;
    this.#wake?.abort();
  }

  /** Reads about so many older entries, in the next look, which comes at once. */
  older(count: number): void {
    if (this.#reading.complete || this.#reading.wanted >= count) return;
    this.#reading.want(count);
    this.#options.changed();
    // While it fails, the next look comes when it is due: scrolling must not press a platform that asked for time.
    if (this.#failures === 0) this.#wakeUp();
  }

  /** What is not younger has gone, and there is room for it again. */
  again(time: number): void {
    this.#reading.again(time);
    if (this.#reading.wanted > 0 && this.#failures === 0) this.#wakeUp();
  }

  /** One look, and then at what is open. Tells how many entries were new. Throws PlatformError. */
  async round(signal: AbortSignal): Promise<number> {
    let fresh = 0;
    this.#counter = (added) => (fresh += added);
    this.#windows.begin();
    await this.#reading.look(signal);
    this.#open.forgetBefore(oldestOf(this.#options.held));
    // With a filter for the status, reading again does not show what has settled.
    const before = this.#options.query['status'] === undefined ? this.#reading.openBefore : Infinity;
    await this.#settler.look(before, signal);
    return fresh;
  }

  #counter: (added: number) => void = () => undefined;

  get #ended(): boolean {
    return this.#options.to !== undefined && this.#reading.complete && this.#open.size === 0;
  }

  #take(items: readonly Item[], from: number): void {
    const now = this.#options.clock.now();
    const entries: LogEntry[] = [];
    for (const { raw } of items) {
      const entry = entryOf(this.#options.connection, raw, from === 0 ? now : from);
      if (entry === undefined) {
        if (this.#unreadable.size < MOST_UNREADABLE) this.#unreadable.add(JSON.stringify(raw).slice(0, 1000));
        continue;
      }
      this.#known = entry.id;
      entries.push(entry);
      this.#open.note(entry, now);
    }
    const { held, take } = this.#options;
    const unknown = entries.filter(({ key }) => held.get(key) === undefined);
    this.#counter(take(entries));
    const came = unknown.filter(({ key }) => held.get(key) !== undefined);
    if (came.length > 0) this.#reading.came(came);
  }

  /** `took`: milliseconds of the look */
  #waitAfter(fresh: number, took: number): number {
    const { interval } = this.#options;
    this.#quiet = fresh > 0 || this.#reading.wanted > 0 ? 0 : this.#quiet + 1;
    // What began to be pending just now may settle any moment.
    const most = this.#open.isFresh(this.#options.clock.now()) ? interval * 2 : Math.max(interval, MOST_IDLE);
    return Math.min(most, interval * 1.5 ** this.#quiet, Math.max(LEAST_WAIT, this.#reading.mostWait - took));
  }

  #waitAfterFailure(error: unknown): number {
    if (this.#windows.exhausted && !this.#hurried) return EXHAUSTED_WAIT;
    const asked = error instanceof PlatformError ? (error.detail.retryAfter ?? 0) : 0;
    const backoff = Math.min(MOST_BACKOFF, this.#options.interval * 2 ** Math.min(this.#barren, 10));
    return Math.max(Math.min(asked, MOST_ASKED), this.#hurried ? 0 : backoff);
  }

  #to(phase: TailState['phase']): void {
    if (phase === 'reading' && this.#phase !== 'waiting') return;
    this.#phase = phase;
    this.#options.changed();
  }

  async #pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    const wake = new AbortController();
    this.#wake = wake;
    try {
      await this.#options.clock.sleep(milliseconds, AbortSignal.any([signal, wake.signal]));
    } catch {
      // Woken early, or at the end.
    }
  }
}
