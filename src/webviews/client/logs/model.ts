/** The rows of a view as they are loaded, looked through and shown: newest first, without a page around them. */
import type { LogRow, ViewState } from '../../protocol-logs.ts';
import { Ordered, type Placed } from './ordered.ts';
import { groupOf } from './failures.ts';
import { haystackOf, needleOf, type Needle } from './search.ts';

export interface Loaded extends Placed {
  readonly row: LogRow;
  /** what the search looks through, in lower case */
  readonly hay: string;
}

export interface Brush {
  /** milliseconds since the epoch; `to` is the first moment after it */
  readonly from: number;
  readonly to: number;
}

export class Model {
  readonly #rows = new Ordered<Loaded>();
  #found: readonly Loaded[] | undefined;
  #shown: readonly Loaded[] | undefined;
  #needle: Needle = needleOf('');
  #brush: Brush | undefined;
  #failure: string | undefined;

  get loaded(): number {
    return this.#rows.size;
  }

  get needle(): Needle {
    return this.#needle;
  }

  get brush(): Brush | undefined {
    return this.#brush;
  }

  /** Not everything that is loaded is shown. */
  get narrowed(): boolean {
    return !this.#needle.empty || this.#brush !== undefined || this.#failure !== undefined;
  }

  /** Everything that is loaded, oldest first. */
  get all(): readonly Loaded[] {
    return this.#rows.list;
  }

  get(key: string): Loaded | undefined {
    return this.#rows.get(key);
  }

  take({
    reset,
    rows,
    removed,
  }: {
    readonly reset: boolean;
    readonly rows: readonly LogRow[];
    readonly removed: readonly string[];
  }): void {
    if (reset) this.#rows.clear();
    if (removed.length > 0) this.#rows.remove(removed);
    this.#rows.put(rows.map((row) => ({ key: row.key, id: row.id, time: row.time, row, hay: haystackOf(row) })));
    this.#forget();
  }

  find(text: string): void {
    this.#needle = needleOf(text);
    this.#forget();
  }

  setBrush(brush: Brush | undefined): void {
    this.#brush = brush;
    this.#shown = undefined;
  }

  /** Of one group of failures alone, see failures.ts. */
  setFailure(group: string | undefined): void {
    this.#failure = group;
    this.#forget();
  }

  /** What passes the search, brushed or not; oldest first. The same array until something changes. */
  get found(): readonly Loaded[] {
    const group = this.#failure;
    if (this.#needle.empty && group === undefined) return this.all;
    return (this.#found ??= this.all.filter(
      ({ hay, row }) =>
        this.#needle.matches(hay) && (group === undefined || (row.status === 'failed' && groupOf(row) === group)),
    ));
  }

  /** What the table shows; newest first. The same array until something changes. */
  get shown(): readonly Loaded[] {
    return (this.#shown ??= this.#look().toReversed());
  }

  /** What leaves for a file: of the failures the failed ones alone; `undefined`: all that is loaded. */
  keysOf(mode: ViewState['mode'] | undefined): string[] | undefined {
    const failures = mode === 'failures';
    if (!failures && !this.narrowed) return undefined;
    return this.shown.filter(({ row }) => !failures || row.status === 'failed').map(({ key }) => key);
  }

  #look(): readonly Loaded[] {
    const { found } = this;
    if (this.#brush === undefined) return found;
    const { from, to } = this.#brush;
    return found.filter(({ time }) => time >= from && time < to);
  }

  #forget(): void {
    this.#found = undefined;
    this.#shown = undefined;
  }
}
