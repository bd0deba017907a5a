/** Follows one execution: not indexed → pending → completed or failed, then its batch. */
import * as l10n from '@vscode/l10n';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import {
  isFinalLogStatus,
  isOlderVersion,
  readLogVersion,
  readStatus,
} from '../../platform/resources/action-log-fields.ts';
import { isOfAnotherRequest, matchActionLog, MAX_CLOCK_SKEW, type RequestFacts } from './match-action-log.ts';
import { stringifyJson, isFinalBatchStatus } from '../../model/runs/run-record.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { formatStatus } from '../../model/text/status.ts';

/** A filter of the action logs. */
interface LogQuery {
  readonly action_id?: string;
  readonly id?: string;
  readonly limit?: number;
  readonly order?: 'descending';
  readonly when_created?: { readonly gte: Date; readonly lte?: Date };
}

/** The reads of following; all reject with PlatformError. */
export interface FollowReader {
  /** the raw action logs that match a filter */
  logs(query: LogQuery, signal: AbortSignal): Promise<readonly unknown[]>;
  batch(id: string, signal: AbortSignal): Promise<unknown>;
}

export interface Clock {
  now(): number;
  /** rejects when the signal fires */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export interface FollowLimits {
  /** milliseconds for the log to appear, then to be decided, then for the batch */
  readonly indexing: number;
  readonly log: number;
  readonly batch: number;
  /** milliseconds for a completed log to name a batch: some deployments never do */
  readonly noBatch: number;
  /** milliseconds between the first two reads, and at most between any two */
  readonly initialInterval: number;
  readonly maxInterval: number;
}

export const defaultFollowLimits: FollowLimits = {
  indexing: 120_000,
  log: 600_000,
  batch: 900_000,
  noBatch: 3_000,
  initialInterval: 250,
  maxInterval: 15_000,
};

type FollowStage = 'notIndexed' | 'log' | 'batch';

/** What is known so far. Statuses are those of the server. */
export interface FollowSnapshot {
  readonly stage: FollowStage;
  readonly log?: JsonObject;
  readonly logStatus?: string;
  /** which filter found the log */
  readonly foundBy?: 'action_id' | 'id';
  /** the log names no id of the execution: it was matched by kind and parameters */
  readonly probable?: boolean;
  /** the log that the response names is of another request; nothing is known of this one */
  readonly isForeign?: boolean;
  readonly batch?: JsonObject;
  readonly batchStatus?: string;
  /** why the last read failed, or why following ended early */
  readonly note?: string;
  /** following has ended: decided, timed out, or not permitted */
  readonly isFinished: boolean;
}

export interface FollowOptions {
  /** the id in the response, or that of a log that was found */
  readonly target: { readonly actionId: string } | { readonly logId: string };
  /** to match a log that has no id of the execution; absent: only an id matches */
  readonly request?: RequestFacts | undefined;
  /** when the request was sent, milliseconds by the clock of the platform; much older logs do not match */
  readonly sentAt: number;
  /** ids of logs and actions of other runs */
  readonly knownLogs?: (() => ReadonlySet<string>) | undefined;
  readonly reads: FollowReader;
  readonly time: Clock;
  readonly signal: AbortSignal;
  readonly report: (snapshot: FollowSnapshot) => void;
  readonly limits?: FollowLimits;
  /** true for an error that ends following */
  readonly isPermanentError?: (error: unknown) => boolean;
  readonly formatError?: (error: unknown) => string;
}

/** Milliseconds in which logs usually appear. */
export const INDEXING_DELAY = 8_000;
/** Milliseconds to search for the log of a request whose response does not name it. */
export const SEARCH_DURATION = 20_000;

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The query for the logs around a time, newest first; `since`, `until`: milliseconds by the clock of the platform. */
export function createRecentLogsQuery(since: number, until?: number): LogQuery {
  return {
    limit: 50,
    order: 'descending',
    when_created: {
      gte: new Date(since - MAX_CLOCK_SKEW),
      ...(until !== undefined && { lte: new Date(until + MAX_CLOCK_SKEW) }),
    },
  };
}

/** Follows until decided. Resolves with the last snapshot, also if aborted or timed out; never rejects. */
export async function follow(options: FollowOptions): Promise<FollowSnapshot> {
  const { reads, time, signal, report, limits = defaultFollowLimits } = options;
  const startedAt = time.now();
  let snapshot: FollowSnapshot = { stage: 'notIndexed', isFinished: false };
  const isFinished = (): boolean => snapshot.isFinished;
  const update = (next: Partial<FollowSnapshot>): void => {
    const { note: _old, ...rest } = snapshot;
    const changed = { ...rest, ...next };
    const differs = stringifyJson(changed) !== stringifyJson(snapshot) || changed.logStatus !== snapshot.logStatus;
    snapshot = changed;
    if (differs) report(snapshot);
  };
  const readBatch = async (): Promise<void> => {
    const batchId = readText(snapshot.log?.['batch_id']);
    if (batchId === undefined) return;
    const batch = await reads.batch(batchId, signal);
    if (!isObject(batch)) return;
    const batchStatus = readStatus(batch);
    update({
      batch,
      ...(batchStatus !== undefined && { batchStatus }),
      ...(isFinalBatchStatus(batchStatus) && { isFinished: true }),
    });
  };
  const poll = async (): Promise<void> => {
    if (snapshot.stage !== 'batch') {
      const found = await findLog(options, snapshot, time.now() - startedAt);
      if (found === undefined) {
        update({});
        return;
      }
      if (found.isForeign) {
        update({ isForeign: true, isFinished: true });
        return;
      }
      const { by, probable } = found;
      const known = snapshot.log;
      const isOlder = known !== undefined && isOlderVersion(readLogVersion(found.log), readLogVersion(known));
      const log = isOlder ? known : found.log;
      const logStatus = readStatus(log);
      update({
        stage: logStatus === 'completed' && readText(log['batch_id']) !== undefined ? 'batch' : 'log',
        log,
        foundBy: by,
        ...(probable && { probable }),
        ...(logStatus !== undefined && { logStatus }),
      });
      if (logStatus === 'failed') {
        // Only for the reason: the log has decided.
        await readBatch().catch(() => undefined);
        update({ isFinished: true });
      }
    }
    if (snapshot.stage === 'batch') await readBatch();
  };
  const getWaitReason = (): 'indexing' | 'log' | 'batch' | 'noBatch' => {
    if (snapshot.stage === 'notIndexed') return 'indexing';
    if (snapshot.stage === 'batch') return 'batch';
    return isFinalLogStatus(snapshot.logStatus) ? 'noBatch' : 'log';
  };
  let wait = limits.initialInterval;
  let since = startedAt;
  let waitReason = getWaitReason();
  report(snapshot);
  while (!isFinished()) {
    const previousState = getStateKey(snapshot);
    try {
      await poll();
    } catch (error) {
      if (signal.aborted) break;
      const note = options.formatError?.(error) ?? getErrorMessage(error);
      update({ note, ...(options.isPermanentError?.(error) === true && { isFinished: true }) });
    }
    if (isFinished()) break;
    if (waitReason !== getWaitReason()) {
      waitReason = getWaitReason();
      since = time.now();
    }
    // A change shortens the interval, none lengthens it.
    wait = getStateKey(snapshot) !== previousState ? limits.initialInterval : Math.min(limits.maxInterval, wait * 1.6);
    const limit = waitReason === 'noBatch' ? Math.min(limits.noBatch, limits.batch) : limits[waitReason];
    if (time.now() - since + wait > limit) {
      update({ note: formatTimeout(snapshot), isFinished: true });
      break;
    }
    try {
      await time.sleep(wait, signal);
    } catch {
      break;
    }
  }
  if (!isFinished())
    update({ note: l10n.t('Stopped waiting for the outcome; the request was already sent'), isFinished: true });
  return snapshot;
}

function getStateKey({ stage, logStatus, batchStatus }: FollowSnapshot): string {
  return [stage, logStatus, batchStatus].join('\n');
}

function formatTimeout(snapshot: FollowSnapshot): string {
  if (snapshot.stage === 'notIndexed') return l10n.t('No action log appeared in time; it may still appear');
  if (snapshot.stage === 'batch')
    return snapshot.batchStatus === undefined
      ? l10n.t('The batch still had no status when last checked')
      : l10n.t('The batch was still {0} when last checked', formatStatus(snapshot.batchStatus));
  if (snapshot.logStatus === 'completed') return l10n.t('The platform did not report a batch for it');
  return snapshot.logStatus === undefined
    ? l10n.t('The action log still had no status when last checked')
    : l10n.t('The action log was still {0} when last checked', formatStatus(snapshot.logStatus));
}

interface FoundLog {
  readonly log: JsonObject;
  readonly by: 'action_id' | 'id';
  readonly probable: boolean;
  /** it is of another request */
  readonly isForeign: boolean;
}

/** The contract does not show whether `action_id` or `id` matches the id of an execution, so both are tried. */
async function findLog(
  options: FollowOptions,
  snapshot: FollowSnapshot,
  elapsed: number,
): Promise<FoundLog | undefined> {
  const { target, reads, signal, request } = options;
  const requestedId = 'actionId' in target ? target.actionId : target.logId;
  const probable = snapshot.probable ?? false;
  const wanted = probable ? (formatId(snapshot.log?.['id']) ?? requestedId) : requestedId;
  const filters =
    snapshot.foundBy !== undefined ? [snapshot.foundBy] : 'logId' in target ? (['id'] as const) : ID_FILTERS;
  const answers: (readonly JsonObject[])[] = [];
  const refusals: Error[] = [];
  const isForeign = (log: JsonObject): boolean =>
    'actionId' in target && !probable && request !== undefined && isOfAnotherRequest(log, request, options.sentAt);
  const read = async (query: LogQuery, by: FoundLog['by']): Promise<FoundLog | undefined> => {
    try {
      const logs = (await reads.logs(query, signal)).filter(isObject);
      answers.push(logs);
      // A server may ignore an unknown filter, so the log must name the id.
      const named = logs.filter((log) => getLogIds(log).includes(wanted));
      const log = named.find((one) => !isForeign(one)) ?? named[0];
      return log && { log, by, probable, isForeign: isForeign(log) };
    } catch (error) {
      // A deployment may refuse one of the two filters.
      refusals.push(error instanceof Error ? error : new Error(getErrorMessage(error)));
      if (signal.aborted) throw error;
      return undefined;
    }
  };
  for (const by of filters) {
    const found = await read({ [by]: wanted }, by);
    if (found !== undefined) return found;
  }
  if (elapsed >= INDEXING_DELAY || probable || 'logId' in target) {
    const found = await read(createRecentLogsQuery(options.sentAt), 'id');
    if (found !== undefined) return found;
    const match = probable ? undefined : findOnlyMatch(answers.flat(), options);
    if (match !== undefined) return { log: match, by: 'id', probable: true, isForeign: false };
  }
  const [refusal] = refusals;
  if (answers.length === 0 && refusal !== undefined) throw refusal;
  return undefined;
}

const ID_FILTERS = ['action_id', 'id'] as const;
/** An id as text; some deployments use numbers. */
export function formatId(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return JSON.isRawJSON(value) ? value.rawJSON : readText(value);
}

/** The ids by which a log is known; deployments differ in what they name. */
export function getLogIds(log: JsonObject): readonly string[] {
  return [log['id'], log['action_id'], log['actionId']].map(formatId).filter((id) => id !== undefined);
}

/** The only log that equals the request and names no other execution; two equal ones are ambiguous. */
function findOnlyMatch(
  logs: readonly JsonObject[],
  { request, sentAt, knownLogs }: Pick<FollowOptions, 'request' | 'sentAt' | 'knownLogs'>,
): JsonObject | undefined {
  if (request === undefined) return undefined;
  const known = knownLogs?.();
  const matches = new Map<string, JsonObject>();
  for (const log of logs) {
    const id = formatId(log['id']);
    if (id === undefined || known?.has(id) === true) continue;
    if (log['action_id'] !== undefined || log['actionId'] !== undefined) continue;
    const quality = matchActionLog(log, request, sentAt);
    if (quality === 'equal' || quality === 'signed') matches.set(id, log);
  }
  return matches.size === 1 ? [...matches.values()][0] : undefined;
}
