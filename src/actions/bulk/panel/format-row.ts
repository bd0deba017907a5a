/** What the panel shows of a row. */
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../../platform/text/localization.ts';
import { toText } from '../../../platform/json/json.ts';
import { toPlainText } from '../../../platform/text/plain-text.ts';
import { MAX_DATA_COLUMNS } from '../../../webviews/protocol/bulk.ts';
import type { BatchData, RowFinding } from '../batch.ts';

/** Rows that a panel holds. */
const MAX_ROWS = 50_000;
/** Characters of a cell, and of the label of a column. */
export const MAX_CELL_LENGTH = 120;

/** What the check found in one row. */
export interface RowCheck {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** Selects what is shown of the findings in each row: the first error, else the first warning. */
export function selectRowChecks(findings: readonly RowFinding[]): ReadonlyMap<number, RowCheck> {
  const checks = new Map<number, RowCheck>();
  for (const { row, severity, message } of findings) {
    if (row === undefined || severity === 'information') continue;
    const before = checks.get(row);
    if (before === undefined || (before.severity === 'warning' && severity === 'error'))
      checks.set(row, { severity, message });
  }
  return checks;
}

/** Reads the cells of all rows as texts. Rejects with Error, for users, if there are more rows than a panel holds. */
export async function readCells(data: BatchData, signal: AbortSignal): Promise<readonly (readonly string[])[]> {
  if (data.rowCount > MAX_ROWS)
    throw new Error(
      l10n.t(
        '{0} has {1} rows. A panel runs at most {2}; the command line runs any number',
        toPlainText(data.name),
        formatNumber(data.rowCount),
        formatNumber(MAX_ROWS),
      ),
    );
  const cells: (readonly string[])[] = [];
  for await (const row of data.read(signal))
    cells.push(row.cells.slice(0, MAX_DATA_COLUMNS).map((value) => toPlainText(toText(value), MAX_CELL_LENGTH)));
  return cells;
}
