import type { AnyQuery } from '../../platform/operation.ts';
import type { LogEntry } from '../entry.ts';
import type { ReadPage } from './window-reader.ts';

/** Time and timers, replaced in tests. */
export interface TailClock {
  /** milliseconds since the epoch */
  now(): number;
  /** Resolves after `milliseconds`. Rejects when the signal fires. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Calls `run` once after `milliseconds`. Returns a function that cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}

/** The loaded entries of all streams of a view. */
interface EntryIndex {
  get(key: string): LogEntry | undefined;
  timeOfNthNewest(count: number): number | undefined;
  timeAfter(from: number, count: number): number | undefined;
  countBetween(from: number, to: number): number;
  readonly full: boolean;
  /** older entries are not stored: milliseconds since the epoch */
  readonly minTime: number;
}

export interface TailOptions {
  readonly connection: string;
  readonly read: ReadPage;
  /** filters of the endpoint, without dates */
  readonly query: AnyQuery;
  /** 1 to 100 */
  readonly pageSize: number;
  /** resolution of the connection's date format in milliseconds */
  readonly dateResolution: number;
  readonly clock: TailClock;
  /** the platform's time in milliseconds since the epoch, if known */
  readonly serverNow?: () => number;
  /** milliseconds between two polls */
  readonly interval: number;
  /** start of the range; without one, older entries are read on request */
  readonly from?: number | undefined;
  /** end of the range; with one, no new entries are polled */
  readonly to?: number | undefined;
  readonly buffer: EntryIndex;
  /** Stores the entries of one page. Returns how many were new. */
  readonly addEntries: (entries: readonly LogEntry[]) => number;
  /** Removes entries that no longer pass the filter. */
  readonly removeIds: (ids: readonly string[]) => void;
  /** Called when the tail's state changes. */
  readonly changed: () => void;
}
