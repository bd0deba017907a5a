/** Follows one execution to its proof: not indexed → pending → completed or failed, then the batch. Pure: time and reads are injected. */
import { isObject, type JsonObject } from '../platform/json.ts';
import { looksLike, type RequestFacts } from './possible.ts';
import { jsonText } from './record.ts';

/** A filter of the action logs. */
export interface LogQuery {
  readonly action_id?: string;
  readonly id?: string;
  readonly limit?: number;
  readonly order?: 'descending';
  readonly when_created?: { readonly gte: Date; readonly lte?: Date };
}

/** Reads that following needs; each throws what the client throws. */
export interface FollowReads {
  /** the action logs that a filter yields, raw */
  logs(query: LogQuery, signal: AbortSignal): Promise<readonly unknown[]>;
  batch(id: string, signal: AbortSignal): Promise<unknown>;
}

export interface FollowTime {
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
  /** milliseconds between the first two looks, and the longest between any two */
  readonly first: number;
  readonly longest: number;
}

export const usualLimits: FollowLimits = {
  indexing: 120_000,
  log: 600_000,
  batch: 900_000,
  noBatch: 3_000,
  first: 250,
  longest: 15_000,
};

export type Stage = 'notIndexed' | 'log' | 'batch';

/** What was seen so far. Statuses are the server's own words. */
export interface Sight {
  readonly stage: Stage;
  readonly log?: JsonObject;
  readonly logStatus?: string;
  /** which filter found the log */
  readonly foundBy?: 'action_id' | 'id';
  /** the log names no id of the execution: it was matched by kind and parameters */
  readonly probable?: boolean;
  readonly batch?: JsonObject;
  readonly batchStatus?: string;
  /** why the last look failed, or why following ended early */
  readonly note?: string;
  /** following is over: decided, out of time, or not allowed to look */
  readonly over: boolean;
}

export interface FollowOptions {
  /** the id that the answer named, or that of a log that was found by itself */
  readonly target: { readonly actionId: string } | { readonly logId: string };
  /** to recognise the log where it carries no id of the execution; absent: only an id counts */
  readonly request?: RequestFacts | undefined;
  /** when the request was sent, milliseconds by the platform's clock; a log from long before is another's */
  readonly sentAt: number;
  /** ids of logs and actions of other runs */
  readonly knownLogs?: (() => ReadonlySet<string>) | undefined;
  readonly reads: FollowReads;
  readonly time: FollowTime;
  readonly signal: AbortSignal;
  readonly report: (sight: Sight) => void;
  readonly limits?: FollowLimits;
  /** true for an error after which looking again is senseless */
  readonly hopeless?: (error: unknown) => boolean;
  readonly wordsOf?: (error: unknown) => string;
}

/** As long as logs usually take to appear: milliseconds. */
export const APPEARS_WITHIN = 8_000;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

export const isDecided = (status: string | undefined): boolean => status === 'completed' || status === 'failed';

/** True for the statuses after which a batch changes no more: the contract's, and the word of live deployments. */
export const isFinalBatch = (status: string | undefined): boolean => isDecided(status) || status === 'finalized';

/** The query for the logs around a moment, newest first; `since`, `until`: milliseconds by the platform's clock. */
export function recentLogs(since: number, until?: number): LogQuery {
  const slack = 60_000;
  return {
    limit: 50,
    order: 'descending',
    when_created: { gte: new Date(since - slack), ...(until !== undefined && { lte: new Date(until + slack) }) },
  };
}

/** Resolves with the last sight; aborting ends it without an error, with what was seen until then. */
export async function follow(options: FollowOptions): Promise<Sight> {
  const { reads, time, signal, report, limits = usualLimits } = options;
  const begun = time.now();
  let sight: Sight = { stage: 'notIndexed', over: false };
  const isOver = (): boolean => sight.over;
  const see = (next: Partial<Sight>): void => {
    const { note: _old, ...kept } = sight;
    const changed = { ...kept, ...next };
    const differs = jsonText(changed) !== jsonText(sight) || changed.logStatus !== sight.logStatus;
    sight = changed;
    if (differs) report(sight);
  };
  const readBatch = async (): Promise<void> => {
    const batchId = text(sight.log?.['batch_id']);
    if (batchId === undefined) return;
    const batch = await reads.batch(batchId, signal);
    if (!isObject(batch)) return;
    const batchStatus = text(batch['status']);
    see({ batch, ...(batchStatus !== undefined && { batchStatus }), ...(isFinalBatch(batchStatus) && { over: true }) });
  };
  const look = async (): Promise<void> => {
    if (sight.stage !== 'batch') {
      const found = await findLog(options, sight, time.now() - begun);
      if (found === undefined) {
        see({});
        return;
      }
      const { log, by, probable } = found;
      const logStatus = text(log['status']);
      see({
        stage: logStatus === 'completed' && text(log['batch_id']) !== undefined ? 'batch' : 'log',
        log,
        foundBy: by,
        ...(probable && { probable }),
        ...(logStatus !== undefined && { logStatus }),
      });
      if (logStatus === 'failed') {
        // For its reason alone: the log has decided.
        await readBatch().catch(() => undefined);
        see({ over: true });
      }
    }
    if (sight.stage === 'batch') await readBatch();
  };
  const waitsFor = (): 'indexing' | 'log' | 'batch' | 'noBatch' => {
    if (sight.stage === 'notIndexed') return 'indexing';
    if (sight.stage === 'batch') return 'batch';
    return isDecided(sight.logStatus) ? 'noBatch' : 'log';
  };
  let wait = limits.first;
  let since = begun;
  let waited = waitsFor();
  report(sight);
  while (!isOver()) {
    const before = newsOf(sight);
    try {
      await look();
    } catch (error) {
      if (signal.aborted) break;
      const note = options.wordsOf?.(error) ?? (error instanceof Error ? error.message : 'unknown error');
      see({ note, ...(options.hopeless?.(error) === true && { over: true }) });
    }
    if (isOver()) break;
    if (waited !== waitsFor()) {
      waited = waitsFor();
      since = time.now();
    }
    // News bring the next look closer; silence moves it away.
    wait = newsOf(sight) !== before ? limits.first : Math.min(limits.longest, wait * 1.6);
    const limit = waited === 'noBatch' ? Math.min(limits.noBatch, limits.batch) : limits[waited];
    if (time.now() - since + wait > limit) {
      see({ note: outOfTime(sight), over: true });
      break;
    }
    try {
      await time.sleep(wait, signal);
    } catch {
      break;
    }
  }
  if (!isOver()) see({ note: 'It is no longer followed; what was sent cannot be taken back', over: true });
  return sight;
}

function newsOf({ stage, logStatus, batchStatus }: Sight): string {
  return [stage, logStatus, batchStatus].join('\n');
}

function outOfTime(sight: Sight): string {
  if (sight.stage === 'notIndexed') return 'No action log has appeared in time; it may still';
  if (sight.stage === 'batch') return `The batch was still ${sight.batchStatus ?? 'without a status'} at the last look`;
  if (sight.logStatus === 'completed') return 'The platform named no batch for it';
  return `The action log was still ${sight.logStatus ?? 'without a status'} at the last look`;
}

interface FoundLog {
  readonly log: JsonObject;
  readonly by: 'action_id' | 'id';
  readonly probable: boolean;
}

/** The contract does not show whether `action_id` or `id` matches the id of an execution, so both are tried. */
async function findLog(options: FollowOptions, sight: Sight, elapsed: number): Promise<FoundLog | undefined> {
  const { target, reads, signal } = options;
  const own = 'actionId' in target ? target.actionId : target.logId;
  const probable = sight.probable ?? false;
  const wanted = probable ? (idText(sight.log?.['id']) ?? own) : own;
  const filters = sight.foundBy !== undefined ? [sight.foundBy] : 'logId' in target ? (['id'] as const) : BOTH;
  const answers: (readonly JsonObject[])[] = [];
  const refusals: Error[] = [];
  const read = async (query: LogQuery): Promise<JsonObject | undefined> => {
    try {
      const logs = (await reads.logs(query, signal)).filter(isObject);
      answers.push(logs);
      // A server may ignore a filter that it does not know: a log counts that names the id itself.
      return logs.find((log) => ID_FIELDS.some((name) => idText(log[name]) === wanted));
    } catch (error) {
      // One of the two filters may be refused by a deployment that knows the other.
      refusals.push(error instanceof Error ? error : new Error('unknown error'));
      if (signal.aborted) throw error;
      return undefined;
    }
  };
  for (const by of filters) {
    const log = await read({ [by]: wanted });
    if (log !== undefined) return { log, by, probable };
  }
  if (elapsed >= APPEARS_WITHIN || probable || 'logId' in target) {
    const log = await read(recentLogs(options.sentAt));
    if (log !== undefined) return { log, by: 'id', probable };
    const alike = probable ? undefined : onlyAlike(answers.flat(), options);
    if (alike !== undefined) return { log: alike, by: 'id', probable: true };
  }
  const [refusal] = refusals;
  if (answers.length === 0 && refusal !== undefined) throw refusal;
  return undefined;
}

const BOTH = ['action_id', 'id'] as const;
const ID_FIELDS = ['id', 'action_id', 'actionId'] as const;

/** An id as text: some deployments number theirs. */
export function idText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return JSON.isRawJSON(value) ? value.rawJSON : text(value);
}

/** The one log that equals the request and names no execution at all; two equal ones cannot be told apart. */
function onlyAlike(
  logs: readonly JsonObject[],
  { request, sentAt, knownLogs }: Pick<FollowOptions, 'request' | 'sentAt' | 'knownLogs'>,
): JsonObject | undefined {
  if (request === undefined) return undefined;
  const known = knownLogs?.();
  const alike = new Map<string, JsonObject>();
  for (const log of logs) {
    const id = idText(log['id']);
    if (id === undefined || known?.has(id) === true) continue;
    if (log['action_id'] !== undefined || log['actionId'] !== undefined) continue;
    const fit = looksLike(log, request, sentAt);
    if (fit === 'equal' || fit === 'signed') alike.set(id, log);
  }
  return alike.size === 1 ? [...alike.values()][0] : undefined;
}
