import { compareItems, OrderedList } from '../../model/ordered-list.ts';
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
  /** the newest dropped entry: none older than it is added again */
  #newestDropped: LogEntry | undefined;
  #stripped = 0;
  #minTime = -Infinity;

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

  /** Older entries are not added: milliseconds since the epoch. */
  get minTime(): number {
    return this.#minTime;
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

  /** Time of the `count`th newest entry; `undefined` if there are fewer. */
  timeOfNthNewest(count: number): number | undefined {
    return this.list[this.size - count]?.time;
  }

  /** Number of entries from `from` on, before `to`. */
  countBetween(from: number, to: number): number {
    return this.#entries.countBefore(to) - this.#entries.countBefore(from);
  }

  /** Time of the entry `count` places after `from`, or of the newest; `undefined` if the buffer is empty. */
  timeAfter(from: number, count: number): number | undefined {
    const at = this.#entries.countBefore(from);
    return this.list[Math.min(at + count, this.size - 1)]?.time;
  }

  /** Adds or updates entries. */
  add(entries: readonly LogEntry[]): BufferChange {
    const changed: LogEntry[] = [];
    for (const entry of entries) {
      const known = this.#entries.get(entry.key);
      if (known === undefined) {
        if (entry.time < this.#minTime) continue;
        if (this.#newestDropped !== undefined && compareItems(entry, this.#newestDropped) <= 0) continue;
        changed.push(entry);
      } else if (known.text === undefined) {
        // The stored entry has no JSON to compare, so its row decides whether it changed; the JSON stays dropped.
        const updated = { ...keepTime(known, entry), text: undefined };
        if (JSON.stringify(known.row) !== JSON.stringify(updated.row)) changed.push(updated);
      } else if (known.text !== entry.text) changed.push(keepTime(known, entry));
    }
    for (const entry of changed) this.#text += getTextLength(entry) - getTextLength(this.#entries.get(entry.key));
    const added = this.#entries.put(changed);
    for (const entry of changed)
      if (entry.text !== undefined) this.#stripped = Math.min(this.#stripped, this.#entries.indexOf(entry) + 1);
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
    this.#minTime = before;
    return this.remove(this.list.slice(0, this.countBetween(-Infinity, before)).map(({ key }) => key));
  }

  /** Changes the limit. A higher one lets dropped entries be added again. */
  setLimit(limit: number): BufferChange {
    const before = this.#limit;
    this.#limit = clampLimit(limit);
    if (this.#limit > before) {
      this.#dropped = 0;
      this.#newestDropped = undefined;
    }
    return { changed: [], removed: this.#trim(), added: 0 };
  }

  clear(): void {
    this.#entries.clear();
    this.#text = 0;
    this.#dropped = 0;
    this.#newestDropped = undefined;
    this.#stripped = 0;
    this.#minTime = -Infinity;
  }

  #trim(): string[] {
    const dropped = this.#entries.dropOldest(this.size - this.#limit);
    const last = dropped.at(-1);
    if (last === undefined) return [];
    for (const entry of dropped) this.#text -= getTextLength(entry);
    this.#dropped += dropped.length;
    this.#stripped = Math.max(0, this.#stripped - dropped.length);
    this.#newestDropped = last;
    return dropped.map(({ key }) => key);
  }

  #dropText(): void {
    if (this.#text <= this.#maxText) return;
    const stripped: LogEntry[] = [];
    // Oldest first, starting behind those that were stripped before.
    for (let at = Math.max(0, this.#stripped - 1); at < this.size && this.#text > this.#maxText; at++) {
      const entry = this.list[at];
      if (entry?.text === undefined) continue;
      this.#text -= entry.text.length;
      stripped.push({ ...entry, text: undefined });
      this.#stripped = at + 1;
    }
    if (stripped.length === 0) this.#stripped = 0;
    this.#entries.put(stripped);
  }
}

/** Keeps the known time of an entry when a later answer lacks it. */
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
