import * as l10n from '@vscode/l10n';
import type { RowCounts } from '../batch.ts';
import { rowStates, type RowState } from '../journal/journal-format.ts';

/** The state of a row that does not belong to the batch. */
const NO_ROW = 255;

/** Where the last result of a row is in the journal, in bytes. */
export interface JournalPlace {
  readonly offset: number;
  readonly length: number;
}

/** The states of rows, and where their results are in the journal: 13 bytes a row. */
export class RowTable {
  /** rows of the batch */
  readonly rowCount: number;
  readonly maxRow: number;
  readonly #states: Uint8Array;
  readonly #offsets: Float64Array;
  readonly #lengths: Uint32Array;
  readonly #counts: number[] = rowStates.map(() => 0);

  /** `maxRow`: the highest number of a row · `rows`: those of the batch; absent: all */
  constructor(maxRow: number, rows?: Iterable<number>) {
    this.maxRow = maxRow;
    this.#states = new Uint8Array(maxRow + 1).fill(rows === undefined ? 0 : NO_ROW);
    this.#states[0] = NO_ROW;
    this.#offsets = new Float64Array(maxRow + 1);
    this.#lengths = new Uint32Array(maxRow + 1);
    for (const row of rows ?? []) this.#states[row] = 0;
    this.rowCount = this.#states.reduce((count, state) => (state === NO_ROW ? count : count + 1), 0);
    this.#counts[0] = this.rowCount;
  }

  get counts(): RowCounts {
    const count = (state: RowState): number => this.#counts[rowStates.indexOf(state)] ?? 0;
    return {
      notSent: count('notSent'),
      sending: count('sending'),
      unknown: count('unknown'),
      refused: count('refused'),
      accepted: count('accepted'),
      completed: count('completed'),
      failed: count('failed'),
    };
  }

  /** Numbers of the rows of the batch, ascending. */
  *[Symbol.iterator](): Generator<number> {
    for (const [row, state] of this.#states.entries()) if (state !== NO_ROW) yield row;
  }

  /** `undefined` for a row that is not of the batch. */
  getState(row: number): RowState | undefined {
    return rowStates[this.#states[row] ?? NO_ROW];
  }

  setState(row: number, state: RowState): void {
    const before = this.#states[row] ?? NO_ROW;
    if (before === NO_ROW) throw new Error(l10n.t('The batch has no row {0}', row));
    const after = rowStates.indexOf(state);
    this.#states[row] = after;
    this.#counts[before] = (this.#counts[before] ?? 0) - 1;
    this.#counts[after] = (this.#counts[after] ?? 0) + 1;
  }

  /** `undefined` for a row without a result. */
  getPlace(row: number): JournalPlace | undefined {
    const length = this.#lengths[row] ?? 0;
    return length === 0 ? undefined : { offset: this.#offsets[row] ?? 0, length };
  }

  setPlace(row: number, { offset, length }: JournalPlace): void {
    this.#offsets[row] = offset;
    this.#lengths[row] = length;
  }
}
