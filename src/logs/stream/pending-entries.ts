import type { LogEntry } from '../entry.ts';

interface PendingEntry {
  readonly time: number;
  /** when it was first read, by this machine's clock */
  readonly firstSeen: number;
  /** when to read it again */
  readonly due: number;
}

/** Longest time between two reads of one entry: milliseconds. */
const MAX_WAIT = 5 * 60_000;
/** Entries younger than this may settle any moment: milliseconds. */
const RECENT_AGE = 2 * 60_000;

/** Entries that have not settled. Each is read again less and less often. */
export class PendingEntries {
  readonly #entries = new Map<string, PendingEntry>();
  readonly #options: { readonly interval: number };

  /** `interval`: milliseconds between two polls; it may change */
  constructor(options: { readonly interval: number }) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** True if an entry was first read within the last minutes. */
  hasRecent(now: number): boolean {
    for (const { firstSeen } of this.#entries.values()) if (now - firstSeen < RECENT_AGE) return true;
    return false;
  }

  /** Records an entry that was just read. */
  update(entry: LogEntry, now: number): void {
    if (entry.final) this.#entries.delete(entry.id);
    else this.#put(entry.id, entry.time, now);
  }

  /** Postpones an entry that was requested and not found. */
  markRequested(id: string, now: number): void {
    const known = this.#entries.get(id);
    if (known !== undefined && known.due <= now) this.#put(id, known.time, now);
  }

  remove(id: string): void {
    this.#entries.delete(id);
  }

  /** Removes entries older than a moment. */
  removeBefore(moment: number): void {
    for (const [id, { time }] of this.#entries) if (time < moment) this.#entries.delete(id);
  }

  #put(id: string, time: number, now: number): void {
    const firstSeen = this.#entries.get(id)?.firstSeen ?? now;
    const wait = Math.min(MAX_WAIT, Math.max(this.#options.interval, (now - firstSeen) / 6));
    this.#entries.set(id, { time, firstSeen, due: now + wait });
  }

  /** Entries older than a moment that are due, oldest first. */
  getDue(before: number, now: number): { readonly id: string; readonly time: number }[] {
    const found: { readonly id: string; readonly time: number }[] = [];
    for (const [id, { time, due }] of this.#entries) if (due <= now && time < before) found.push({ id, time });
    return found.sort((a, b) => a.time - b.time);
  }
}
