import { redactText } from '../../actions/run/redact-variables.ts';
import { defaultFollowLimits } from '../../actions/follow/snapshot.ts';
import { formatLine, formatRunState, type RunRecord } from '../../model/runs/run-record.ts';
import { isFinalBatchStatus } from '../../platform/resources/action-log-fields.ts';
import { isFinalLogStatus } from '../../platform/resources/action-log-fields.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';
import type { Connection } from '../connection/open-connection.ts';
import type { RunContext } from './context.ts';

/** Formats what a run waits for, and how long at most, as one line. */
export function formatWait(
  run: RunRecord,
  { options: { follow, batch }, connection: { timeout } }: Pick<RunContext, 'options' | 'connection'>,
): string {
  const formatMax = (milliseconds: number): string => `${String(milliseconds / 1000)} s at most`;
  if (run.phase === 'sending') return `sent, waiting for the response, ${formatMax(timeout)}`;
  const state = formatRunState(run);
  // The search for a refused request is short.
  if (
    run.phase !== 'following' ||
    run.outcome === 'failed' ||
    (run.logStatus === undefined && run.actionId === undefined)
  )
    return state;
  if (run.logStatus === undefined) return `${state}, ${formatMax(follow)}`;
  if (!isFinalLogStatus(run.logStatus))
    return `${state}, waiting for it to be completed or failed, ${formatMax(follow)}`;
  if (!batch || run.logStatus === 'failed' || isFinalBatchStatus(run.batchStatus)) return state;
  if (run.batchId === undefined) return `${state}, ${formatMax(Math.min(follow, defaultFollowLimits.noBatch))}`;
  const log = `log ${formatLine(run.logStatus, 30)}, batch ${formatLine(run.batchId)}`;
  const status = run.batchStatus === undefined ? '' : ` ${formatLine(run.batchStatus, 30)}`;
  return `${log}${status}, waiting for it to be completed, ${formatMax(follow)}`;
}

/** Returns what the user can do about a run that did not go as expected, without the full stop. */
export function getNextStep(
  { outcome, status }: RunRecord,
  { connection: { credential, variables } }: Pick<RunContext, 'connection'>,
): string | undefined {
  if (status === 401)
    return Object.keys(credential).length === 0
      ? `Set ${variables.apiKey} or ${variables.accessToken}`
      : `Check ${formatCredential(credential, variables)}: the platform does not accept it, or it has expired`;
  if (status === 403) return 'Use a credential whose role or API key may create ebus.actions';
  if (status === 404 && outcome !== 'completed') return 'Check --base-url, which must be the base URL of the API';
  if (status === 429) return 'Wait as long as the platform asks, then run it again';
  if (outcome === 'unknown') return 'Check the action logs before you run it again: it may have been executed';
  return undefined;
}

/** Warns of a run without a credential. */
export function formatMissingCredential({ variables: { apiKey, accessToken } }: Pick<Connection, 'variables'>): string {
  return `note: neither ${apiKey} nor ${accessToken} is set; sending without a credential`;
}

/** The variables that a credential comes from, unless standard input replaced them. */
function formatCredential({ apiKey, accessToken }: Credential, variables: Connection['variables']): string {
  return [
    ...(apiKey === undefined ? [] : [variables.apiKey]),
    ...(accessToken === undefined ? [] : [variables.accessToken]),
  ].join(' and ');
}

/** Lines with the ids by which the run can be found on the platform. */
export function formatProof({ actionId, affected, transaction, possible }: RunRecord): readonly string[] {
  const ids = affected.map(({ id }) => id);
  const more = ids.length > 5 ? ` and ${String(ids.length - 5)} more` : '';
  const proof = [
    actionId === undefined ? '' : `action ${formatLine(actionId)}`,
    ids.length === 0 ? '' : `objects ${formatLine(ids.slice(0, 5).join(', '))}${more}`,
    transaction === undefined ? '' : `transaction ${formatLine(transaction)}`,
  ].filter((part) => part !== '');
  return [
    ...(proof.length > 0 ? [`      ${proof.join(' · ')}`] : []),
    ...possible.map(
      ({ id, signer }) =>
        `      possible action log: ${formatLine(id)} signed by ${formatLine(signer ?? 'an unknown signer')}`,
    ),
  ];
}

/** The properties of a run in a report, by name. */
export function getReportProperties(run: RunRecord, secrets: readonly string[]): Readonly<Record<string, string>> {
  const { identity, outcome, reason, actionId, logId, batchId, transaction } = run;
  const all = { identity, outcome, reason, action_id: actionId, log_id: logId, batch_id: batchId, transaction };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, redactText(formatLine(value, 1000), secrets)]],
    ),
  );
}
