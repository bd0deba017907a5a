import { hash } from 'node:crypto';
import type { BatchData } from '../../src/actions/bulk/batch.ts';
import { ColumnGuesser } from '../../src/actions/bulk/data/column-types.ts';
import { formatRows } from '../../src/actions/bulk/data/open-data.ts';

/** The data of rows, whose cells are in the order of the columns. */
export function createData(
  name: string,
  columns: readonly string[],
  cells: readonly (readonly unknown[])[],
): BatchData {
  const guesses = columns.map((_column, index) => {
    const guesser = new ColumnGuesser();
    for (const row of cells) guesser.add(row[index]);
    return guesser.result;
  });
  const rows = cells.map((row, index) => ({ number: index + 1, cells: row }));
  return { name, columns, guesses, rows, findings: [], digest: hash('sha256', formatRows(columns, cells)) };
}
