import * as l10n from '@vscode/l10n';
import { formatHeading } from '../../model/text/heading.ts';
import { formatTimestamp } from '../../model/text/time-format.ts';
import { isFinalBatchStatus } from '../../platform/resources/action-log-fields.ts';
import { ENVIRONMENTS } from '../../model/session/session.ts';
import { formatDuration, formatLine, formatRunState, type RunRecord } from '../../model/runs/run-record.ts';

interface RunRowText {
  readonly description: string;
  readonly label: string;
  readonly tooltip: readonly string[];
}

/** Whether the run was sent to production, as stored with it. */
export function isProduction({ environment }: Pick<RunRecord, 'environment'>): boolean {
  return environment === 'production';
}

/** True if nothing more is expected: an interrupted run, or one with an undecided batch, may have changed since. */
export function isFullyCompleted(run: RunRecord): boolean {
  const { phase, outcome, interrupted, probable } = run;
  if (outcome !== 'completed' || interrupted === true || probable === true) return false;
  return phase !== 'ended' || isBatchSettled(run);
}

/** True if the log named no batch, or the batch is final. */
function isBatchSettled({ log, batchId, batchStatus }: RunRecord): boolean {
  return batchId === undefined ? log === undefined : isFinalBatchStatus(batchStatus);
}

/** True if a search on the platform can tell more about an ended run. */
export function canLookUp(run: RunRecord): boolean {
  if (run.phase !== 'ended') return false;
  return (
    run.outcome === 'unknown' || run.outcome === 'unfinished' || (run.outcome === 'completed' && !isBatchSettled(run))
  );
}

/** `PRODUCTION · Name as buyer` of the connection, as of the start of the run. */
export function formatRunConnection(
  run: Pick<RunRecord, 'connection' | 'environment' | 'identity' | 'origin'>,
): string {
  const environment = ENVIRONMENTS.find((one) => one === run.environment);
  // A stored record can contain any text.
  const baseUrl = URL.canParse(run.origin) ? run.origin : 'https://unknown.invalid';
  return formatLine(
    formatHeading({ name: run.connection, baseUrl, ...(environment && { environment }) }, run.identity),
  );
}

/** The row of a run. `now`: milliseconds since the epoch. */
export function formatRunRow(run: RunRecord, now = Date.now()): RunRowText {
  const date = formatTimestamp(run.started, now);
  const where = formatRunConnection(run);
  const state = formatRunState(run);
  const first = isProduction(run) ? [where, state] : [state, where];
  const duration = run.ended === undefined ? [] : [formatDuration(run.ended - run.started)];
  const summary = isProduction(run)
    ? l10n.t('{0}: {1}, {2}', where, run.name, state)
    : l10n.t('{0}, {1}, on {2}', run.name, state, where);
  return {
    description: [...first, date, ...duration].join(' · '),
    label: run.reason === undefined ? summary : l10n.t('{0}. {1}', summary, run.reason),
    tooltip: [`${where}, ${run.origin}`, `${run.effect}.`, run.reason ?? run.note ?? ''].filter((line) => line !== ''),
  };
}
