/** Follows one execution to its proof: not indexed → pending → completed or failed, then the batch. Pure: time and reads are injected. */
import { isObject, type JsonObject } from '../platform/json.ts';

/** Reads that following needs; each throws what the client throws. */
export interface FollowReads {
  /** the action logs that a filter yields, raw */
  logs(query: { readonly action_id?: string; readonly id?: string }, signal: AbortSignal): Promise<readonly unknown[]>;
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
  /** milliseconds between the first two looks, and the longest between any two */
  readonly first: number;
  readonly longest: number;
}

export const usualLimits: FollowLimits = {
  indexing: 120_000,
  log: 600_000,
  batch: 900_000,
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
  readonly batch?: JsonObject;
  readonly batchStatus?: string;
  /** why the last look failed, or why following ended early */
  readonly note?: string;
  /** following is over: decided, out of time, or not allowed to look */
  readonly over: boolean;
}

export interface FollowOptions {
  readonly actionId: string;
  /** when the request was sent, milliseconds; a log from long before is another's */
  readonly sentAt: number;
  readonly reads: FollowReads;
  readonly time: FollowTime;
  readonly signal: AbortSignal;
  readonly report: (sight: Sight) => void;
  readonly limits?: FollowLimits;
  /** true for an error after which looking again is senseless */
  readonly hopeless?: (error: unknown) => boolean;
  readonly wordsOf?: (error: unknown) => string;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

export const isDecided = (status: string | undefined): boolean => status === 'completed' || status === 'failed';

/** Resolves with the last sight; aborting ends it without an error, with what was seen until then. */
export async function follow(options: FollowOptions): Promise<Sight> {
  const { reads, time, signal, report, limits = usualLimits } = options;
  let sight: Sight = { stage: 'notIndexed', over: false };
  const isOver = (): boolean => sight.over;
  const see = (next: Partial<Sight>): void => {
    const { note: _old, ...kept } = sight;
    const changed = { ...kept, ...next };
    const differs = JSON.stringify(changed) !== JSON.stringify(sight);
    sight = changed;
    if (differs) report(sight);
  };
  let wait = limits.first;
  let since = time.now();
  let stage: Stage = sight.stage;
  const look = async (): Promise<void> => {
    if (sight.stage !== 'batch') {
      const found = await findLog(options, sight.foundBy);
      if (found !== undefined) {
        const logStatus = text(found.log['status']);
        const batchId = text(found.log['batch_id']);
        see({
          stage: logStatus === 'completed' && batchId !== undefined ? 'batch' : 'log',
          log: found.log,
          foundBy: found.by,
          ...(logStatus !== undefined && { logStatus }),
        });
        if (logStatus === 'failed') see({ over: true });
      } else {
        see({});
      }
    }
    const batchId = text(sight.log?.['batch_id']);
    if (sight.stage !== 'batch' || batchId === undefined) return;
    const batch = await reads.batch(batchId, signal);
    if (!isObject(batch)) return;
    const batchStatus = text(batch['status']);
    see({ batch, ...(batchStatus !== undefined && { batchStatus }), ...(isDecided(batchStatus) && { over: true }) });
  };
  report(sight);
  while (!isOver()) {
    const before = JSON.stringify([sight.stage, sight.logStatus, sight.batchStatus]);
    try {
      await look();
    } catch (error) {
      if (signal.aborted) break;
      const note = options.wordsOf?.(error) ?? (error instanceof Error ? error.message : 'unknown error');
      see({ note, ...(options.hopeless?.(error) === true && { over: true }) });
    }
    if (isOver()) break;
    if (stage !== sight.stage) {
      stage = sight.stage;
      since = time.now();
    }
    // News bring the next look closer; silence moves it away.
    const news = JSON.stringify([sight.stage, sight.logStatus, sight.batchStatus]) !== before;
    wait = news ? limits.first : Math.min(limits.longest, wait * 1.6);
    // Once the log is decided, all that is waited for is its batch.
    const limit = stage === 'notIndexed' ? limits.indexing : isDecided(sight.logStatus) ? limits.batch : limits.log;
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

function outOfTime(sight: Sight): string {
  if (sight.stage === 'notIndexed') return 'No action log has appeared in time; it may still';
  if (sight.stage === 'batch') return `The batch was still ${sight.batchStatus ?? 'without a status'} at the last look`;
  if (sight.logStatus === 'completed') return 'Completed, but in no batch at the last look';
  return `The action log was still ${sight.logStatus ?? 'without a status'} at the last look`;
}

interface FoundLog {
  readonly log: JsonObject;
  readonly by: 'action_id' | 'id';
}

/** The contract does not show whether `action_id` or `id` matches the id of an execution, so both are tried. */
async function findLog(options: FollowOptions, known: FoundLog['by'] | undefined): Promise<FoundLog | undefined> {
  const { actionId, reads, signal, sentAt } = options;
  const filters = known === undefined ? (['action_id', 'id'] as const) : [known];
  let refusal: Error | undefined;
  let asked = false;
  for (const by of filters) {
    try {
      const logs = await reads.logs({ [by]: actionId }, signal);
      asked = true;
      const log = matching(logs, actionId, sentAt);
      if (log !== undefined) return { log, by };
    } catch (error) {
      // One of the two filters may be refused by a deployment that knows the other.
      refusal = error instanceof Error ? error : new Error('unknown error');
      if (signal.aborted) throw error;
    }
  }
  if (!asked && refusal !== undefined) throw refusal;
  return undefined;
}

/** A server may ignore a filter that it does not know: only a log that says so itself, or the one new log, is ours. */
function matching(logs: readonly unknown[], actionId: string, sentAt: number): JsonObject | undefined {
  const objects = logs.filter(isObject);
  const named = objects.find((log) => log['id'] === actionId || log['action_id'] === actionId);
  if (named !== undefined) return named;
  const only = objects.length === 1 ? objects[0] : undefined;
  const created = Date.parse(text(only?.['when_created']) ?? '');
  // Five minutes for clocks that disagree.
  return only !== undefined && created >= sentAt - 300_000 ? only : undefined;
}
