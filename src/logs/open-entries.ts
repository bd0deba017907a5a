/** Pure: the entries that have not settled, and when each is to be looked at again: less and less often. */
import type { LogEntry } from './entry.ts';

interface Open {
  readonly time: number;
  /** when it was first seen, by this clock */
  readonly first: number;
  readonly due: number;
}

/** Milliseconds; an entry that has been pending for hours is not asked for every few seconds. */
const LONGEST_WAIT = 5 * 60_000;
const FRESH = 2 * 60_000;

export class OpenEntries {
  readonly #open = new Map<string, Open>();
  readonly #pace: { readonly interval: number };

  /** `interval`: between two looks; it may change */
  constructor(pace: { readonly interval: number }) {
    this.#pace = pace;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Whether one was first seen within the last minutes. */
  isFresh(now: number): boolean {
    for (const { first } of this.#open.values()) if (now - first < FRESH) return true;
    return false;
  }

  /** An entry as it was read just now. */
  note(entry: LogEntry, now: number): void {
    if (entry.final) this.#open.delete(entry.id);
    else this.#put(entry.id, entry.time, now);
  }

  /** Asked for; where no answer showed it, it may come back later. */
  asked(id: string, now: number): void {
    const known = this.#open.get(id);
    if (known !== undefined && known.due <= now) this.#put(id, known.time, now);
  }

  forget(id: string): void {
    this.#open.delete(id);
  }

  /** Those that are no longer held. */
  forgetBefore(moment: number): void {
    for (const [id, { time }] of this.#open) if (time < moment) this.#open.delete(id);
  }

  #put(id: string, time: number, now: number): void {
    const first = this.#open.get(id)?.first ?? now;
    const wait = Math.min(LONGEST_WAIT, Math.max(this.#pace.interval, (now - first) / 6));
    this.#open.set(id, { time, first, due: now + wait });
  }

  /** Those before a moment that are due, oldest first. */
  due(before: number, now: number): { readonly id: string; readonly time: number }[] {
    const found: { readonly id: string; readonly time: number }[] = [];
    for (const [id, { time, due }] of this.#open) if (due <= now && time < before) found.push({ id, time });
    return found.sort((a, b) => a.time - b.time);
  }
}
