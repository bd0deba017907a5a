import * as l10n from '@vscode/l10n';
import { isObject } from '../../platform/json/json.ts';
import { formatFee } from '../../platform/resources/action-log-fields.ts';
import { NO_REASON, formatReason, type LogRow } from '../../webviews/protocol/logs.ts';
import { formatStatus } from '../../model/text/status.ts';
import { formatList } from '../../platform/text/localization.ts';

interface FailureReportInput {
  /** with the best known reason */
  readonly row: LogRow;
  /** the raw log, or why it could not be read */
  readonly raw: unknown;
  readonly connection: string;
  readonly environment: string;
  readonly batch: string;
  readonly object: string;
  readonly run: string;
}

/** Formats one failure as Markdown to paste into an issue. The caller masks secrets. */
export function formatFailureReport({
  row,
  raw,
  connection,
  environment,
  batch,
  object,
  run,
}: FailureReportInput): string {
  const why = row.reasonSource === undefined ? NO_REASON : formatReason(row.message, row.reasonSource);
  const title = row.alias || row.action || l10n.t('action');
  const line = (name: string, value: string): string => (value === '' ? '' : `| ${name} | ${escapeCell(value)} |\n`);
  const block = (name: string, text: string): string => {
    if (text === '') return '';
    // A fence longer than any run of backticks in the text, so that it cannot end early.
    const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
    return `\n## ${name}\n\n${fence}json\n${text.trimEnd()}\n${fence}\n`;
  };
  return [
    `# ${l10n.t('Failed action: {0}', escapeCell(title))}\n\n| | |\n| --- | --- |\n`,
    line(l10n.t('Reason'), why),
    line(l10n.t('Status'), formatStatus(row.status)),
    line(l10n.t('Connection'), connection),
    line(l10n.t('Environment'), environment),
    line(l10n.t('Created'), row.withoutTime === true ? '' : new Date(row.time).toISOString()),
    line(l10n.t('Action log'), row.id),
    line(l10n.t('Signer'), row.signer),
    line(l10n.t('Fee'), isObject(raw) ? formatFee(raw) : row.fee),
    line(l10n.t('Objects'), formatList(row.objects, 'unit')),
    line(l10n.t('Batch'), row.batch),
    line(l10n.t({ message: 'Run', args: [], comment: 'Noun: one execution of an action file' }), run),
    block(l10n.t('Action log'), typeof raw === 'string' ? raw : JSON.stringify(raw, null, 2)),
    block(l10n.t('Batch'), batch),
    block(l10n.t('Current object'), object),
  ].join('');
}

/** Escapes Markdown in a table cell. */
function escapeCell(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+!|~&]/g, '\\$&').replace(/\s+/g, ' ');
}
