/** What a run's log and batch say of its outcome, and where the reason of a failure is from. Pure. */
import type { JsonObject } from '../platform/json.ts';
import { failedStepText } from './answer.ts';
import { idText, isFinalBatch, type Sight } from './follow.ts';
import { lineOf, prettyOf, type Outcome, type ReasonSource, type RunRecord, type Step } from './record.ts';

export interface Verdict {
  readonly outcome: Outcome;
  readonly reason: string;
  readonly reasonFrom?: ReasonSource;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A failed step decides by itself, and at once. */
export function stepVerdict(steps: readonly Step[]): Verdict | undefined {
  const reason = failedStepText(steps);
  return reason === undefined ? undefined : { outcome: 'failed', reason, reasonFrom: 'step' };
}

/** What was seen so far; `steps`: those of the answer. */
export function verdictOf(sight: Sight, steps: readonly Step[]): Verdict {
  const byStep = stepVerdict(steps);
  if (byStep !== undefined) return byStep;
  const { log, logStatus, batch, batchStatus, note } = sight;
  if (logStatus === 'failed' || batchStatus === 'failed') {
    return { outcome: 'failed', ...failure(logStatus === 'failed' ? 'The action' : 'The batch', log, batch) };
  }
  if (logStatus === 'completed') {
    if (batchStatus === 'completed') return { outcome: 'completed', reason: 'The action and its batch are completed' };
    if (isFinalBatch(batchStatus))
      return { outcome: 'completed', reason: `The action is completed, its batch ${batchStatus ?? ''}` };
    return { outcome: 'completed', reason: `The action is completed. ${note ?? 'Its batch is not completed yet'}` };
  }
  const last = logStatus === undefined ? 'no action log was seen' : `the action log was last seen ${logStatus}`;
  return { outcome: 'unfinished', reason: `Accepted, but ${last}${note === undefined ? '' : `. ${note}`}` };
}

/** The batch's own text first: the contract has none on a log, where deployments use one of three names. */
function failure(
  what: string,
  log: JsonObject | undefined,
  batch: JsonObject | undefined,
): Pick<Verdict, 'reason' | 'reasonFrom'> {
  const ofBatch = text(batch?.['error']);
  if (ofBatch !== undefined) {
    const from = what === 'The batch' ? '' : ' (the reason is from its batch)';
    return { reason: `${what} failed: ${ofBatch}${from}`, reasonFrom: 'batch' };
  }
  for (const field of ['error', 'message', 'reason']) {
    const ofLog = text(log?.[field]);
    if (ofLog !== undefined)
      return {
        reason: `${what} failed: ${ofLog} (the reason is from \`${field}\` of its action log)`,
        reasonFrom: 'log',
      };
  }
  return { reason: `${what} failed. The platform gives no reason` };
}

/** The fields of a record that a sight fills. */
export function sightFields(sight: Sight): Partial<RunRecord> {
  const { log, logStatus, batch, batchStatus, note } = sight;
  const logId = idText(log?.['id']);
  const batchId = idText(log?.['batch_id']);
  const hash = text(batch?.['l1_tx_hash']) ?? text(batch?.['l2_tx_hash']);
  return {
    note: note ?? '',
    ...(log !== undefined && { log: prettyOf(log) }),
    ...(logStatus !== undefined && { logStatus: lineOf(logStatus, 60) }),
    ...(logId !== undefined && { logId }),
    ...(batchId !== undefined && { batchId }),
    ...(batch !== undefined && { batch: prettyOf(batch) }),
    ...(batchStatus !== undefined && { batchStatus: lineOf(batchStatus, 60) }),
    // All zeros stand for "not settled yet".
    ...(hash !== undefined && !/^(?:0x)?0*$/.test(hash) && { transaction: hash }),
  };
}
