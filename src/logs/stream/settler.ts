import type { AnyQuery } from '../../platform/operation.ts';
import type { Item } from '../../platform/page.ts';
import { readStatus } from '../../platform/resources/action-log-fields.ts';
import { parseEntry } from '../entry.ts';
import type { PendingEntries } from './pending-entries.ts';
import type { WindowReader } from './window-reader.ts';

interface SettlerOptions {
  readonly connection: string;
  readonly query: AnyQuery;
  readonly pageSize: number;
  readonly clock: { now(): number };
  readonly buffer: {
    timeAfter(from: number, count: number): number | undefined;
    countBetween(from: number, to: number): number;
  };
  readonly reader: WindowReader;
  readonly pending: PendingEntries;
  readonly readWindow: (from: number, to: number, signal: AbortSignal) => Promise<unknown>;
  /** Adds entries that were read by id. */
  readonly addItems: (items: readonly Item[]) => void;
  /** Removes entries that no longer pass the filter. */
  readonly removeIds: (ids: readonly string[]) => void;
}

/** Approximate limit of requests in one poll. */
const MAX_REQUESTS = 20;
const DAY = 86_400_000;

/** Reads pending entries again until they have settled: neighbours by one time window, others by id. */
export class Settler {
  readonly #options: SettlerOptions;
  /** time of the last entry that the previous poll read */
  #position = -Infinity;

  constructor(options: SettlerOptions) {
    this.#options = options;
  }

  /** Reads a bounded part of the entries that are due and older than `before`. Rejects with PlatformError. */
  async poll(before: number, signal: AbortSignal): Promise<void> {
    const { clock, buffer, pageSize, query, pending, reader } = this.#options;
    const all = pending.getDue(before, clock.now());
    // Continues where the previous poll stopped, so that entries that never settle do not block others.
    const start = all.findIndex(({ time }) => time > this.#position);
    const due = start < 0 ? all : [...all.slice(start), ...all.slice(0, start)];
    let requests = MAX_REQUESTS;
    for (let at = 0; at < due.length && requests > 0;) {
      const first = due[at];
      if (first === undefined) break;
      // Groups what one page covers. A window filtered by status would not show settled entries, so those are read by id.
      const edge = reader.floor(buffer.timeAfter(first.time, pageSize - 1) ?? first.time) + reader.dateResolution;
      this.#position = edge - 1;
      const end = due.findIndex(({ time }, index) => index > at && (time >= edge || time < first.time));
      const group = due.slice(at, end < 0 ? due.length : end);
      const pages = Math.ceil(buffer.countBetween(first.time, edge) / pageSize);
      if (query['status'] === undefined && pages < group.length && edge - first.time <= DAY) {
        requests -= Math.max(1, pages);
        await this.#options.readWindow(reader.floor(first.time), edge, signal);
        for (const { id } of group) pending.markRequested(id, clock.now());
        at += group.length;
      } else {
        requests--;
        await this.#readById(first.id, signal);
        at++;
      }
    }
  }

  async #readById(id: string, signal: AbortSignal): Promise<void> {
    const { reader, connection, query, pending, clock, removeIds, addItems } = this.#options;
    const status = readStatus(query);
    const items = await reader.readId(id, signal);
    signal.throwIfAborted();
    const [entry] = items.flatMap(({ raw }) => parseEntry(connection, raw, 0) ?? []);
    if (entry === undefined) {
      pending.markRequested(id, clock.now());
    } else if (status !== undefined && entry.row.status !== status) {
      pending.remove(id);
      removeIds([id]);
    } else addItems(items);
  }
}
