import { compareItems, OrderedList, type TimedItem } from '../../model/ordered-list.ts';
import type { LogEntry } from '../entry.ts';

const DEFAULT_LIMIT = 10_000;
const MAX_LIMIT = 100_000;
/** Characters of JSON stored in total; beyond that the oldest entries keep their row and lose their JSON. */
const MAX_TEXT = 64 * 1024 * 1024;

/** Effect of one change of the buffer. */
export interface BufferChange {
  readonly changed: readonly LogEntry[];
  readonly removed: readonly string[];
  readonly added: number;
}

/** The entries of a view, ordered by time then id. Beyond its limit the oldest are dropped and counted. */
export class LogBuffer {
  readonly #entries = new OrderedList<LogEntry>();
  readonly #maxText: number;
  #limit: number;
  #text = 0;
  #dropped = 0;
  /** nothing up to here is added: the newest dropped entry, or the start of the range */
  #floor: TimedItem | undefined;

  constructor(limit = DEFAULT_LIMIT, maxText = MAX_TEXT) {
    this.#limit = clampLimit(limit);
    this.#maxText = maxText;
  }

  get limit(): number {
    return this.#limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  get full(): boolean {
    return this.size >= this.#limit;
  }

  /** Number of entries dropped because of the limit. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Older entries are not stored: milliseconds since the epoch. */
  get minTime(): number {
    const [oldest] = this.list;
    return Math.max(this.#floor?.time ?? -Infinity, this.full ? (oldest?.time ?? -Infinity) : -Infinity);
  }

  /** Characters of JSON stored. */
  get textLength(): number {
    return this.#text;
  }

  /** Oldest first. */
  get list(): readonly LogEntry[] {
    return this.#entries.list;
  }

  get(key: string): LogEntry | undefined {
    return this.#entries.get(key);
  }

  /** Number of entries older than a time. */
  countBefore(time: number): number {
    return this.#entries.countBefore(time);
  }

  /** Adds or updates entries. */
  add(entries: readonly LogEntry[]): BufferChange {
    const changed: LogEntry[] = [];
    for (const entry of entries) {
      const known = this.#entries.get(entry.key);
      if (known === undefined) {
        if (this.#floor === undefined || compareItems(entry, this.#floor) > 0) changed.push(entry);
      } else if (known.text === undefined) {
        // The stored entry has no JSON to compare, so its row decides whether it changed; the JSON stays dropped.
        const updated = { ...keepTime(known, entry), text: undefined };
        if (JSON.stringify(known.row) !== JSON.stringify(updated.row)) changed.push(updated);
      } else if (known.text !== entry.text) changed.push(keepTime(known, entry));
    }
    for (const entry of changed) this.#text += getTextLength(entry) - getTextLength(this.#entries.get(entry.key));
    const added = this.#entries.put(changed);
    const removed = this.#trim();
    this.#dropText();
    const stored = removed.length === 0 ? changed : changed.filter(({ key }) => this.#entries.get(key) !== undefined);
    return { changed: stored, removed, added };
  }

  remove(keys: readonly string[]): BufferChange {
    const removed = this.#entries.remove(keys);
    for (const entry of removed) this.#text -= getTextLength(entry);
    return { changed: [], removed: removed.map(({ key }) => key), added: 0 };
  }

  /** Removes entries older than `before` without counting them, and adds none of them again. */
  removeBefore(before: number): BufferChange {
    this.#raiseFloor({ key: '', id: '', time: before });
    return this.remove(this.list.slice(0, this.countBefore(before)).map(({ key }) => key));
  }

  /** Changes the limit. Dropped entries are added again only after `clear`. */
  setLimit(limit: number): BufferChange {
    this.#limit = clampLimit(limit);
    return { changed: [], removed: this.#trim(), added: 0 };
  }

  clear(): void {
    this.#entries.clear();
    this.#text = 0;
    this.#dropped = 0;
    this.#floor = undefined;
  }

  #trim(): string[] {
    const dropped = this.#entries.dropOldest(this.size - this.#limit);
    const last = dropped.at(-1);
    if (last === undefined) return [];
    for (const entry of dropped) this.#text -= getTextLength(entry);
    this.#dropped += dropped.length;
    this.#raiseFloor(last);
    return dropped.map(({ key }) => key);
  }

  #raiseFloor(item: TimedItem): void {
    if (this.#floor === undefined || compareItems(item, this.#floor) > 0) this.#floor = item;
  }

  #dropText(): void {
    const stripped: LogEntry[] = [];
    for (const entry of this.list) {
      if (this.#text <= this.#maxText) break;
      if (entry.text === undefined) continue;
      this.#text -= entry.text.length;
      stripped.push({ ...entry, text: undefined });
    }
    this.#entries.put(stripped);
  }
}

/** Keeps the known time of an entry when a later response lacks it. */
function keepTime(known: LogEntry, entry: LogEntry): LogEntry {
  if (entry.row.withoutTime === undefined || known.row.withoutTime === true) return entry;
  const { withoutTime: _withoutTime, ...row } = entry.row;
  return { ...entry, time: known.time, row: { ...row, time: known.time } };
}

function getTextLength(entry: LogEntry | undefined): number {
  return entry?.text?.length ?? 0;
}

function clampLimit(limit: number): number {
  return Number.isFinite(limit) ? Math.min(MAX_LIMIT, Math.max(100, Math.floor(limit))) : DEFAULT_LIMIT;
}
