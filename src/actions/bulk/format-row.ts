/** What the panel shows of a row. */
import { toPlainText } from '../../platform/text/plain-text.ts';
import { MAX_TEXT_LENGTH, type BulkRow } from '../../webviews/protocol/bulk.ts';
import type { RowFinding, RowResult, RowState } from './batch.ts';

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

interface Row {
  readonly number: number;
  readonly state: RowState;
  readonly cells: readonly string[];
  readonly result: RowResult | undefined;
  readonly check: RowCheck | undefined;
}

/** Formats a row for the page, as plain text. */
export function formatRow({ number, state, cells, result, check }: Row): BulkRow {
  const objects = result?.objects ?? [];
  return {
    number,
    state,
    ...(check !== undefined && { severity: check.severity }),
    cells: [...cells],
    action: toPlainText(result?.actionId ?? '', MAX_TEXT_LENGTH),
    object: toPlainText(objects[0] ?? '', MAX_TEXT_LENGTH),
    objects: objects.length,
    batch: toPlainText(result?.ledgerBatch ?? '', MAX_TEXT_LENGTH),
    reason: toPlainText(result?.reason ?? check?.message ?? '', MAX_TEXT_LENGTH),
  };
}

/** Formats a cell of the data. */
export function formatCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return toPlainText(value, MAX_CELL_LENGTH);
  return toPlainText(JSON.isRawJSON(value) ? value.rawJSON : JSON.stringify(value), MAX_CELL_LENGTH);
}
