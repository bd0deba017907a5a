/**
 * Pure: which windows of one stream are read. New entries by overlapping windows from the newest `when_created` on, older
 * ones by windows that widen, and what came late by reading again: the last entries with each look, the last minute, or as
 * far as entries lately came late, within a cycle of seconds, the last hour now and then, everything that is held more
 * seldom. Order and page size are never relied on.
 */
import type { LogEntry } from './entry.ts';
import type { TailOptions } from './tail.ts';
import type { WindowResult, Windows } from './windows.ts';

/** How long an entry may take to appear after its own date, to be found within one cycle: milliseconds. */
const LATE = 60_000;
/** Longest delay that is looked for with each cycle because entries lately came that late. */
const MOST_LATE = 20 * 60_000;
/** How long an entry that came late widens the look behind. */
const REMEMBERED = 10 * 60_000;
/** The stretch in which entries may appear late is read again as a whole within so many milliseconds. */
const CYCLE = 12_000;
const LEAST_OVERLAP = 1000;
/** Entries that each look reads again at most, as long as they are older than the least overlap; less than two full pages, which are doubted. */
const OVERLAP_ENTRIES = 180;
/** How far back they may lie: milliseconds. */
const MOST_OVERLAP = 3_600_000;
/** Pages of one window at most; what holds more is read in narrower ones. */
const SLICE_PAGES = 40;
/** Pages of the narrowest window: ties in time cannot be parted. */
const TIE_PAGES = 1000;
/** Entries of one part that is read again, about. */
const SWEEP_ENTRIES = 480;
/** Pages of one look that are read again, about. */
const SWEEP_PAGES = 24;
/** Entries that the first look brings where the range has no beginning. */
export const FIRST_LOOK = 300;
/** Behind this there was no platform: the last step back has no lower bound. */
const FAR_BACK = 366 * 86_400_000;

/** `back`: milliseconds behind now that a zone reaches; it ends where the one before begins. `every`: milliseconds between two parts. */
interface Zone {
  readonly back: number;
  readonly every: number;
  /** where the next part begins */
  at: number;
  /** when the last part was read, by this machine's clock */
  read: number;
}

export type ReadingOptions = Pick<TailOptions, 'from' | 'to' | 'held' | 'clock' | 'serverNow' | 'pageSize' | 'changed'>;

export class Reading {
  readonly #options: ReadingOptions;
  readonly #windows: Windows;
  readonly #zones: readonly Zone[] = [
    { back: MOST_OVERLAP, every: 10_000, at: -Infinity, read: -Infinity },
    { back: Infinity, every: 60_000, at: -Infinity, read: -Infinity },
  ];
  /** the newest `when_created` up to which everything has been read; the platform's time, never this machine's */
  #covered: number | undefined;
  /** when it became that, by this machine's clock */
  #coveredAt = 0;
  /** what the platform's time was at the last look for new entries */
  #looked: number | undefined;
  /** the stretch that is read again with each cycle */
  readonly #cycle = { begin: -Infinity, at: -Infinity, next: -Infinity, read: -Infinity };
  /** entries that came late: by how much, and when, by this machine's clock */
  #late: readonly { readonly by: number; readonly seen: number }[] = [];
  #goingBack = false;
  /** where the first look for new entries began */
  #top: number | undefined;
  #reached: number | undefined;
  #span = LATE;
  #complete = false;
  #wanted: number;

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

  /** Entries that are younger are read again soon anyway. */
  get openBefore(): number {
    if (this.#options.to !== undefined || this.#covered === undefined) return Infinity;
    return Math.min(this.#overlapFrom(this.#covered), this.#lateFrom());
  }

  /** Longest wait until the next look, in milliseconds, for a cycle to end in time. */
  get mostWait(): number {
    if (this.#covered === undefined || this.#options.to !== undefined) return Infinity;
    const entries = this.#options.held.countBetween(this.#lateFrom(), this.#overlapFrom(this.#covered));
    return entries <= SWEEP_ENTRIES ? Infinity : (0.8 * CYCLE * this.#sweepEntries) / entries;
  }

  /** Entries that were new to what is held; of those that are older than the last look, each came late. */
  came(entries: readonly LogEntry[]): void {
    const looked = this.#looked;
    if (looked === undefined || this.#goingBack || this.#options.to !== undefined) return;
    const oldest = entries.reduce((least, { time, row }) => (row.timeless ? least : Math.min(least, time)), Infinity);
    if (oldest >= looked) return;
    const seen = this.#options.clock.now();
    const by = Math.min(MOST_LATE, looked - oldest);
    // Only what reaches further counts, or is remembered for longer.
    this.#late = [...this.#late.filter((one) => one.by > by && seen - one.seen < REMEMBERED), { by, seen }];
  }

  /** New entries, older ones that are wanted, a part of what may have come late. Throws PlatformError. */
  async look(signal: AbortSignal): Promise<void> {
    if (this.#options.to === undefined) await this.#forward(signal);
    if (this.wanted > 0) await this.#backward(signal);
    await this.#goOver(signal);
  }

  async slice(from: number, to: number, signal: AbortSignal): Promise<WindowResult> {
    const narrowest = to - from <= this.#windows.grain;
    const part = await this.#windows.read(from, to, { pages: narrowest ? TIE_PAGES : SLICE_PAGES }, signal);
    return narrowest ? { ...part, done: true } : part;
  }

  /**
   * The platform's time, with care: entries dated ahead of its clock, or a clock that is ahead of its entries, do not
   * move it on.
   */
  #now(covered: number): number {
    const { clock, serverNow } = this.#options;
    return Math.min(covered + Math.max(0, clock.now() - this.#coveredAt), serverNow?.() ?? Infinity);
  }

  /** Where each look begins: some entries back, never after what has been read. */
  #overlapFrom(covered: number): number {
    const { held, from = -Infinity } = this.#options;
    const dense = held.timeBack(OVERLAP_ENTRIES) ?? -Infinity;
    const least = Math.min(this.#now(covered), covered) - LEAST_OVERLAP;
    return this.#windows.floor(Math.max(Math.min(least, Math.max(dense, least - MOST_OVERLAP)), from, held.least));
  }

  /** Where the stretch begins in which entries may appear late. */
  #lateFrom(): number {
    const { clock, held, from = -Infinity } = this.#options;
    const now = clock.now();
    const by = Math.max(0, ...this.#late.filter(({ seen }) => now - seen < REMEMBERED).map((one) => one.by));
    const back = Math.max(LATE, Math.min(MOST_LATE, by * 1.25 + 10_000));
    return this.#windows.floor(Math.max(this.#now(this.#covered ?? 0) - back, from, held.least));
  }

  get #sweepEntries(): number {
    return Math.max(SWEEP_ENTRIES, SWEEP_PAGES * this.#windows.pageItems);
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
    if (this.#covered !== undefined) this.#looked = this.#now(this.#covered);
  }

  #cover(newest: number | undefined): void {
    if (newest === undefined || newest <= (this.#covered ?? -Infinity)) return;
    this.#covered = newest;
    this.#coveredAt = this.#options.clock.now();
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
    this.#goingBack = true;
    try {
      await this.#older(signal);
    } finally {
      this.#goingBack = false;
    }
  }

  async #older(signal: AbortSignal): Promise<void> {
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

  /** The part of each stretch whose turn it is. A range that has ended has no newest entries. */
  async #goOver(signal: AbortSignal): Promise<void> {
    const { held, to, from = -Infinity, clock } = this.#options;
    const covered = this.#covered;
    const newest = to ?? covered;
    if (newest === undefined || this.#reached === undefined) return;
    const bottom = this.#windows.floor(Math.max(from, this.#reached, oldestOf(held)));
    let end = to;
    if (to === undefined && covered !== undefined) {
      const overlap = this.#overlapFrom(covered);
      await this.#goRound(bottom, overlap, signal);
      end = Math.min(overlap, this.#lateFrom());
    }
    end ??= newest;
    const now = to ?? this.#now(newest);
    for (const zone of this.#zones) {
      const begin = Math.max(bottom, zone.back === Infinity ? -Infinity : this.#windows.floor(now - zone.back));
      if (begin < end && clock.now() - zone.read >= zone.every) {
        zone.at = await this.#sweep(zone.at, begin, end, SWEEP_ENTRIES, signal);
        zone.read = clock.now();
      }
      end = Math.min(begin, end);
    }
  }

  /** As much of the stretch in which entries may appear late as the time since the last part asks for. */
  async #goRound(bottom: number, end: number, signal: AbortSignal): Promise<void> {
    const { held, clock } = this.#options;
    const cycle = this.#cycle;
    const start = (): void => {
      // Entries grow older while a cycle runs: the next one begins where this one would have begun at its start.
      const from = this.#lateFrom();
      cycle.begin = cycle.at = Math.min(from, cycle.next === -Infinity ? from : cycle.next);
      cycle.next = from;
    };
    if (cycle.begin === -Infinity || cycle.at >= end) start();
    const begin = Math.max(bottom, cycle.begin);
    const share = Math.min(1, (clock.now() - cycle.read) / CYCLE);
    const entries = Math.ceil(held.countBetween(begin, end) * share);
    cycle.read = clock.now();
    if (begin >= end) return;
    cycle.at = await this.#sweep(
      cycle.at,
      begin,
      end,
      Math.max(SWEEP_ENTRIES, Math.min(this.#sweepEntries, entries)),
      signal,
    );
    if (cycle.at === -Infinity) start();
  }

  /**
   * Reads about so many entries again, from a place in a stretch on to its end at most. Returns where the next part
   * begins: `-Infinity` after the last one.
   */
  async #sweep(place: number, begin: number, end: number, entries: number, signal: AbortSignal): Promise<number> {
    const { held } = this.#options;
    let at = place > begin && place < end ? place : begin;
    let part = SWEEP_ENTRIES;
    for (let left = entries; left > 0 && at < end;) {
      const count = Math.min(Math.max(left, this.#windows.pageItems), part);
      const dense = held.countBetween(at, end) > count ? (held.timeAfter(at, count) ?? end) : end;
      const to = Math.min(end, Math.max(this.#windows.floor(dense), at + this.#windows.grain));
      const { done, items } = await this.slice(at, to, signal);
      // What is held need not be there any more: what was read counts, one page at least.
      if (done) left -= Math.max(items, this.#windows.pageItems);
      if (done) at = to;
      else part = Math.max(1, Math.floor(part / 4));
    }
    return at < end ? at : -Infinity;
  }
}

/** What is older has gone, and is not taken back; `-Infinity` while there is room for all. */
export function oldestOf(held: ReadingOptions['held']): number {
  return held.full ? (held.timeAfter(-Infinity, 0) ?? held.least) : held.least;
}
