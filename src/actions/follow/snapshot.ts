/** What is known of a POST that is followed, and how long each state is waited for. */
import type { JsonObject } from '../../platform/json/json.ts';
import type { StoredText } from '../../platform/text/message.ts';
import type { MatchQuality } from './match-action-log.ts';

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

/** Milliseconds in which logs usually appear. */
export const INDEXING_DELAY = 8_000;
/** Milliseconds to search for the log of a request whose response does not name it. */
export const SEARCH_DURATION = 20_000;

/** The limits for a request whose outcome its response decided: its log only adds the objects that it changed. */
export function getLimitsAfterFailure(limits: FollowLimits): FollowLimits {
  const log = Math.min(limits.log, INDEXING_DELAY);
  return { ...limits, indexing: Math.min(limits.indexing, INDEXING_DELAY), log, batch: 0 };
}

/** A log that may be that of a request. */
export interface MatchedLog {
  readonly id: string;
  readonly log: JsonObject;
  readonly quality: MatchQuality;
}

/** What is known so far. Statuses are those of the server. */
export interface FollowSnapshot {
  /** `search` its log is searched for · `notIndexed` its log is not listed yet · `log` not decided · `batch` its ledger batch is read */
  readonly stage: 'search' | 'notIndexed' | 'log' | 'batch';
  readonly log?: JsonObject;
  readonly logStatus?: string;
  /** the log names no id of the execution: it was matched by kind and parameters */
  readonly probable?: boolean;
  /** the log that the response names is of another request */
  readonly isForeign?: boolean;
  readonly batch?: JsonObject;
  readonly batchStatus?: string;
  /** logs that may be its own, best match first, at most 10; of a search */
  readonly possible: readonly MatchedLog[];
  /** all logs were compared, so that an empty search proves something */
  readonly isConclusive: boolean;
  /** why the last read failed, or why following ended early */
  readonly note?: StoredText;
  /** following has ended: decided, timed out, or not permitted */
  readonly isFinished: boolean;
}
