/** The sentences of a batch: progress, notice, confirmation. */
import * as l10n from '@vscode/l10n';
import { formatList, formatNumber, pluralize } from '../../../platform/text/localization.ts';
import { toPlainText } from '../../../platform/text/plain-text.ts';
import type { BulkState } from '../../../webviews/protocol/bulk.ts';
import type { RowCounts, RowState } from '../batch.ts';
import type { PanelBatch } from './panel-batch.ts';
import type { RowsEffect } from '../../run/confirm/confirm-runs.ts';

const MAX_NOTICE_LENGTH = 2000;
/** Findings about the data as a whole that are shown. */
const MAX_FINDINGS = 5;
/** Rows with problems that a confirmation names. */
const MAX_PROBLEMS = 8;

/** Says how far a batch is. */
export function formatBatchProgress(batch: PanelBatch): string {
  const { phase } = batch;
  const total = batch.select('all').length;
  if (phase === 'checking')
    return batch.input.checkedRows === 0
      ? l10n.t('Reading the rows…')
      : l10n.t('Checking the rows: {0} of {1}…', formatNumber(batch.input.checkedRows), formatNumber(total));
  const totals = batch.batch?.totals;
  if (phase === 'ready' || totals === undefined) return formatCheck(batch, total);
  const { counts, rowsPerSecond } = totals;
  const waiting = counts.notSent + counts.sending + counts.accepted;
  const done = l10n.t(
    'Results: {0} of {1} rows ({2}).',
    formatNumber(total - waiting),
    formatNumber(total),
    formatCounts(counts),
  );
  switch (phase) {
    case 'running':
      return rowsPerSecond === 0
        ? done
        : l10n.t('{0} Rate: {1} rows/s.', done, formatNumber(Math.round(rowsPerSecond * 10) / 10));
    case 'paused':
      return l10n.t('Paused. {0}', done);
    case 'stopping':
      return l10n.t('Stopping after the rows in progress. {0}', done);
    case 'stopped':
      return l10n.t('Stopped. {0}', done);
    case 'ended':
      return l10n.t('Ended. {0}', formatCounts(counts));
  }
}

function formatCheck({ input: { validation } }: PanelBatch, total: number): string {
  const rows = pluralize(total, l10n.t('{0} row.|{0} rows.'));
  if (validation === undefined) return rows;
  const { errorCount, warningCount } = validation;
  if (errorCount + warningCount === 0) return l10n.t('{0} No problems found. Nothing was sent.', rows);
  const errors = pluralize(errorCount, l10n.t('{0} error|{0} errors'));
  const warnings = pluralize(warningCount, l10n.t('{0} warning|{0} warnings'));
  if (errorCount === 0 || warningCount === 0)
    return l10n.t('{0} The check found {1}. Nothing was sent.', rows, errorCount === 0 ? warnings : errors);
  return l10n.t('{0} The check found {1} and {2}. Nothing was sent.', rows, errors, warnings);
}

/** `3 completed, 1 failed`: the states that rows have, the results first. */
export function formatCounts(counts: RowCounts): string {
  const labels: readonly (readonly [RowState, string])[] = [
    ['completed', l10n.t('{0} completed', formatNumber(counts.completed))],
    ['failed', l10n.t('{0} failed', formatNumber(counts.failed))],
    ['refused', l10n.t('{0} refused', formatNumber(counts.refused))],
    ['unknown', l10n.t('{0} unknown', formatNumber(counts.unknown))],
    ['accepted', l10n.t('{0} accepted', formatNumber(counts.accepted))],
    ['sending', l10n.t('{0} being sent', formatNumber(counts.sending))],
    ['notSent', l10n.t('{0} not sent', formatNumber(counts.notSent))],
  ];
  return formatList(
    labels.filter(([state]) => counts[state] > 0).map(([, label]) => label),
    'unit',
  );
}

/** Names the connection and what the rows do. */
export function formatBatchSummary({ input: { validation } }: PanelBatch, heading: string): string {
  const [first, ...others] = validation?.effects ?? [];
  if (first === undefined) return heading;
  if (others.length === 0) return l10n.t('{0} · {1}', heading, first.effect);
  return pluralize(
    others.length,
    l10n.t('{1} · {2}, and {0} other effect|{1} · {2}, and {0} other effects'),
    heading,
    first.effect,
  );
}

/** Says what keeps a batch from going on, or what to know about it; empty for nothing. */
export function formatBatchNotice(batch: PanelBatch): BulkState['notice'] {
  const { problem } = batch;
  const { validation } = batch.input;
  const totals = batch.batch?.totals;
  if (problem !== undefined) return createNotice('error', problem);
  const wait = (totals?.waitingUntil ?? 0) - Date.now();
  if (wait > 0 && totals?.status === 'running' && totals.counts.notSent > 0) {
    const seconds = formatNumber(Math.ceil(wait / 1000));
    return createNotice('info', l10n.t('Waiting {0} s, asked by the platform. Sending continues afterwards.', seconds));
  }
  if (totals?.reason !== undefined) return createNotice('warning', totals.reason);
  const findings = [...batch.sentBefore, ...batch.input.getFindings().map(({ message }) => message)].slice(
    0,
    MAX_FINDINGS,
  );
  const errorCount = validation?.errorCount ?? 0;
  if (batch.isUnsent && (errorCount > 0 || findings.length > 0)) {
    const hint =
      errorCount === 0
        ? []
        : batch.canRun
          ? [l10n.t('Rows with errors are skipped')]
          : [l10n.t('Correct the errors in the data or the action file to run the batch')];
    return createNotice(errorCount > 0 ? 'error' : 'warning', [...findings, ...hint].join('. '));
  }
  if ((totals?.counts.unknown ?? 0) > 0 && (batch.phase === 'ended' || batch.phase === 'stopped'))
    return createNotice(
      'warning',
      l10n.t(
        'Unknown rows may have been executed. They won’t be sent again; only their action logs can be searched for again',
      ),
    );
  return createNotice('info', '');
}

function createNotice(tone: BulkState['notice']['tone'], sentence: string): BulkState['notice'] {
  const text = toPlainText(sentence, MAX_NOTICE_LENGTH - 1);
  return { tone, text: text === '' || /[.…]$/.test(text) ? text : `${text}.` };
}

/** What a confirmation says: the number of rows, and what they do together. */
export function formatBatchEffects(batch: PanelBatch): RowsEffect {
  const { stored, sendable } = batch;
  const action = toPlainText(stored.action.name, 80);
  const data = toPlainText(stored.data.name, 80);
  const isWholeSelection = stored.data.uri === undefined && sendable === batch.select('all').length;
  return {
    warnings: [
      ...(batch.isUnsent ? batch.sentBefore.map((sentence) => `${sentence}.`) : []),
      ...(batch.problemRows.length > 0 ? formatProblems(batch) : []),
    ],
    summary: isWholeSelection
      ? l10n.t('Runs {0} for {1}', action, data)
      : pluralize(sendable, l10n.t('Runs {1} for {0} row of {2}|Runs {1} for {0} rows of {2}'), action, data),
    effects: batch.effects.map(({ effect, rowCount }) =>
      rowCount === 1 ? effect : l10n.t('{0} times: {1}', formatNumber(rowCount), effect),
    ),
  };
}

/** Says how many rows have known problems, and lists the first few, a line each. */
export function formatProblems(batch: PanelBatch): readonly [string, ...string[]] {
  const { problemRows: rows } = batch;
  const first = rows.slice(0, MAX_PROBLEMS).flatMap((row) => {
    const [finding] = batch.input.getFindings(row);
    return finding === undefined ? [] : [l10n.t('Row {0}: {1}', formatNumber(row), finding.message)];
  });
  const rest = rows.length - MAX_PROBLEMS;
  return [
    pluralize(rows.length, l10n.t('{0} row has a problem|{0} rows have problems')),
    ...first,
    ...(rest > 0 ? [l10n.t('… and {0} more', formatNumber(rest))] : []),
  ];
}
