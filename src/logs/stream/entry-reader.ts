import type { TimerClock } from '../../model/clock.ts';
import { hasPassed } from '../../model/has-passed.ts';
import type { AnyQuery } from '../../platform/operation.ts';
import type { Item, Page } from '../../platform/page.ts';
import { readStatus } from '../../platform/resources/action-log-fields.ts';
import { getEntryKey, parseEntry, type LogEntry } from '../entry.ts';
import type { BufferChange, LogBuffer } from './buffer.ts';
import { MAX_LIST_PAGES, WindowReader } from './window-reader.ts';

// All durations are milliseconds. An entry is late if it appears after its own date.
/** How far each poll reads back from the newest entry. */
const OVERLAP = 5000;
/** How far back entries are read again every `REREAD_INTERVAL`. */
const LATE = 90_000;
const REREAD_INTERVAL = 15_000;
/** Older entries that are read again with them, in turn. */
const REREAD_ENTRIES = 500;
/** Entries read at first if the range has no start. */
const INITIAL_ENTRIES = 300;
/** Length of the first window of older entries, and how much longer the next one is after a window with few. */
const OLDER_WINDOW = 10_000;
const WINDOW_GROWTH = 8;
/** Pending entries read by their ids in one poll. */
const MAX_PENDING_READS = 20;

export interface EntryReaderOptions {
  readonly connection: string;
  /** filters of the endpoint, without dates */
  readonly query: AnyQuery;
  /** 1 to 100 */
  readonly pageSize: number;
  /** resolution of the connection's date format in milliseconds */
  readonly dateResolution: number;
  readonly clock: TimerClock;
  /** the platform's time in milliseconds since the epoch, as far as known */
  readonly serverNow: () => number;
  /** milliseconds between two polls */
  readonly interval: number;
  /** start of the range; without one, older entries are read on request */
  readonly from?: number | undefined;
  /** end of the range */
  readonly to?: number | undefined;
  /** the loaded entries of all streams of a view */
  readonly buffer: LogBuffer;
  /** Called when entries or the state change. */
  readonly changed: (change?: BufferChange) => void;
}

interface PendingEntry {
  readonly time: number;
  /** when it was read, and how long not to read it again */
  readonly readAt: number;
  readonly wait: number;
}

/** Reads the entries of one stream into the buffer: new, older, again and pending ones. */
export class EntryReader {
  readonly #options: EntryReaderOptions;
  readonly #window: WindowReader;
  /** latest `when_created` that was read */
  #newest: number | undefined;
  #reached: number | undefined;
  #complete = false;
  #olderWanted: number;
  #olderWindow = OLDER_WINDOW;
  /** when the last reading again began, by this machine's clock, and where the next older part ends */
  #rereadAt: number;
  #rereadTo = -Infinity;
  /** by id, in the order of reading */
  readonly #pending = new Map<string, PendingEntry>();
  /** JSON of entries without an id, so that reading again does not count them twice */
  readonly #unreadable = new Set<string>();
  #added = 0;

  constructor(options: EntryReaderOptions, request: (query: AnyQuery, signal: AbortSignal) => Promise<Page>) {
    this.#options = options;
    this.#olderWanted = options.from === undefined ? INITIAL_ENTRIES : Infinity;
    this.#rereadAt = options.clock.now();
    this.#window = new WindowReader({ ...options, request, addItems: (items, from) => this.#addItems(items, from) });
  }

  /** Everything newer has been read: milliseconds since the epoch; `undefined` before the first poll. */
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

  /** Number of entries without an id. */
  get unreadable(): number {
    return this.#unreadable.size;
  }

  /** A list went on without new entries, and reading stopped. */
  get endless(): boolean {
    return this.#window.endless;
  }

  /** The last poll reached its limit of requests. */
  get exhausted(): boolean {
    return this.#window.exhausted;
  }

  /** The range is past, and everything in it is loaded and final. */
  get ended(): boolean {
    const { to = Infinity, serverNow } = this.#options;
    return this.#complete && this.#pending.size === 0 && serverNow() - LATE > to;
  }

  /** Reads about `count` older entries with the next poll. */
  requestOlder(count: number): void {
    this.#olderWanted = count;
  }

  /**
   * Reads once. `refresh`: all that is loaded, and every pending entry. Resolves to the number of new entries. Rejects
   * with PlatformError.
   */
  async read(refresh: boolean, signal: AbortSignal): Promise<number> {
    const now = this.#options.clock.now();
    this.#added = 0;
    this.#window.startPoll(refresh);
    const isReread = hasPassed(REREAD_INTERVAL, this.#rereadAt, now);
    const start = this.#window.floor(this.#getStart(refresh, isReread));
    await this.#readNew(start, signal);
    await this.#readOlder(signal);
    if (isReread) {
      await this.#rereadPart(start, signal);
      this.#rereadAt = now;
    }
    await this.#readPending(refresh ? Infinity : now, start, signal);
    return this.#added;
  }

  /** Start of the entries that the range and the buffer can have. */
  get #min(): number {
    return Math.max(this.#options.from ?? 0, this.#options.buffer.minTime);
  }

  #getStart(refresh: boolean, isReread: boolean): number {
    const { clock, to = Infinity, serverNow } = this.#options;
    const reached = this.#reached ?? Math.min(clock.now(), to) - OLDER_WINDOW;
    // Entries dated in the future do not hide others from those that are read again.
    const recent =
      this.#newest === undefined || refresh
        ? reached
        : isReread
          ? Math.min(this.#newest, serverNow()) - LATE
          : this.#newest - OVERLAP;
    return Math.max(recent, this.#min);
  }

  /** Reads from `start` on, the youngest part first, as far back as the buffer stores. */
  async #readNew(start: number, signal: AbortSignal): Promise<void> {
    let newest = this.#newest ?? 0;
    let { to } = this.#options;
    do {
      const part = await this.#window.read(Math.max(start, this.#min), to, signal);
      newest = Math.max(newest, part.newest);
      to = part.from;
    } while (to > Math.max(start, this.#min));
    if (newest > 0) this.#newest = newest;
    this.#reached ??= start;
  }

  /** Reads windows of older entries that widen while they contain few. */
  async #readOlder(signal: AbortSignal): Promise<void> {
    const { buffer, pageSize, changed } = this.#options;
    while (this.#olderWanted > 0 && !this.#complete && this.#reached !== undefined && !buffer.full) {
      const to = this.#reached;
      const maxPages = Math.min(MAX_LIST_PAGES, Math.ceil(this.#olderWanted / pageSize) + 5);
      const part = await this.#window.read(Math.max(to - this.#olderWindow, this.#min), to, signal, maxPages);
      if (part.newest > 0) this.#newest = Math.max(part.newest, this.#newest ?? 0);
      this.#olderWanted -= part.count;
      this.#reached = part.from;
      this.#complete = part.from <= this.#min && !buffer.full;
      this.#olderWindow = part.count < pageSize * 4 ? (to - part.from) * WINDOW_GROWTH : to - part.from;
      changed();
    }
    this.#olderWanted = 0;
  }

  /** Reads some of the loaded entries before `start` again, each time older ones, until all had their turn. */
  async #rereadPart(start: number, signal: AbortSignal): Promise<void> {
    const { buffer } = this.#options;
    const bottom = Math.max(this.#reached ?? start, this.#min);
    const to = this.#rereadTo > bottom && this.#rereadTo < start ? this.#rereadTo : start;
    if (to <= bottom) return;
    const first = buffer.list[buffer.countBefore(to) - REREAD_ENTRIES]?.time ?? bottom;
    this.#rereadTo = (await this.#window.read(Math.max(first, bottom), to, signal)).from;
  }

  /** Reads pending entries by their ids: those before `start`, as the others were just read. */
  async #readPending(now: number, start: number, signal: AbortSignal): Promise<void> {
    const { connection, query, buffer, changed } = this.#options;
    const status = readStatus(query);
    const due = [...this.#pending]
      // A list that is filtered by status does not show what has settled.
      .filter(([, { time, wait, readAt }]) => hasPassed(wait, readAt, now) && (status !== undefined || time < start))
      .slice(0, MAX_PENDING_READS);
    for (const [id, { time, wait }] of due) {
      const key = getEntryKey(connection, id);
      this.#pending.delete(id);
      if (buffer.get(key) === undefined) continue;
      this.#pending.set(id, { time, wait: wait * 2, readAt: this.#options.clock.now() });
      const items = await this.#window.readId(id, signal);
      const [entry] = items.flatMap(({ raw }) => parseEntry(connection, raw, 0) ?? []);
      if (status !== undefined && entry !== undefined && entry.row.status !== status) {
        this.#pending.delete(id);
        changed(buffer.remove([key]));
      } else this.#addItems(items, 0);
    }
  }

  #addItems(items: readonly Item[], from: number): readonly LogEntry[] {
    const { buffer, connection, clock, interval, changed } = this.#options;
    const now = clock.now();
    // A page can contain two states of one log.
    const entries = new Map<string, LogEntry>();
    for (const { raw } of items) {
      const entry = parseEntry(connection, raw, from === 0 ? now : from, (key) => entries.get(key) ?? buffer.get(key));
      if (entry === undefined) {
        if (this.#unreadable.size < buffer.limit) this.#unreadable.add(JSON.stringify(raw).slice(0, 1000));
        continue;
      }
      entries.set(entry.key, entry);
      if (entry.final) this.#pending.delete(entry.id);
      else if (!this.#pending.has(entry.id))
        this.#pending.set(entry.id, { time: entry.time, wait: interval, readAt: now });
    }
    const change = buffer.add([...entries.values()]);
    this.#added += change.added;
    if (change.changed.length > 0 || change.removed.length > 0) changed(change);
    return [...entries.values()];
  }
}
