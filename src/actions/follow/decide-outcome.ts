import { stored, type StoredText } from '../../platform/text/message.ts';
import type { JsonObject } from '../../platform/json/json.ts';
import {
  isFinalBatchStatus,
  readBatchFailureReason,
  readFailureReason,
  readId,
} from '../../platform/resources/action-log-fields.ts';
import { describeFailedStep } from '../run/execution-result.ts';
import type { FollowSnapshot, MatchedLog } from './snapshot.ts';
import type { RunOutcome } from '../../model/runs/run-outcome.ts';
import {
  formatLine,
  formatJson,
  type PossibleLog,
  type ReasonSource,
  type RunChange,
  type RunStep,
} from '../../model/runs/run-record.ts';
import { getStatusText } from '../../model/text/status.ts';

export interface Verdict {
  readonly outcome: RunOutcome;
  readonly reason: StoredText;
  readonly reasonFrom?: ReasonSource;
}

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The verdict of a failed step, if there is one. */
export function decideBySteps(steps: readonly RunStep[]): Verdict | undefined {
  const reason = describeFailedStep(steps);
  return reason === undefined ? undefined : { outcome: 'failed', reason, reasonFrom: 'step' };
}

/** The verdict of a snapshot and of the steps of the response. */
export function decideOutcome(snapshot: FollowSnapshot, steps: readonly RunStep[]): Verdict {
  const byStep = decideBySteps(steps);
  if (byStep !== undefined) return byStep;
  const { log, logStatus, batch, batchStatus, note } = snapshot;
  if (logStatus === 'failed' || batchStatus === 'failed') {
    return { outcome: 'failed', ...explainFailure(logStatus === 'failed', log, batch) };
  }
  if (logStatus === 'completed') {
    if (batchStatus === 'completed')
      return { outcome: 'completed', reason: stored('The action and its batch completed') };
    if (isFinalBatchStatus(batchStatus))
      return {
        outcome: 'completed',
        reason: stored('The action completed. Batch status: {0}', getStatusText(batchStatus ?? '')),
      };
    const reason =
      note === undefined
        ? stored('The action completed. Its batch has not completed yet')
        : stored('The action completed. {0}', note);
    return { outcome: 'completed', reason };
  }
  const last =
    logStatus === undefined
      ? stored('Accepted, but no action log was found')
      : stored('Accepted, but the last known status of the action log was {0}', getStatusText(logStatus));
  return { outcome: 'unfinished', reason: note === undefined ? last : stored('{0}. {1}', last, note) };
}

/** The error of the batch first: the contract has none on logs. */
function explainFailure(
  actionFailed: boolean,
  log: JsonObject | undefined,
  batch: JsonObject | undefined,
): Pick<Verdict, 'reason' | 'reasonFrom'> {
  const batchError = batch === undefined ? undefined : readBatchFailureReason(batch);
  if (batchError !== undefined) {
    const reason = actionFailed
      ? stored('{0} (from the batch)', batchError)
      : stored('{0} (the batch failed)', batchError);
    return { reason, reasonFrom: 'batch' };
  }
  const logError = log === undefined ? undefined : readFailureReason(log);
  if (logError !== undefined) {
    const { text, field } = logError;
    return {
      reason: actionFailed
        ? stored('{0} (from `{1}` of the action log)', text, field)
        : stored('{0} (the batch failed; from `{1}` of the action log)', text, field),
      reasonFrom: 'log',
    };
  }
  return {
    reason: actionFailed
      ? stored('The action failed. The platform gave no reason')
      : stored('The batch failed. The platform gave no reason'),
  };
}

/** The fields of a record that a snapshot sets, as far as they differ from those of the one before. */
export function getSnapshotFields(snapshot: FollowSnapshot, before: FollowSnapshot): RunChange {
  const { log, logStatus, batch, batchStatus, probable, possible } = snapshot;
  const [logId, batchId] = [readId(log?.['id']), readId(log?.['batch_id'])];
  const hash = readText(batch?.['l1_tx_hash']) ?? readText(batch?.['l2_tx_hash']);
  return {
    note: describeNote(snapshot),
    ...(probable === true && { probable }),
    ...(log !== undefined && log !== before.log && { log: formatJson(log) }),
    ...(logStatus !== undefined && { logStatus: formatLine(logStatus, 60) }),
    ...(logId !== undefined && { logId }),
    ...(batchId !== undefined && { batchId }),
    ...(batch !== undefined && batch !== before.batch && { batch: formatJson(batch) }),
    ...(batchStatus !== undefined && { batchStatus: formatLine(batchStatus, 60) }),
    // All zeros mean "not settled yet".
    ...(hash !== undefined && !/^(?:0x)?0*$/.test(hash) && { transaction: hash }),
    ...(possible !== before.possible && { possible: possible.map((match) => createPossibleLog(match)) }),
  };
}

function describeNote({ stage, note, possible, isFinished }: FollowSnapshot): StoredText {
  if (stage !== 'search' || note !== undefined) return note ?? '';
  if (!isFinished) return stored('Searching for its action log');
  return possible.length > 0 ? '' : stored('No action log was found');
}

function createPossibleLog({ id, log, quality }: MatchedLog): PossibleLog {
  const [status, signer, when] = ['status', 'signer', 'when_created'].map((name) => log[name]);
  return {
    id,
    sameParams: quality !== 'kind',
    text: formatJson(log),
    ...(typeof status === 'string' && { status }),
    ...(typeof signer === 'string' && { signer }),
    ...(typeof when === 'string' && { when }),
  };
}
