import { MAX_ROWS_PER_MESSAGE, type LogRow, type RowsMessage } from '../../webviews/protocol/logs.ts';
import type { BufferChange, LogBuffer } from '../stream/buffer.ts';

/** Milliseconds to collect changes before posting them. */
const BATCH_DELAY = 100;

/** Collects changed rows and posts them in slices a moment later, so that a burst is rendered once. */
export class RowBatcher {
  readonly #buffer: LogBuffer;
  readonly #formatRow: (row: LogRow) => LogRow;
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();
  #reset = true;
  /** called when it is time to post */
  onElapsed: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `formatRow`: returns a row as it is posted. */
  constructor(buffer: LogBuffer, formatRow: (row: LogRow) => LogRow) {
    this.#buffer = buffer;
    this.#formatRow = formatRow;
  }

  add(change: BufferChange | 'reset'): void {
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
    this.schedule();
  }

  /** Posts rows again whose content did not change, but their format. */
  refresh(keys: readonly string[]): void {
    for (const key of keys) if (this.#buffer.get(key) !== undefined) this.#changed.add(key);
    this.schedule();
  }

  /** Posts all rows with the next flush. */
  reset(): void {
    this.#reset = true;
    this.#changed.clear();
    this.#removed.clear();
  }

  schedule(): void {
    this.#timer ??= setTimeout(() => this.onElapsed(), BATCH_DELAY);
  }

  /** Posts the collected changes. Returns the ids of the posted rows. */
  post(send: (message: RowsMessage) => void): ReadonlySet<string> {
    this.cancel();
    const reset = this.#reset;
    const rows = (
      reset
        ? this.#buffer.list.map(({ row }) => row)
        : [...this.#changed].flatMap((key) => this.#buffer.get(key)?.row ?? [])
    ).map(this.#formatRow);
    const removed = [...this.#removed];
    this.reset();
    this.#reset = false;
    for (let at = 0; at === 0 || at < rows.length; at += MAX_ROWS_PER_MESSAGE) {
      const first = at === 0;
      const slice = rows.slice(at, at + MAX_ROWS_PER_MESSAGE);
      if (slice.length > 0 || removed.length > 0 || reset)
        send({
          reset: reset && first,
          rows: slice,
          removed: first ? removed : [],
          more: at + MAX_ROWS_PER_MESSAGE < rows.length,
        });
    }
    return new Set(rows.map(({ id }) => id));
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
