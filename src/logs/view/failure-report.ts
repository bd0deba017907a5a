import { isObject } from '../../platform/json/json.ts';
import { formatFee } from '../../platform/resources/action-log-fields.ts';
import { NO_REASON, reasonSourceLabels, type LogRow } from '../../webviews/protocol/logs.ts';

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
  const why = row.reasonSource === undefined ? NO_REASON : `${row.message} (${reasonSourceLabels[row.reasonSource]})`;
  const title = row.alias || row.action || 'action';
  const line = (name: string, value: string): string => (value === '' ? '' : `| ${name} | ${escapeCell(value)} |\n`);
  const block = (name: string, text: string): string => {
    if (text === '') return '';
    // A fence longer than any run of backticks in the text, so that it cannot end early.
    const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
    return `\n## ${name}\n\n${fence}json\n${text.trimEnd()}\n${fence}\n`;
  };
  return [
    `# Failed action: ${escapeCell(title)}\n\n| | |\n| --- | --- |\n`,
    line('Reason', why),
    line('Status', row.status),
    line('Connection', connection),
    line('Environment', environment),
    line('Created', new Date(row.time).toISOString()),
    line('Log', row.id),
    line('Signer', row.signer),
    line('Fee', isObject(raw) ? formatFee(raw) : row.fee),
    line('Objects', row.objects.join(', ')),
    line('Batch', row.batch),
    line('Run', run),
    block('Action log', typeof raw === 'string' ? raw : JSON.stringify(raw, null, 2)),
    block('Batch', batch),
    block('Current object', object),
  ].join('');
}

/** Escapes Markdown in a table cell. */
function escapeCell(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+!|~&]/g, '\\$&').replace(/\s+/g, ' ');
}
