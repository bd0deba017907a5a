/** What the panel shows of a row. */
import { toText } from '../../../platform/json/json.ts';
import { toPlainText } from '../../../platform/text/plain-text.ts';
import { MAX_DATA_COLUMNS } from '../../../webviews/protocol/bulk.ts';
import type { RowFinding } from '../batch.ts';

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

/** Formats the cells of a row that are shown. */
export function formatCells(cells: readonly unknown[]): readonly string[] {
  return cells.slice(0, MAX_DATA_COLUMNS).map((value) => toPlainText(toText(value), MAX_CELL_LENGTH));
}
