/** Pure: the entries of a view, bounded: by time then id, each once, the oldest go first and are counted. */
import { comparePlaces, Ordered } from '../webviews/client/logs/ordered.ts';
import type { LogEntry } from './entry.ts';

export const DEFAULT_LIMIT = 10_000;
export const HARD_LIMIT = 100_000;
/** Characters of JSON held over all entries; beyond that the oldest keep their row and lose their JSON. */
export const MOST_TEXT = 64 * 1024 * 1024;

/** What one batch did. */
export interface Change {
  readonly changed: readonly LogEntry[];
  readonly removed: readonly string[];
  readonly added: number;
}

export class LogBuffer {
  readonly #entries = new Ordered<LogEntry>();
  readonly #mostText: number;
  #limit: number;
  #text = 0;
  #dropped = 0;
  /** the youngest that has gone: what stands before it is not taken back */
  #floor: LogEntry | undefined;
  #stripped = 0;
  #least = -Infinity;

  constructor(limit = DEFAULT_LIMIT, mostText = MOST_TEXT) {
    this.#limit = clamp(limit);
    this.#mostText = mostText;
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

  /** How many have gone because of the limit. */
  get dropped(): number {
    return this.#dropped;
  }

  /** What is older was left behind, and is not taken back. */
  get least(): number {
    return this.#least;
  }

  /** Characters of JSON that are held. */
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

  /** The time of the entry that stands `count` places before the newest; `undefined` where there are fewer. */
  timeBack(count: number): number | undefined {
    return this.list[this.size - count]?.time;
  }

  countBetween(from: number, to: number): number {
    return this.#entries.countBefore(to) - this.#entries.countBefore(from);
  }

  /** The time `count` entries after `from`, at most the newest's; `undefined` where there is none. */
  timeAfter(from: number, count: number): number | undefined {
    const at = this.#entries.countBefore(from);
    return this.list[Math.min(at + count, this.size - 1)]?.time;
  }

  take(entries: readonly LogEntry[]): Change {
    const changed: LogEntry[] = [];
    for (const entry of entries) {
      const known = this.#entries.get(entry.key);
      if (known === undefined) {
        if (entry.time < this.#least) continue;
        if (this.#floor !== undefined && comparePlaces(entry, this.#floor) <= 0) continue;
        changed.push(entry);
      } else if (known.text === undefined) {
        // Its JSON was too long, or went: what the row shows tells whether it is another, and the JSON does not come back.
        const again = { ...keepTime(known, entry), text: undefined };
        if (JSON.stringify(known.row) !== JSON.stringify(again.row)) changed.push(again);
      } else if (known.text !== entry.text) changed.push(keepTime(known, entry));
    }
    for (const entry of changed) this.#text += lengthOf(entry) - lengthOf(this.#entries.get(entry.key));
    const added = this.#entries.put(changed);
    for (const entry of changed)
      if (entry.text !== undefined) this.#stripped = Math.min(this.#stripped, this.#entries.indexOf(entry) + 1);
    const removed = this.#trim();
    this.#lighten();
    const held = removed.length === 0 ? changed : changed.filter(({ key }) => this.#entries.get(key) !== undefined);
    return { changed: held, removed, added };
  }

  remove(keys: readonly string[]): Change {
    const gone = this.#entries.remove(keys);
    for (const entry of gone) this.#text -= lengthOf(entry);
    return { changed: [], removed: gone.map(({ key }) => key), added: 0 };
  }

  /** The range has moved on: what is older than its beginning goes, uncounted. */
  leave(before: number): Change {
    this.#least = before;
    return this.remove(this.list.slice(0, this.countBetween(-Infinity, before)).map(({ key }) => key));
  }

  /** A higher one has room again for what went. */
  setLimit(limit: number): Change {
    const before = this.#limit;
    this.#limit = clamp(limit);
    if (this.#limit > before) {
      this.#dropped = 0;
      this.#floor = undefined;
    }
    return { changed: [], removed: this.#trim(), added: 0 };
  }

  clear(): void {
    this.#entries.clear();
    this.#text = 0;
    this.#dropped = 0;
    this.#floor = undefined;
    this.#stripped = 0;
    this.#least = -Infinity;
  }

  #trim(): string[] {
    const gone = this.#entries.dropOldest(this.size - this.#limit);
    const last = gone.at(-1);
    if (last === undefined) return [];
    for (const entry of gone) this.#text -= lengthOf(entry);
    this.#dropped += gone.length;
    this.#stripped = Math.max(0, this.#stripped - gone.length);
    this.#floor = last;
    return gone.map(({ key }) => key);
  }

  #lighten(): void {
    if (this.#text <= this.#mostText) return;
    const lighter: LogEntry[] = [];
    // From the oldest on; those at the front have mostly lost theirs already.
    for (let at = Math.max(0, this.#stripped - 1); at < this.size && this.#text > this.#mostText; at++) {
      const entry = this.list[at];
      if (entry?.text === undefined) continue;
      this.#text -= entry.text.length;
      lighter.push({ ...entry, text: undefined });
      this.#stripped = at + 1;
    }
    if (lighter.length === 0) this.#stripped = 0;
    this.#entries.put(lighter);
  }
}

/** An answer that lacks the time does not move an entry whose time is known. */
function keepTime(known: LogEntry, entry: LogEntry): LogEntry {
  if (entry.row.timeless === undefined || known.row.timeless === true) return entry;
  const { timeless: _timeless, ...row } = entry.row;
  return { ...entry, time: known.time, row: { ...row, time: known.time } };
}

function lengthOf(entry: LogEntry | undefined): number {
  return entry?.text?.length ?? 0;
}

function clamp(limit: number): number {
  return Number.isFinite(limit) ? Math.min(HARD_LIMIT, Math.max(100, Math.floor(limit))) : DEFAULT_LIMIT;
}
