import type { Clock } from '../../../model/clock.ts';
import { stored, joinSentences, mapText, type StoredText } from '../../../platform/text/message.ts';
import { formatLine } from '../../../model/runs/run-record.ts';
import {
  isFinalBatchStatus,
  isFinalLogStatus,
  readAffectedObjects,
  readId,
} from '../../../platform/resources/action-log-fields.ts';
import { decideBySteps, decideOutcome } from '../../follow/decide-outcome.ts';
import { LogFollower } from '../../follow/log-follower.ts';
import type { RequestFacts } from '../../follow/match-action-log.ts';
import { getLimitsAfterFailure, type FollowLimits, type FollowSnapshot } from '../../follow/snapshot.ts';
import { readExecutionResult } from '../../run/execution-result.ts';
import type { ExecutionResponse } from '../../run/run-platform.ts';
import type { BatchPlatform } from '../batch-platform.ts';
import type { JournalRow } from '../journal/journal-format.ts';
import type { SignatureIndex } from '../rows/signature-index.ts';

/** Objects, and possible logs, of a row that are stored. */
const MAX_OBJECTS = 20;
const MAX_POSSIBLE = 3;

interface RowFollowerOptions {
  readonly platform: BatchPlatform;
  readonly time: Clock;
  readonly limits: FollowLimits;
  /** milliseconds to search for the log of a row without a response */
  readonly searchDuration?: number | undefined;
  readonly followsLedgerBatches: boolean;
  /** ids of the actions of rows of the batch: their logs belong to no other row */
  readonly knownActions: Set<string>;
  readonly isKnown: (id: string) => boolean;
  readonly signatures: SignatureIndex;
  readonly report: (result: JournalRow) => void;
}

/**
 * The follow stage of the rows of a batch. Only a signature that no other row has proves which log is of a row without an
 * response: the same action may be of another user, and a log from before the request of another batch.
 */
export class RowFollower {
  readonly #options: RowFollowerOptions;
  readonly #follower: LogFollower;

  constructor(options: RowFollowerOptions) {
    const { platform, time, limits, searchDuration, isKnown, signatures } = options;
    this.#options = options;
    this.#follower = new LogFollower({
      reads: platform,
      time,
      limits,
      searchDuration,
      isKnown,
      isOwnSignature: (digest) => signatures.isOfOneRow(digest),
    });
  }

  /** The row of a response of status 2xx, which is followed from now on. `request`: what was sent, as far as it is known. */
  accept(row: JournalRow, { raw, status }: ExecutionResponse, request: RequestFacts | undefined): void {
    const { actionId, steps, createdIds } = readExecutionResult(raw);
    const { knownActions, isKnown, report } = this.#options;
    const isForeign = actionId !== undefined && isKnown(actionId);
    const failure = decideBySteps(steps);
    const objects = createdIds.slice(0, MAX_OBJECTS).map((id) => formatLine(id));
    const named: JournalRow = { ...row, status, ...(actionId !== undefined && { actionId: formatLine(actionId) }) };
    const result: JournalRow = isForeign
      ? describeForeign(named)
      : {
          ...named,
          state: failure === undefined ? 'accepted' : 'failed',
          ...(objects.length > 0 && { objects }),
          ...(failure !== undefined && { reason: limitReason(failure.reason) }),
        };
    if (actionId !== undefined) knownActions.add(actionId);
    report(result);
    this.follow(result, request);
  }

  /**
   * Follows an accepted row, or one that is completed with an open ledger batch; of one whose steps failed, only whether its
   * log is of another request. Searches for the log of a row without the id of its action. `request`: as for `accept`;
   * `isResumed`: it was sent by an earlier process.
   */
  follow(row: JournalRow, request?: RequestFacts, isResumed = false): void {
    const { time, limits, followsLedgerBatches } = this.#options;
    const { state, actionId, ledgerBatch: batchId, signature, sentAt = time.now() } = row;
    const target = { request, signature, sentAt, isResumed, limits };
    if (state === 'completed') {
      if (followsLedgerBatches && batchId !== undefined) this.#follow(row, { ...target, batchId });
    } else if (state !== 'failed') this.#follow(row, { ...target, actionId });
    else if (actionId !== undefined && request !== undefined)
      this.#follow(row, { ...target, actionId, limits: getLimitsAfterFailure(limits) });
  }

  #follow(row: JournalRow, target: Omit<Parameters<LogFollower['follow']>[0], 'report'>): void {
    const { knownActions, followsLedgerBatches, report } = this.#options;
    let result = row;
    const change = (next: JournalRow | undefined): void => {
      if (next === undefined) return;
      result = next;
      report(result);
    };
    this.#follower.follow({
      ...target,
      // The ledger batch is followed without the log: there may be many rows.
      isEnough: ({ log, logStatus, stage }) =>
        log !== undefined &&
        (result.state === 'failed' || (logStatus === 'completed' && (!followsLedgerBatches || stage === 'batch'))),
      report: (snapshot) => {
        const { stage, log, isForeign, isFinished } = snapshot;
        if (isForeign === true && result.actionId !== undefined) {
          knownActions.delete(result.actionId);
          change(describeForeign(result));
        }
        if (stage === 'search') {
          if (isFinished) change(describeSearch(result, snapshot, target.request));
          return;
        }
        if (result.state === 'failed') return;
        if (log !== undefined && result.actionId === undefined) {
          const found = readId(log['action_id']) ?? readId(log['actionId']) ?? readId(log['id']) ?? '';
          const { reason: _reason, cause: _cause, possibleLogs: _logs, isLookedUp: _lookedUp, ...rest } = result;
          knownActions.add(found);
          change({ ...rest, state: 'accepted', actionId: formatLine(found) });
        }
        change(describeProgress(result, snapshot));
        if (stage === 'batch' && log !== undefined && result.state === 'completed') this.follow(result);
      },
    });
  }

  /** Resolves when nothing is left to follow, or when stopped. */
  waitUntilIdle(): Promise<void> {
    return this.#follower.waitUntilIdle();
  }

  /** Reads no more. Resolves when the last read has ended. */
  stop(): Promise<void> {
    return this.#follower.stop();
  }
}

/** The row once its log or ledger batch is decided, or nothing more is known; `undefined` while nothing has changed. */
function describeProgress(row: JournalRow, snapshot: FollowSnapshot): JournalRow | undefined {
  const { log, logStatus, batchStatus, isFinished, note } = snapshot;
  if (!isFinalLogStatus(logStatus))
    return isFinished && note !== undefined ? { ...row, reason: limitReason(note) } : undefined;
  const isFailed = logStatus === 'failed';
  // The reason may be that of its ledger batch.
  if (isFailed && !isFinished) return undefined;
  const ledgerBatch = readId(log?.['batch_id']) ?? row.ledgerBatch;
  const objects = readAffectedObjects(log ?? {}, MAX_OBJECTS).map(({ id }) => formatLine(id));
  const hasBatchStatus = !isFailed && isFinalBatchStatus(batchStatus);
  const verdict = decideOutcome(snapshot, []);
  const next: JournalRow = {
    ...row,
    state: verdict.outcome === 'failed' ? 'failed' : 'completed',
    ...(logStatus !== undefined && { logStatus }),
    ...(ledgerBatch !== undefined && { ledgerBatch: formatLine(ledgerBatch) }),
    ...(row.objects === undefined && objects.length > 0 && { objects }),
    ...(hasBatchStatus && { ledgerBatchStatus: formatLine(batchStatus ?? '', 60) }),
    ...(verdict.outcome === 'failed' && { reason: limitReason(verdict.reason) }),
  };
  const isSame = (['state', 'ledgerBatch', 'ledgerBatchStatus'] as const).every((name) => next[name] === row[name]);
  return isSame ? undefined : next;
}

/** A row whose response is that of another action: nothing of the response is known to be of the row. */
function describeForeign({ row, sentAt, signature, facts, status, actionId = '' }: JournalRow): JournalRow {
  const reason = limitReason(stored('The response names another action, {0}', actionId));
  return {
    row,
    state: 'unknown',
    reason,
    ...(sentAt !== undefined && { sentAt }),
    ...(signature !== undefined && { signature }),
    ...(facts !== undefined && { facts }),
    ...(status !== undefined && { status }),
  };
}

/** The row whose log was searched for in vain. */
function describeSearch(
  result: JournalRow,
  { possible, isConclusive, note }: FollowSnapshot,
  request: RequestFacts | undefined,
): JournalRow {
  const { reason, cause: known, isLookedUp: _old, possibleLogs: _logs, ...rest } = result;
  if (result.state === 'accepted')
    return {
      ...rest,
      reason: stored(
        'The response contained no action ID, and no action log could be matched to this row with certainty',
      ),
    };
  // The reason of a resumed row has the result of the last search already.
  const cause = known ?? reason ?? stored('The response was lost');
  const possibleLogs = possible.filter(({ quality }) => quality !== 'kind').map(({ id }) => formatLine(id));
  if (possibleLogs.length > 0)
    return {
      ...rest,
      cause,
      reason: joinSentences(cause, stored('An action log may belong to this row. Check it')),
      possibleLogs: possibleLogs.slice(0, MAX_POSSIBLE),
      isLookedUp: true,
    };
  const uncompared = request === undefined ? stored('It could not be compared with the action logs') : undefined;
  const why = isConclusive ? uncompared : (note ?? uncompared);
  if (why !== undefined)
    return {
      ...rest,
      cause,
      reason: joinSentences(cause, stored('{0}. It is unknown whether it was executed', why)),
    };
  return {
    ...rest,
    cause,
    reason: joinSentences(cause, stored('No action log was found')),
    isLookedUp: true,
  };
}

/** A reason as it is stored. */
export function limitReason(reason: StoredText): StoredText {
  return mapText(reason, (part) => formatLine(part, 500));
}
