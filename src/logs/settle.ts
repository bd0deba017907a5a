/** Pure: looks at open entries again until they have settled: by a window where they lie close, by id where they do not. */
import type { AnyQuery } from '../platform/operation.ts';
import type { Item } from '../platform/page.ts';
import { entryOf } from './entry.ts';
import type { OpenEntries } from './open-entries.ts';
import type { Windows } from './windows.ts';

export interface SettlerOptions {
  readonly connection: string;
  readonly query: AnyQuery;
  readonly pageSize: number;
  readonly clock: { now(): number };
  readonly held: {
    timeAfter(from: number, count: number): number | undefined;
    countBetween(from: number, to: number): number;
  };
  readonly windows: Windows;
  readonly open: OpenEntries;
  readonly slice: (from: number, to: number, signal: AbortSignal) => Promise<unknown>;
  /** Holds what was read by its id. */
  readonly took: (items: readonly Item[]) => void;
  /** ids that no longer pass the filter */
  readonly gone: (ids: readonly string[]) => void;
}

/** Requests of one look, about. */
const MOST_REQUESTS = 20;
const DAY = 86_400_000;

export class Settler {
  readonly #options: SettlerOptions;
  /** how far the last look came */
  #settled = -Infinity;

  constructor(options: SettlerOptions) {
    this.#options = options;
  }

  /** A bounded part of what is due and older than `before`. Throws PlatformError. */
  async look(before: number, signal: AbortSignal): Promise<void> {
    const { clock, held, pageSize, query, open, windows } = this.#options;
    const all = open.due(before, clock.now());
    // On from where the last look stopped, so that many that never settle do not keep the others waiting.
    const turn = all.findIndex(({ time }) => time > this.#settled);
    const due = turn < 0 ? all : [...all.slice(turn), ...all.slice(0, turn)];
    let requests = MOST_REQUESTS;
    for (let at = 0; at < due.length && requests > 0;) {
      const first = due[at];
      if (first === undefined) break;
      // As many as a window of one page covers; with a filter for the status a window would not show what has settled.
      const edge = windows.floor(held.timeAfter(first.time, pageSize - 1) ?? first.time) + windows.grain;
      this.#settled = edge - 1;
      const end = due.findIndex(({ time }, index) => index > at && (time >= edge || time < first.time));
      const group = due.slice(at, end < 0 ? due.length : end);
      const pages = Math.ceil(held.countBetween(first.time, edge) / pageSize);
      if (query['status'] === undefined && pages < group.length && edge - first.time <= DAY) {
        requests -= Math.max(1, pages);
        await this.#options.slice(windows.floor(first.time), edge, signal);
        for (const { id } of group) open.asked(id, clock.now());
        at += group.length;
      } else {
        requests--;
        await this.#byId(first.id, signal);
        at++;
      }
    }
  }

  async #byId(id: string, signal: AbortSignal): Promise<void> {
    const { windows, connection, query, open, clock, gone, took } = this.#options;
    const wanted = query['status'];
    const items = await windows.readId(id, signal);
    signal.throwIfAborted();
    const [entry] = items.flatMap(({ raw }) => entryOf(connection, raw, 0) ?? []);
    if (entry === undefined) {
      open.asked(id, clock.now());
    } else if (wanted !== undefined && entry.row.status !== wanted) {
      open.forget(id);
      gone([id]);
    } else took(items);
  }
}
