/**
 * Pure: follows the action logs of one stream: looks, waits longer where nothing comes, backs off where it fails, and says
 * since when. What a look reads is told in reading.ts; entries that have not settled are looked at again, see settle.ts.
 */
import { PlatformError } from '../platform/errors.ts';
import type { AnyQuery } from '../platform/operation.ts';
import type { Item } from '../platform/page.ts';
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
}

/** What is held of all streams; the tail asks it how dense a stretch of time is. */
export interface Held {
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
}

const MOST_IDLE = 30_000;
const MOST_BACKOFF = 60_000;
const MOST_UNREADABLE = 1000;
export class Tail {
  readonly #options: TailOptions;
  readonly #reading: Reading;
  readonly #open: OpenEntries;
  readonly #settler: Settler;
  /** entries without an id, by their JSON: the same one is read again and again */
  readonly #unreadable = new Set<string>();
  #known: string | undefined;
  #failures = 0;
  #lastGood: number;
  #quiet = 0;
  #phase: TailState['phase'] = 'waiting';
  #error: unknown;
  #wake: AbortController | undefined;
  /** asked for during a look; should that one fail, another comes at once */
  #hurried = false;

  constructor(options: TailOptions) {
    this.#options = options;
    this.#lastGood = options.clock.now();
    this.#open = new OpenEntries(options);
    const windows = new Windows({
      read: options.read,
      query: options.query,
      limit: options.pageSize,
      grain: options.grain,
      take: (items, from) => {
        this.#take(items, from);
      },
      knownId: () => this.#known,
    });
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
    return {
      phase: this.#phase,
      ...(this.#failures > 0 && { failure: { since: this.#lastGood, error: this.#error } }),
      reached: this.#reading.reached,
      complete: this.#reading.complete,
      older: this.#reading.wanted > 0,
      unreadable: this.#unreadable.size,
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
    try {
      this.#to('reading');
      const fresh = await this.round(signal);
      this.#failures = 0;
      this.#lastGood = this.#options.clock.now();
      const wait = this.#waitAfter(fresh);
      this.#to(this.#ended ? 'ended' : this.#quiet > 2 ? 'idle' : 'live');
      return this.#ended ? MOST_BACKOFF : wait;
    } catch (error) {
      if (signal.aborted) return 0;
      this.#failures++;
      this.#error = error;
      const wait = this.#waitAfterFailure(error);
      this.#to('stale');
      return wait;
    }
  }

  /** Ends the wait: look now. */
  hurry(): void {
    this.#hurried = true;
    this.#wakeUp();
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
    await this.#reading.look(signal);
    this.#open.forgetBefore(oldestOf(this.#options.held));
    await this.#settler.look(this.#reading.openBefore, signal);
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
    this.#counter(this.#options.take(entries));
  }

  #waitAfter(fresh: number): number {
    const { interval } = this.#options;
    this.#quiet = fresh > 0 || this.#reading.wanted > 0 ? 0 : this.#quiet + 1;
    // What began to be pending just now may settle any moment.
    const most = this.#open.isFresh(this.#options.clock.now()) ? interval * 2 : Math.max(interval, MOST_IDLE);
    return Math.min(most, interval * 1.5 ** this.#quiet);
  }

  #waitAfterFailure(error: unknown): number {
    const asked = error instanceof PlatformError ? (error.detail.retryAfter ?? 0) : 0;
    const backoff = Math.min(MOST_BACKOFF, this.#options.interval * 2 ** Math.min(this.#failures, 10));
    return Math.max(asked, this.#hurried ? 0 : backoff);
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
