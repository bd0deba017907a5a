/** Pure: gathers what changed among the rows and posts it in slices, a while later: a burst is one redraw. */
import { SLICE, type LogRow } from '../webviews/protocol-logs.ts';
import type { Change, LogBuffer } from './buffer.ts';

/** Milliseconds that rows are gathered for before they are posted. */
const GATHER = 100;

export interface RowsMessage {
  readonly reset: boolean;
  readonly rows: LogRow[];
  readonly removed: string[];
  /** another slice of the same comes */
  readonly more: boolean;
}

export class RowsOut {
  readonly #buffer: LogBuffer;
  readonly #flush: () => void;
  readonly #shown: (row: LogRow) => LogRow;
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();
  #reset = true;
  #timer: NodeJS.Timeout | undefined;

  /** `flush`: it is time to post. `shown`: the row as it is posted */
  constructor(buffer: LogBuffer, flush: () => void, shown: (row: LogRow) => LogRow) {
    this.#buffer = buffer;
    this.#flush = flush;
    this.#shown = shown;
  }

  take(change: Change | 'reset'): void {
    if (change === 'reset') this.reset();
    else {
      for (const { key } of change.changed) {
        this.#changed.add(key);
        this.#removed.delete(key);
      }
      for (const key of change.removed) {
        this.#removed.add(key);
        this.#changed.delete(key);
      }
    }
    this.later();
  }

  /** These rows are shown otherwise now. */
  again(keys: readonly string[]): void {
    for (const key of keys) if (this.#buffer.get(key) !== undefined) this.#changed.add(key);
    this.later();
  }

  /** All rows go out with the next post. */
  reset(): void {
    this.#reset = true;
    this.#changed.clear();
    this.#removed.clear();
  }

  later(): void {
    this.#timer ??= setTimeout(this.#flush, GATHER);
  }

  /** Posts what has gathered; tells which ids were among it. */
  post(send: (message: RowsMessage) => void): ReadonlySet<string> {
    this.stop();
    const reset = this.#reset;
    const rows = (
      reset
        ? this.#buffer.list.map(({ row }) => row)
        : [...this.#changed].flatMap((key) => this.#buffer.get(key)?.row ?? [])
    ).map(this.#shown);
    const removed = [...this.#removed];
    this.reset();
    this.#reset = false;
    for (let at = 0; at === 0 || at < rows.length; at += SLICE) {
      const first = at === 0;
      const slice = rows.slice(at, at + SLICE);
      if (slice.length > 0 || removed.length > 0 || reset)
        send({ reset: reset && first, rows: slice, removed: first ? removed : [], more: at + SLICE < rows.length });
    }
    return new Set(rows.map(({ id }) => id));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
