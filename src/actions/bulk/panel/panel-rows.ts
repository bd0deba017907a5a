import { createBulkRow, type BulkRow, type RowFilter } from '../../../webviews/protocol/bulk.ts';
import type { Batch, DataRow } from '../batch.ts';
import { rowStates } from '../journal/journal-format.ts';
import type { Validation } from '../validate-batch.ts';
import { formatCells, type RowCheck } from './format-row.ts';

/** The rows of a panel as they are shown, filtered and skipped. `batch`: absent before the first row is sent. */
export class PanelRows {
  /** ascending; at first all rows of the data */
  numbers: readonly number[];
  checks: ReadonlyMap<number, RowCheck> = new Map();
  /** not sent */
  skipped: ReadonlySet<number> = new Set();
  readonly #data: readonly DataRow[];

  /** `data`: all rows of the data */
  constructor(data: readonly DataRow[]) {
    this.#data = data;
    this.numbers = data.map(({ number }) => number);
  }

  get unskipped(): readonly number[] {
    return this.numbers.filter((row) => !this.skipped.has(row));
  }

  /** Rows in which the check found errors or warnings, ascending. */
  listProblems({ rowProblems }: Partial<Validation> = {}): readonly number[] {
    return this.unskipped.filter((row) => rowProblems?.has(row));
  }

  /** What the rows do that are not skipped, with their number. */
  getEffects({ effects = [], problemEffects }: Partial<Validation> = {}): Validation['effects'] {
    const skipped = [...this.skipped].map((row) => problemEffects?.get(row));
    return effects.flatMap(({ effect, rowCount }) => {
      const rest = rowCount - skipped.filter((one) => one === effect).length;
      return rest > 0 ? [{ effect, rowCount: rest }] : [];
    });
  }

  /** Number of rows for each filter. */
  count(batch: Batch | undefined): Record<RowFilter, number> {
    const counts = batch?.totals.counts;
    const all = this.numbers.length;
    const found = { all, problems: this.select('problems', batch).length } as Record<RowFilter, number>;
    for (const state of rowStates) found[state] = counts?.[state] ?? (state === 'notSent' ? all : 0);
    return found;
  }

  /** Numbers of the rows that match a filter, ascending. */
  select(filter: RowFilter, batch: Batch | undefined): readonly number[] {
    if (filter === 'all') return this.numbers;
    if (filter === 'problems') return this.numbers.filter((row) => this.checks.has(row));
    if (batch === undefined) return filter === 'notSent' ? this.numbers : [];
    return this.numbers.filter((row) => batch.getState(row) === filter);
  }

  /** What is shown of rows. Rejects with Error if the journal cannot be read. */
  async read(numbers: readonly number[], batch: Batch | undefined): Promise<readonly BulkRow[]> {
    const results = (await batch?.readResults(numbers)) ?? [];
    const byRow = new Map(results.map((result) => [result.row, result]));
    return numbers.map((number) => {
      const result = byRow.get(number);
      return createBulkRow({
        number,
        state: result?.state ?? batch?.getState(number) ?? 'notSent',
        cells: formatCells(this.#data[number - 1]?.cells ?? []),
        result,
        check: this.checks.get(number),
      });
    });
  }
}
