import type { Batch, BatchTotals, RowResult, RowState } from '../../actions/bulk/batch.ts';
import { formatDuration, formatLine } from '../../model/runs/run-record.ts';
import { formatSentence } from '../output/sanitize.ts';

/** Milliseconds between two lines if output is no terminal. */
const LINE_INTERVAL = 5000;
/** Rows that did not complete, whose lines are printed. */
const MAX_ROW_LINES = 100;

const labels: Readonly<Record<RowState, string>> = {
  completed: 'completed',
  failed: 'failed',
  refused: 'refused',
  unknown: 'unknown',
  accepted: 'accepted',
  sending: 'being sent',
  notSent: 'not sent',
};
const troubled: ReadonlySet<RowState> = new Set(['failed', 'refused', 'unknown']);

interface ProgressOutput {
  readonly print: (line: string) => void;
  /** replaces the last line of a terminal; absent: lines are printed now and then */
  readonly showStatus?: ((line: string) => void) | undefined;
}

/**
 * Prints the progress of a batch: a line that changes on a terminal, else a line every few seconds and at the start of a wait; and each row that did
 * not complete. Returns a function that stops.
 */
export function printProgress(batch: Batch, { print, showStatus }: ProgressOutput): () => void {
  let lastLine = Date.now();
  let isWaiting = false;
  let rowLines = 0;
  const printRow = (result: RowResult): void => {
    if (!troubled.has(result.state) || rowLines > MAX_ROW_LINES) return;
    rowLines++;
    print(
      rowLines > MAX_ROW_LINES ? 'More rows are in the journal.' : `row ${String(result.row)} ${formatRow(result)}`,
    );
  };
  return batch.listen((event) => {
    if (event.type === 'rows') {
      event.rows.forEach(printRow);
      return;
    }
    const line = formatTotals(event.totals);
    const isNewWait = event.totals.waitingUntil !== undefined && !isWaiting;
    isWaiting = event.totals.waitingUntil !== undefined;
    if (showStatus !== undefined) showStatus(line);
    else if (event.totals.status !== 'ended' && (isNewWait || Date.now() - lastLine >= LINE_INTERVAL)) {
      lastLine = Date.now();
      print(line);
    }
  });
}

function formatRow({ state, reason }: RowResult): string {
  return reason === undefined ? labels[state] : `${labels[state]}: ${formatSentence(reason)}`;
}

/** Formats the number of rows in each state: `12 completed, 1 failed, 3 not sent`. */
export function formatCounts({ counts }: Pick<BatchTotals, 'counts'>): string {
  const parts = Object.entries(labels).flatMap(([state, label]) => {
    const count = counts[state as RowState];
    return count === 0 ? [] : [`${String(count)} ${label}`];
  });
  return parts.length === 0 ? 'no rows' : parts.join(', ');
}

function formatTotals(totals: BatchTotals): string {
  const { rowCount, counts, rowsPerSecond, waitingUntil, status } = totals;
  const started = rowCount - counts.notSent;
  const pace = status === 'running' && counts.notSent > 0 ? ` · ${rowsPerSecond.toFixed(1)} per second` : '';
  const wait =
    waitingUntil === undefined ? '' : ` · the platform asks to wait ${formatDuration(waitingUntil - Date.now())}`;
  return formatLine(`${String(started)} of ${String(rowCount)} rows: ${formatCounts(totals)}${pace}${wait}`, 300);
}
