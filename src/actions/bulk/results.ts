import { formatCsvCell } from '../../model/export/export-writer.ts';
import type { Batch, BatchData, RowResult, RowState } from './batch.ts';

/** Rows that are formatted together. */
const CHUNK = 500;
const RESULT_COLUMNS = ['status', 'action_id', 'object_ids', 'batch_id', 'reason'] as const;

const stateLabels: Readonly<Record<RowState, string>> = {
  notSent: 'not sent',
  sending: 'sending',
  unknown: 'unknown',
  refused: 'refused',
  accepted: 'accepted',
  completed: 'completed',
  failed: 'failed',
};

/**
 * The results of a batch as CSV, part by part: the columns of the input, then status, action id, objects, batch and reason.
 * Formulas are escaped. Iterating rejects with Error if the journal cannot be read.
 */
export async function* formatResults(
  batch: Pick<Batch, 'getState' | 'readResults'>,
  data: BatchData,
): AsyncGenerator<string> {
  const names = new Set(data.columns);
  const added = RESULT_COLUMNS.map((column) => {
    let name: string = column;
    while (names.has(name)) name = `_${name}`;
    return name;
  });
  yield formatRow([...data.columns, ...added]);
  const all = data.rows.filter(({ number }) => batch.getState(number) !== undefined);
  for (let at = 0; at < all.length; at += CHUNK) {
    const rows = all.slice(at, at + CHUNK);
    const results = await batch.readResults(rows.map(({ number }) => number));
    yield rows
      .map(({ cells }, index) => {
        const result = results[index];
        const inputs = data.columns.map((_column, column) => cells[column]);
        return formatRow([...inputs, ...(result === undefined ? [] : getResultCells(result))]);
      })
      .join('');
  }
}

function getResultCells({ state, actionId, objects, ledgerBatch, reason }: RowResult): readonly unknown[] {
  return [stateLabels[state], actionId, objects?.join(' '), ledgerBatch, reason];
}

function formatRow(cells: readonly unknown[]): string {
  return `${cells.map(formatCsvCell).join(',')}\r\n`;
}
