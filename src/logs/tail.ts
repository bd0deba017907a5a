/**
 * Pure: follows the action logs of one connection and organization. New ones by overlapping windows from the newest
 * `when_created` on, each read to its end and de-duplicated by id; entries that are open by windows or by id, whichever
 * asks less; what came late by going over the last minute again and again. Order and page size are never relied on.
 */
import { PlatformError } from '../platform/errors.ts';
import type { AnyQuery } from '../platform/operation.ts';
import type { Item } from '../platform/page.ts';
import { entryOf, type LogEntry } from './entry.ts';
import { OpenEntries } from './open-entries.ts';
import { Settler } from './settle.ts';
import { Windows, type ReadPage, type WindowResult } from './windows.ts';

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

/** How long an entry may take to appear after its own date. */
const LATE = 60_000;
const LEAST_OVERLAP = 1000;
/** Entries that the overlap goes over again at most, as long as it is longer than the least. */
const OVERLAP_ENTRIES = 200;
/** Pages of one window at most; what holds more is read in narrower ones. */
const SLICE_PAGES = 40;
/** Pages of the narrowest window: ties in time cannot be parted. */
const TIE_PAGES = 1000;
const SWEEP_ENTRIES = 500;
/** Entries that the first look brings where the range has no beginning. */
export const FIRST_LOOK = 300;
const MOST_IDLE = 30_000;
const MOST_BACKOFF = 60_000;
/** Behind this there was no platform: the last step back has no lower bound. */
const FAR_BACK = 366 * 86_400_000;

export class Tail {
  readonly #options: TailOptions;
  readonly #windows: Windows;
  readonly #open: OpenEntries;
  readonly #settler: Settler;
  /** the newest `when_created` up to which everything has been read; the platform's time, never this machine's */
  #covered: number | undefined;
  /** where the first look for new entries began */
  #top: number | undefined;
  #reached: number | undefined;
  #span = LATE;
  #complete = false;
  #wanted = 0;
  #sweep = -Infinity;
  #unreadable = 0;
  #known: string | undefined;
  #failures = 0;
  #lastGood: number;
  #quiet = 0;
  #phase: TailState['phase'] = 'waiting';
  #error: unknown;
  #wake: AbortController | undefined;

  constructor(options: TailOptions) {
    this.#options = options;
    this.#lastGood = options.clock.now();
    this.#open = new OpenEntries(options.interval);
    this.#windows = new Windows({
      read: options.read,
      query: options.query,
      limit: options.pageSize,
      grain: options.grain,
      take: (items, from) => {
        this.#take(items, from);
      },
      knownId: () => this.#known,
    });
    this.#settler = new Settler({
      ...options,
      windows: this.#windows,
      open: this.#open,
      slice: (from, to, signal) => this.#slice(from, to, signal),
      took: (items) => {
        this.#take(items, 0);
      },
    });
    this.#wanted = options.from === undefined ? FIRST_LOOK : Infinity;
  }

  get state(): TailState {
    return {
      phase: this.#phase,
      ...(this.#failures > 0 && { failure: { since: this.#lastGood, error: this.#error } }),
      reached: this.#reached,
      complete: this.#complete,
      older: this.#wanted > 0 && !this.#complete,
      unreadable: this.#unreadable,
    };
  }

  /** Open entries that will be looked at again. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Looks until the signal fires; can be called again, and goes on where it was. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const ended = (): boolean => signal.aborted;
    while (!ended()) {
      let wait: number;
      try {
        this.#to('reading');
        const fresh = await this.round(signal);
        this.#failures = 0;
        this.#lastGood = this.#options.clock.now();
        wait = this.#waitAfter(fresh);
        this.#to(this.#ended ? 'ended' : this.#quiet > 2 ? 'idle' : 'live');
        if (this.#ended) wait = MOST_BACKOFF;
      } catch (error) {
        if (ended()) return;
        this.#failures++;
        this.#error = error;
        wait = this.#waitAfterFailure(error);
        this.#to('stale');
      }
      await this.#pause(wait, signal);
    }
  }

  /** Ends the wait: look now. */
  hurry(): void {
    this.#quiet = 0;
    this.#wake?.abort();
  }

  /** Reads about so many older entries, in the next look, which comes at once. */
  older(count: number): void {
    if (this.#complete || this.#wanted >= count) return;
    this.#wanted = count;
    this.#options.changed();
    // While it fails, the next look comes when it is due: scrolling must not press a platform that asked for time.
    if (this.#failures === 0) this.hurry();
  }

  /** One look: new entries, older ones that are wanted, open ones. Tells how many were new. Throws PlatformError. */
  async round(signal: AbortSignal): Promise<number> {
    let fresh = 0;
    this.#counter = (added) => (fresh += added);
    if (this.#options.to === undefined) await this.#forward(signal);
    if (this.#wanted > 0 && !this.#complete) await this.#backward(signal);
    if (this.#options.to === undefined) await this.#goOver(signal);
    await this.#settler.look(this.#openBefore(), signal);
    return fresh;
  }

  #counter: (added: number) => void = () => undefined;

  get #ended(): boolean {
    return this.#options.to !== undefined && this.#complete && this.#open.size === 0;
  }

  #take(items: readonly Item[], from: number): void {
    const now = this.#options.clock.now();
    const entries: LogEntry[] = [];
    for (const { raw } of items) {
      const entry = entryOf(this.#options.connection, raw, from === 0 ? now : from);
      if (entry === undefined) {
        this.#unreadable++;
        continue;
      }
      this.#known = entry.id;
      entries.push(entry);
      this.#open.note(entry, now);
    }
    this.#counter(this.#options.take(entries));
  }

  /** Where the overlap begins: as far back as entries come late, or less where very many have come since. */
  #overlapFrom(covered: number): number {
    const dense = this.#options.held.timeBack(OVERLAP_ENTRIES) ?? -Infinity;
    const from = Math.max(covered - LATE, Math.min(covered - LEAST_OVERLAP, dense));
    return this.#windows.floor(Math.max(from, this.#options.from ?? -Infinity));
  }

  /** Before any entry was seen: this machine's time is no measure of the platform's, so the window only grows. */
  #start(): number {
    const { from, clock } = this.#options;
    if (this.#covered !== undefined) return this.#overlapFrom(this.#covered);
    this.#top ??= this.#windows.floor(Math.max(clock.now() - LATE, from ?? 0));
    return this.#complete ? this.#windows.floor(from ?? 0) : this.#top;
  }

  async #forward(signal: AbortSignal): Promise<void> {
    const start = this.#start();
    const open = await this.#windows.read(start, undefined, { pages: SLICE_PAGES }, signal);
    if (open.newest !== undefined) {
      if (open.done) this.#cover(open.newest);
      else await this.#catchUp(start, open.newest, signal);
    }
    this.#reached ??= start;
  }

  #cover(newest: number | undefined): void {
    if (newest !== undefined) this.#covered = Math.max(this.#covered ?? -Infinity, newest);
  }

  /** More than one slice holds: narrower windows, one after the other. What was done stays done if one fails. */
  async #catchUp(start: number, until: number, signal: AbortSignal): Promise<void> {
    const { grain } = this.#windows;
    let at = start;
    let span = this.#aligned((until - start) / 4);
    while (at <= until) {
      const part = await this.#slice(at, at + span, signal);
      if (!part.done) {
        span = this.#aligned(span / 2);
        continue;
      }
      at += span;
      this.#cover(Math.min(at, until));
      if (part.items * 4 < SLICE_PAGES * this.#options.pageSize) span = Math.max(grain, span * 2);
    }
  }

  async #slice(from: number, to: number, signal: AbortSignal): Promise<WindowResult> {
    const narrowest = to - from <= this.#windows.grain;
    const part = await this.#windows.read(from, to, { pages: narrowest ? TIE_PAGES : SLICE_PAGES }, signal);
    return narrowest ? { ...part, done: true } : part;
  }

  #aligned(span: number): number {
    return Math.max(this.#windows.grain, this.#windows.floor(span));
  }

  async #backward(signal: AbortSignal): Promise<void> {
    const { from: least = -Infinity, held, changed } = this.#options;
    this.#reached ??= this.#windows.floor((this.#options.to ?? 0) + this.#windows.grain);
    while (this.#wanted > 0 && !this.#complete && !held.full) {
      const to = this.#reached;
      if (to <= least || to <= 0) {
        this.#complete = true;
        break;
      }
      const unbounded = this.#span >= FAR_BACK && least === -Infinity;
      const from = Math.max(this.#windows.floor(to - this.#span), this.#windows.floor(Math.max(least, 0)));
      const part = await this.#olderSlice(unbounded ? undefined : from, to, signal);
      if (!part.done) {
        // An unbounded window that is too full becomes a bounded one.
        this.#span = this.#aligned(Math.min(this.#span, FAR_BACK) / 4);
        continue;
      }
      this.#wanted -= part.items;
      this.#cover(part.newest);
      this.#reached = unbounded ? 0 : from;
      this.#complete = unbounded || from <= least;
      if (part.items < this.#options.pageSize * 4) this.#span *= 4;
      changed();
    }
    this.#wanted = this.#options.from === undefined || this.#complete || held.full ? 0 : Infinity;
  }

  #olderSlice(from: number | undefined, to: number, signal: AbortSignal): Promise<WindowResult> {
    if (from !== undefined) return this.#slice(from, to, signal);
    return this.#windows.read(undefined, to, { pages: SLICE_PAGES }, signal);
  }

  /** Goes over the stretch between the overlap and the latest that may still come, a part each time. */
  async #goOver(signal: AbortSignal): Promise<void> {
    const { held, from: least = -Infinity } = this.#options;
    const covered = this.#covered;
    if (covered === undefined) return;
    const end = this.#overlapFrom(covered);
    const begin = this.#windows.floor(Math.max(covered - LATE, least));
    if (begin >= end) return;
    const from = this.#sweep > begin && this.#sweep < end ? this.#sweep : begin;
    const dense = held.timeAfter(from, SWEEP_ENTRIES) ?? end;
    const to = Math.min(end, Math.max(this.#windows.floor(dense), from + this.#windows.grain));
    const part = await this.#slice(from, to, signal);
    this.#sweep = part.done ? to : from;
  }

  /** Looks at open entries again: a window where they lie close, by id where they do not. */
  /** Entries in the overlap are read anyway. */
  #openBefore(): number {
    if (this.#options.to !== undefined || this.#covered === undefined) return Infinity;
    return this.#overlapFrom(this.#covered);
  }

  #waitAfter(fresh: number): number {
    const { interval } = this.#options;
    this.#quiet = fresh > 0 || this.#wanted > 0 ? 0 : this.#quiet + 1;
    if (this.#open.size > 0) return Math.min(interval * 2, interval * 1.5 ** this.#quiet);
    return Math.min(Math.max(interval, MOST_IDLE), interval * 1.5 ** this.#quiet);
  }

  #waitAfterFailure(error: unknown): number {
    const asked = error instanceof PlatformError ? (error.detail.retryAfter ?? 0) : 0;
    const backoff = Math.min(MOST_BACKOFF, this.#options.interval * 2 ** Math.min(this.#failures, 10));
    return Math.max(asked, backoff);
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
