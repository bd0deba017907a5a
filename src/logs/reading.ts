/**
 * Pure: which windows of one stream are read. New entries by overlapping windows from the newest `when_created` on, older
 * ones by windows that widen, and what came late by going over what has been read: the last minute with every look, the
 * last hour now and then, everything that is held more seldom. Order and page size are never relied on.
 */
import type { TailOptions } from './tail.ts';
import type { WindowResult, Windows } from './windows.ts';

/** How long an entry may take to appear after its own date, to be seen with the next looks. */
const LATE = 60_000;
const LEAST_OVERLAP = 1000;
/** Entries that the overlap goes over again at most, as long as it is longer than the least; no full pages, which are doubted. */
const OVERLAP_ENTRIES = 180;
/** Pages of one window at most; what holds more is read in narrower ones. */
const SLICE_PAGES = 40;
/** Pages of the narrowest window: ties in time cannot be parted. */
const TIE_PAGES = 1000;
/** Entries of one part that is gone over again, about. */
const SWEEP_ENTRIES = 480;
/** Entries that the first look brings where the range has no beginning. */
export const FIRST_LOOK = 300;
/** Behind this there was no platform: the last step back has no lower bound. */
const FAR_BACK = 366 * 86_400_000;

/** `back`: milliseconds behind the newest that a zone reaches; it ends where the one before begins. `every`: looks. */
interface Zone {
  readonly back: number;
  readonly every: number;
  /** where the next part begins */
  at: number;
}

export type ReadingOptions = Pick<TailOptions, 'from' | 'to' | 'held' | 'clock' | 'pageSize' | 'changed'>;

export class Reading {
  readonly #options: ReadingOptions;
  readonly #windows: Windows;
  readonly #zones: readonly Zone[] = [
    { back: LATE, every: 1, at: -Infinity },
    { back: 3_600_000, every: 5, at: -Infinity },
    { back: Infinity, every: 20, at: -Infinity },
  ];
  /** the newest `when_created` up to which everything has been read; the platform's time, never this machine's */
  #covered: number | undefined;
  /** where the first look for new entries began */
  #top: number | undefined;
  #reached: number | undefined;
  #span = LATE;
  #complete = false;
  #wanted: number;
  #looks = 0;

  constructor(options: ReadingOptions, windows: Windows) {
    this.#options = options;
    this.#windows = windows;
    this.#wanted = options.from === undefined ? FIRST_LOOK : Infinity;
  }

  /** Everything from here to the newest has been read; `undefined` before the first look. */
  get reached(): number | undefined {
    return this.#reached;
  }

  /** Nothing older is in the range. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Older entries that are still to be read, about. */
  get wanted(): number {
    return this.#complete ? 0 : this.#wanted;
  }

  want(count: number): void {
    this.#wanted = count;
  }

  /** What is not younger is read once more, as far back as the range goes or is asked for. */
  again(time: number): void {
    if (this.#reached === undefined) return;
    this.#reached = Math.max(this.#reached, this.#windows.floor(time) + this.#windows.grain);
    this.#complete = false;
    this.#span = LATE;
    if (this.#options.from !== undefined) this.#wanted = Infinity;
  }

  /** Entries that are younger are read with every look anyway. */
  get openBefore(): number {
    if (this.#options.to !== undefined || this.#covered === undefined) return Infinity;
    return this.#overlapFrom(this.#covered);
  }

  /** New entries, older ones that are wanted, a part of what may have come late. Throws PlatformError. */
  async look(signal: AbortSignal): Promise<void> {
    if (this.#options.to === undefined) await this.#forward(signal);
    if (this.wanted > 0) await this.#backward(signal);
    await this.#goOver(this.#looks++, signal);
  }

  async slice(from: number, to: number, signal: AbortSignal): Promise<WindowResult> {
    const narrowest = to - from <= this.#windows.grain;
    const part = await this.#windows.read(from, to, { pages: narrowest ? TIE_PAGES : SLICE_PAGES }, signal);
    return narrowest ? { ...part, done: true } : part;
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
      const part = await this.slice(at, at + span, signal);
      if (!part.done) {
        span = this.#aligned(span / 2);
        continue;
      }
      at += span;
      this.#cover(Math.min(at, until));
      if (part.items * 4 < SLICE_PAGES * this.#options.pageSize) span = Math.max(grain, span * 2);
    }
  }

  #aligned(span: number): number {
    return Math.max(this.#windows.grain, this.#windows.floor(span));
  }

  async #backward(signal: AbortSignal): Promise<void> {
    const { from: least = -Infinity, held, changed } = this.#options;
    this.#reached ??= this.#windows.floor((this.#options.to ?? 0) + this.#windows.grain);
    while (this.#wanted > 0 && !this.#complete && !held.full) {
      const to: number = this.#reached;
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
      this.#cover(part.newest);
      // Meanwhile younger ones may have gone, see `again`.
      if (this.#reached !== to) continue;
      this.#wanted -= part.items;
      this.#reached = unbounded ? 0 : from;
      this.#complete = unbounded || from <= least;
      if (part.items < this.#options.pageSize * 4) this.#span *= 4;
      changed();
    }
    this.#wanted = this.#options.from === undefined || this.#complete || held.full ? 0 : Infinity;
  }

  #olderSlice(from: number | undefined, to: number, signal: AbortSignal): Promise<WindowResult> {
    if (from !== undefined) return this.slice(from, to, signal);
    return this.#windows.read(undefined, to, { pages: SLICE_PAGES }, signal);
  }

  /** A part of each zone whose turn it is; a range that has ended has no last minute. */
  async #goOver(look: number, signal: AbortSignal): Promise<void> {
    const { held, to, from = -Infinity } = this.#options;
    const newest = to ?? this.#covered;
    if (newest === undefined || this.#reached === undefined) return;
    const bottom = this.#windows.floor(Math.max(from, this.#reached, oldestOf(held)));
    let end = to ?? this.#overlapFrom(newest);
    for (const zone of this.#zones) {
      if (to !== undefined && zone.back === LATE) continue;
      const begin = Math.max(bottom, zone.back === Infinity ? -Infinity : this.#windows.floor(newest - zone.back));
      if (begin < end && (look + 1) % zone.every === 0) await this.#sweep(zone, begin, end, signal);
      end = Math.min(begin, end);
    }
  }

  async #sweep(zone: Zone, begin: number, end: number, signal: AbortSignal): Promise<void> {
    const { held } = this.#options;
    const from = zone.at > begin && zone.at < end ? zone.at : begin;
    const dense = held.countBetween(from, end) > SWEEP_ENTRIES ? (held.timeAfter(from, SWEEP_ENTRIES) ?? end) : end;
    const to = Math.min(end, Math.max(this.#windows.floor(dense), from + this.#windows.grain));
    const part = await this.slice(from, to, signal);
    zone.at = part.done ? to : from;
  }
}

/** What is older has gone, and is not taken back; `-Infinity` while there is room for all. */
export function oldestOf(held: ReadingOptions['held']): number {
  return held.full ? (held.timeAfter(-Infinity, 0) ?? held.least) : held.least;
}
