import type { LogEntry } from '../entry.ts';
import type { TailOptions } from './tail-options.ts';
import type { WindowResult, WindowReader } from './window-reader.ts';

// All durations are milliseconds. An entry is late if it appears after its own date.
/** An entry at most this late is found within one cycle. */
const LATE_WINDOW = 60_000;
/** Longest delay covered by each cycle after entries came that late. */
const MAX_DELAY = 20 * 60_000;
/** How long a late entry extends the cycle. */
const DELAY_MEMORY = 10 * 60_000;
/** Duration of one cycle over the time in which entries may still appear. */
const CYCLE_DURATION = 12_000;
const MIN_OVERLAP = 1000;
/** Entries that each poll reads again: fewer than two full pages, whose end would be doubted. */
const OVERLAP_ENTRIES = 180;
/** How far each poll reads back at most. */
const MAX_OVERLAP = 3_600_000;
/** Pages of one window at most; larger ones are narrowed. */
const MAX_WINDOW_PAGES = 40;
/** Pages of the narrowest window: entries of the same time cannot be separated. */
const MAX_TIE_PAGES = 1000;
/** Approximate number of entries read again in one part. */
const SWEEP_ENTRIES = 480;
/** Approximate number of pages read again in one poll. */
const SWEEP_PAGES = 24;
/** Entries read by the first poll if the range has no start. */
const INITIAL_ENTRIES = 300;
/** Longest window of older entries; the next one has no lower bound. */
const MAX_SPAN = 366 * 86_400_000;

/** A range of ages whose entries are read again part by part. It ends where the previous zone begins. */
interface Zone {
  /** age at which the zone begins */
  readonly maxAge: number;
  /** time between two parts */
  readonly interval: number;
  /** start of the next part */
  position: number;
  /** when the last part was read, by this machine's clock */
  lastRead: number;
}

type WindowSchedulerOptions = Pick<
  TailOptions,
  'from' | 'to' | 'buffer' | 'clock' | 'serverNow' | 'pageSize' | 'changed'
>;

/**
 * Chooses the windows of one stream to read: new entries in windows that overlap, older ones in windows that widen. Late
 * entries are found by reading again: the newest entries with each poll, the last minute (or as far back as entries
 * recently came late) in cycles of seconds, the last hour less often, everything loaded rarely. Does not rely on order or
 * page size.
 */
export class WindowScheduler {
  readonly #options: WindowSchedulerOptions;
  readonly #reader: WindowReader;
  readonly #zones: readonly Zone[] = [
    { maxAge: MAX_OVERLAP, interval: 10_000, position: -Infinity, lastRead: -Infinity },
    { maxAge: Infinity, interval: 60_000, position: -Infinity, lastRead: -Infinity },
  ];
  /** newest `when_created` up to which everything has been read, in the platform's time */
  #covered: number | undefined;
  /** when `#covered` was set, by this machine's clock */
  #coveredAt = 0;
  /** platform time of the last poll for new entries */
  #lastPolled: number | undefined;
  /** the range read again in cycles */
  readonly #cycle = { start: -Infinity, position: -Infinity, nextStart: -Infinity, lastRead: -Infinity };
  /** late entries: by how much, and when they were observed by this machine's clock */
  #delays: readonly { readonly delay: number; readonly observedAt: number }[] = [];
  #readingOlder = false;
  /** start of the first poll for new entries */
  #initialStart: number | undefined;
  #reached: number | undefined;
  #span = LATE_WINDOW;
  #complete = false;
  #olderWanted: number;

  constructor(options: WindowSchedulerOptions, reader: WindowReader) {
    this.#options = options;
    this.#reader = reader;
    this.#olderWanted = options.from === undefined ? INITIAL_ENTRIES : Infinity;
  }

  /** Everything newer has been read; `undefined` before the first poll. */
  get reached(): number | undefined {
    return this.#reached;
  }

  /** The range has no older entries. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Approximate number of older entries still to read. */
  get olderWanted(): number {
    return this.#complete ? 0 : this.#olderWanted;
  }

  /** Requests about `count` older entries with the next polls. */
  requestOlder(count: number): void {
    this.#olderWanted = count;
  }

  /** Reads again from `time` backwards, with the next polls. */
  rereadFrom(time: number): void {
    if (this.#reached === undefined) return;
    this.#reached = Math.max(this.#reached, this.#reader.floor(time) + this.#reader.dateResolution);
    this.#complete = false;
    this.#span = LATE_WINDOW;
    if (this.#options.from !== undefined) this.#olderWanted = Infinity;
  }

  /** Newer entries are read again by polls and cycles, so that only older pending ones need reading by themselves. */
  get pendingBefore(): number {
    if (this.#options.to !== undefined || this.#covered === undefined) return Infinity;
    return Math.min(this.#overlapFrom(this.#covered), this.#lateFrom());
  }

  /** Longest wait until the next poll, in milliseconds, for the cycle to end in time. */
  get maxWait(): number {
    if (this.#covered === undefined || this.#options.to !== undefined) return Infinity;
    const entries = this.#options.buffer.countBetween(this.#lateFrom(), this.#overlapFrom(this.#covered));
    return entries <= SWEEP_ENTRIES ? Infinity : (0.8 * CYCLE_DURATION * this.#sweepEntries) / entries;
  }

  /** Records how late new entries came: those dated before the last poll. */
  recordDelays(entries: readonly LogEntry[]): void {
    const lastPolled = this.#lastPolled;
    if (lastPolled === undefined || this.#readingOlder || this.#options.to !== undefined) return;
    const oldest = entries.reduce((min, { time, row }) => (row.withoutTime ? min : Math.min(min, time)), Infinity);
    if (oldest >= lastPolled) return;
    const observedAt = this.#options.clock.now();
    const delay = Math.min(MAX_DELAY, lastPolled - oldest);
    // Shorter delays observed earlier add nothing.
    this.#delays = [
      ...this.#delays.filter((known) => known.delay > delay && observedAt - known.observedAt < DELAY_MEMORY),
      { delay, observedAt },
    ];
  }

  /** Reads new entries, requested older ones, and a part of the ranges to read again. Rejects with PlatformError. */
  async poll(signal: AbortSignal): Promise<void> {
    if (this.#options.to === undefined) await this.#readNew(signal);
    if (this.olderWanted > 0) await this.#readOlder(signal);
    await this.#rereadZones(signal);
  }

  /** Reads a bounded window; `done` is false if it holds too much. Rejects with PlatformError. */
  async readWindow(from: number, to: number, signal: AbortSignal): Promise<WindowResult> {
    const narrowest = to - from <= this.#reader.dateResolution;
    const part = await this.#reader.read(from, to, { pages: narrowest ? MAX_TIE_PAGES : MAX_WINDOW_PAGES }, signal);
    return narrowest ? { ...part, done: true } : part;
  }

  /**
   * Estimates the platform's time: the newest entry's date moved on by this machine's clock, at most the server's own
   * time, so that neither entries dated in the future nor a wrong clock advance it.
   */
  #getPlatformTime(covered: number): number {
    const { clock, serverNow } = this.#options;
    return Math.min(covered + Math.max(0, clock.now() - this.#coveredAt), serverNow?.() ?? Infinity);
  }

  /** Start of each poll: some entries back, never later than what has been read. */
  #overlapFrom(covered: number): number {
    const { buffer, from = -Infinity } = this.#options;
    const dense = buffer.timeOfNthNewest(OVERLAP_ENTRIES) ?? -Infinity;
    const latestStart = Math.min(this.#getPlatformTime(covered), covered) - MIN_OVERLAP;
    return this.#reader.floor(
      Math.max(Math.min(latestStart, Math.max(dense, latestStart - MAX_OVERLAP)), from, buffer.minTime),
    );
  }

  /** Start of the range in which entries may still appear. */
  #lateFrom(): number {
    const { clock, buffer, from = -Infinity } = this.#options;
    const now = clock.now();
    const delay = Math.max(
      0,
      ...this.#delays.filter(({ observedAt }) => now - observedAt < DELAY_MEMORY).map(({ delay }) => delay),
    );
    const maxAge = Math.max(LATE_WINDOW, Math.min(MAX_DELAY, delay * 1.25 + 10_000));
    return this.#reader.floor(Math.max(this.#getPlatformTime(this.#covered ?? 0) - maxAge, from, buffer.minTime));
  }

  get #sweepEntries(): number {
    return Math.max(SWEEP_ENTRIES, SWEEP_PAGES * this.#reader.pageItems);
  }

  /** Start of a poll. Until an entry is known, the platform's time is unknown too, and the first start stays. */
  #getPollStart(): number {
    const { from, clock } = this.#options;
    if (this.#covered !== undefined) return this.#overlapFrom(this.#covered);
    this.#initialStart ??= this.#reader.floor(Math.max(clock.now() - LATE_WINDOW, from ?? 0));
    return this.#complete ? this.#reader.floor(from ?? 0) : this.#initialStart;
  }

  async #readNew(signal: AbortSignal): Promise<void> {
    const start = this.#getPollStart();
    const open = await this.#reader.read(start, undefined, { pages: MAX_WINDOW_PAGES }, signal);
    if (open.newest !== undefined) {
      if (open.done) this.#advanceCovered(open.newest);
      else await this.#catchUp(start, open.newest, signal);
    }
    this.#reached ??= start;
    if (this.#covered !== undefined) this.#lastPolled = this.#getPlatformTime(this.#covered);
  }

  #advanceCovered(newest: number | undefined): void {
    if (newest === undefined || newest <= (this.#covered ?? -Infinity)) return;
    this.#covered = newest;
    this.#coveredAt = this.#options.clock.now();
  }

  /** Reads a window that holds too much in narrower ones. Progress is kept if one fails. */
  async #catchUp(start: number, until: number, signal: AbortSignal): Promise<void> {
    let at = start;
    let span = this.#alignSpan((until - start) / 4);
    while (at <= until) {
      const part = await this.readWindow(at, at + span, signal);
      if (!part.done) {
        span = this.#alignSpan(span / 2);
        continue;
      }
      at += span;
      this.#advanceCovered(Math.min(at, until));
      if (part.items * 4 < MAX_WINDOW_PAGES * this.#options.pageSize)
        span = Math.max(this.#reader.dateResolution, span * 2);
    }
  }

  #alignSpan(span: number): number {
    return Math.max(this.#reader.dateResolution, this.#reader.floor(span));
  }

  async #readOlder(signal: AbortSignal): Promise<void> {
    this.#readingOlder = true;
    try {
      await this.#readOlderWindows(signal);
    } finally {
      this.#readingOlder = false;
    }
  }

  async #readOlderWindows(signal: AbortSignal): Promise<void> {
    const { from: minTime = -Infinity, buffer, changed } = this.#options;
    this.#reached ??= this.#reader.floor((this.#options.to ?? 0) + this.#reader.dateResolution);
    while (this.#olderWanted > 0 && !this.#complete && !buffer.full) {
      const to: number = this.#reached;
      if (to <= minTime || to <= 0) {
        this.#complete = true;
        break;
      }
      const unbounded = this.#span >= MAX_SPAN && minTime === -Infinity;
      const from = Math.max(this.#reader.floor(to - this.#span), this.#reader.floor(Math.max(minTime, 0)));
      const part = await this.#readOlderWindow(unbounded ? undefined : from, to, signal);
      if (!part.done) {
        // An unbounded window that holds too much becomes a bounded one.
        this.#span = this.#alignSpan(Math.min(this.#span, MAX_SPAN) / 4);
        continue;
      }
      this.#advanceCovered(part.newest);
      // `rereadFrom` was called meanwhile.
      if (this.#reached !== to) continue;
      this.#olderWanted -= part.items;
      this.#reached = unbounded ? 0 : from;
      this.#complete = unbounded || from <= minTime;
      if (part.items < this.#options.pageSize * 4) this.#span *= 4;
      changed();
    }
    this.#olderWanted = this.#options.from === undefined || this.#complete || buffer.full ? 0 : Infinity;
  }

  #readOlderWindow(from: number | undefined, to: number, signal: AbortSignal): Promise<WindowResult> {
    if (from !== undefined) return this.readWindow(from, to, signal);
    return this.#reader.read(undefined, to, { pages: MAX_WINDOW_PAGES }, signal);
  }

  /** Reads again the parts that are due. */
  async #rereadZones(signal: AbortSignal): Promise<void> {
    const { buffer, to, from = -Infinity, clock } = this.#options;
    const covered = this.#covered;
    const newest = to ?? covered;
    if (newest === undefined || this.#reached === undefined) return;
    const bottom = this.#reader.floor(Math.max(from, this.#reached, getOldestTime(buffer)));
    let end = to;
    if (to === undefined && covered !== undefined) {
      const overlap = this.#overlapFrom(covered);
      await this.#rereadRecent(bottom, overlap, signal);
      end = Math.min(overlap, this.#lateFrom());
    }
    end ??= newest;
    const now = to ?? this.#getPlatformTime(newest);
    for (const zone of this.#zones) {
      const start = Math.max(bottom, zone.maxAge === Infinity ? -Infinity : this.#reader.floor(now - zone.maxAge));
      if (start < end && clock.now() - zone.lastRead >= zone.interval) {
        zone.position = await this.#sweep(zone.position, start, end, SWEEP_ENTRIES, signal);
        zone.lastRead = clock.now();
      }
      end = Math.min(start, end);
    }
  }

  /** Reads again the share of the cycle that the time since the last part requires. */
  async #rereadRecent(bottom: number, end: number, signal: AbortSignal): Promise<void> {
    const { buffer, clock } = this.#options;
    const cycle = this.#cycle;
    const startCycle = (): void => {
      // Entries age while a cycle runs, so it starts where entries at the start of the previous cycle could still appear.
      const from = this.#lateFrom();
      cycle.start = cycle.position = Math.min(from, cycle.nextStart === -Infinity ? from : cycle.nextStart);
      cycle.nextStart = from;
    };
    if (cycle.start === -Infinity || cycle.position >= end) startCycle();
    const start = Math.max(bottom, cycle.start);
    const share = Math.min(1, (clock.now() - cycle.lastRead) / CYCLE_DURATION);
    const entries = Math.ceil(buffer.countBetween(start, end) * share);
    cycle.lastRead = clock.now();
    if (start >= end) return;
    cycle.position = await this.#sweep(
      cycle.position,
      start,
      end,
      Math.max(SWEEP_ENTRIES, Math.min(this.#sweepEntries, entries)),
      signal,
    );
    if (cycle.position === -Infinity) startCycle();
  }

  /**
   * Reads about `entries` entries again, from `position` to `end` at most. Resolves to the start of the next part:
   * `-Infinity` after the last one. Rejects with PlatformError.
   */
  async #sweep(position: number, start: number, end: number, entries: number, signal: AbortSignal): Promise<number> {
    const { buffer } = this.#options;
    let at = position > start && position < end ? position : start;
    let part = SWEEP_ENTRIES;
    for (let left = entries; left > 0 && at < end;) {
      const count = Math.min(Math.max(left, this.#reader.pageItems), part);
      const dense = buffer.countBetween(at, end) > count ? (buffer.timeAfter(at, count) ?? end) : end;
      const to = Math.min(end, Math.max(this.#reader.floor(dense), at + this.#reader.dateResolution));
      const { done, items } = await this.readWindow(at, to, signal);
      // Counts what was read, at least a page: loaded entries may no longer exist on the server.
      if (done) left -= Math.max(items, this.#reader.pageItems);
      if (done) at = to;
      else part = Math.max(1, Math.floor(part / 4));
    }
    return at < end ? at : -Infinity;
  }
}

/** Time before which the buffer stores nothing; `-Infinity` while it is not full. */
export function getOldestTime(buffer: WindowSchedulerOptions['buffer']): number {
  return buffer.full ? (buffer.timeAfter(-Infinity, 0) ?? buffer.minTime) : buffer.minTime;
}
