import type { Clock } from '../../model/clock.ts';
import { stored, type Message } from '../../platform/text/message.ts';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../platform/json/json.ts';
import {
  isFinalBatchStatus,
  isFinalLogStatus,
  isOlderVersion,
  readId,
  readLogVersion,
  readStatus,
} from '../../platform/resources/action-log-fields.ts';
import { getStatusText } from '../../model/text/status.ts';
import { describeRunError, isPermanentError } from '../run/run-errors.ts';
import { isOfAnotherRequest, matchActionLog, qualities, type RequestFacts } from './match-action-log.ts';
import { INDEXING_DELAY, type FollowLimits, type FollowSnapshot, type MatchedLog } from './snapshot.ts';

/** Possible logs of one POST, and those of one quality that are compared with each other. */
const MAX_POSSIBLE = 10;
const NONE: readonly MatchedLog[] = [];
/** The contract does not show whether `action_id` or `id` matches the id of an execution, so both are tried. */
const ID_FILTERS = ['action_id', 'id'] as const;

/** A POST whose log is followed to its decision, or first searched for. */
export interface FollowTarget {
  /** id in the response; absent with `logId` and `batchId`: its log is searched for */
  readonly actionId?: string | undefined;
  /** id of its log */
  readonly logId?: string | undefined;
  /** id of the open ledger batch of its completed log */
  readonly batchId?: string | undefined;
  /** what was sent, as far as it is known: only a log of the same request is its own */
  readonly request?: RequestFacts | undefined;
  /** digest of its signature, if that proves which log is its own */
  readonly signature?: string | undefined;
  /** when it was sent, milliseconds since the epoch */
  readonly sentAt: number;
  /** sent by an earlier process or window: the time of a search began with the request */
  readonly isResumed?: boolean;
  /** the only log with exactly its parameters is probably its own */
  readonly acceptsEqual?: boolean;
  /** `logId` was found like that */
  readonly probable?: boolean;
  readonly limits: FollowLimits;
  /** called with each change, and at first */
  readonly report: (snapshot: FollowSnapshot) => void;
  /** true if nothing more is wanted */
  readonly isEnough?: (snapshot: FollowSnapshot) => boolean;
}

/** The state of one POST: what logs and ledger batches that were read mean for it. Reads nothing. */
export class FollowedPost {
  readonly target: FollowTarget;
  /** milliseconds since the epoch: when following began */
  readonly started: number;
  /** of its execution or log, and the filters that may find it */
  id: string | undefined;
  filters: readonly ('action_id' | 'id')[];
  /** of its ledger batch, once its log is decided */
  batchId: string | undefined;
  /** the list of logs shows its log */
  isListed = false;
  /** why nothing was read of it in this pass */
  error: unknown;
  readonly #time: Clock;
  readonly #searchDuration: number;
  #snapshot: FollowSnapshot;
  /** its log was not named by the response: it is not compared again */
  #isTrusted: boolean;
  #acceptsEqual: boolean;
  /** milliseconds since the epoch: when its stage began; until when its log is searched for */
  #since: number;
  #until: number;
  #matches: MatchedLog[] = [];

  /** `searchDuration`: milliseconds */
  constructor(target: FollowTarget, time: Clock, searchDuration: number) {
    const { actionId, logId, batchId, probable, isResumed = false, sentAt } = target;
    this.target = target;
    this.#time = time;
    this.#searchDuration = searchDuration;
    this.started = this.#since = time.now();
    this.#until = (isResumed ? sentAt : this.started) + searchDuration;
    this.id = logId ?? actionId;
    this.filters = logId === undefined ? ID_FILTERS : ['id'];
    this.batchId = batchId;
    this.#isTrusted = logId !== undefined;
    this.#acceptsEqual = target.acceptsEqual ?? false;
    this.#snapshot = {
      stage: batchId !== undefined ? 'batch' : this.id === undefined ? 'search' : 'notIndexed',
      ...(probable === true && { probable }),
      ...(batchId !== undefined && { logStatus: 'completed' }),
      possible: NONE,
      isConclusive: false,
      isFinished: false,
    };
    target.report(this.#snapshot);
  }

  get snapshot(): FollowSnapshot {
    return this.#snapshot;
  }
  get isFinished(): boolean {
    return this.#snapshot.isFinished;
  }
  /** Its own log is read, or may be among others; false once only its ledger batch matters. */
  get needsLog(): boolean {
    return this.batchId === undefined && !this.isFinished;
  }
  /** Lists of logs are compared with it. */
  get isCompared(): boolean {
    return !this.isFinished && this.#snapshot.log === undefined && (this.#isSearched || this.#acceptsEqual);
  }
  /** When it must be looked at again, milliseconds since the epoch. */
  get deadline(): number {
    const limit = getLimit(this.#snapshot, this.target.limits);
    return limit === undefined ? this.#until : this.#since + limit;
  }
  get #isSearched(): boolean {
    return this.#snapshot.stage === 'search';
  }

  /** True if its log is searched for in lists, too, as its id may not find it. */
  needsList(): boolean {
    return this.id === undefined || this.#isTrusted || this.#time.now() - this.started >= INDEXING_DELAY;
  }

  /**
   * Compares a log of the list: the same action may be of another user. `sentAt`: when it was sent, milliseconds by the
   * clock of the platform; `isSigned`: the log has its signature, which no other POST has.
   */
  compare(log: JsonObject, id: string, sentAt: number, isSigned: boolean): void {
    if (!this.isCompared) return;
    // A log that names another execution is not that of one whose id is known.
    if (!this.#isSearched && (log['action_id'] !== undefined || log['actionId'] !== undefined)) return;
    const quality = matchActionLog(log, this.target.request, sentAt, isSigned);
    if (quality === undefined || this.#matches.some((match) => match.id === id)) return;
    if (this.#matches.filter((match) => match.quality === quality).length < MAX_POSSIBLE)
      this.#matches.push({ id, log, quality });
  }

  /** After a page of the list: a signature proves which log is its own. */
  endPage(): void {
    this.#acceptMatch('signed');
  }

  /**
   * After the list was read in a pass that began at `start`: ends a search whose time is over. `isComplete`: to its end;
   * `endsEarly`: no other POST may turn out to be that of a possible log.
   */
  endList(start: number, isComplete: boolean, endsEarly: boolean): void {
    if (this.#acceptsEqual) this.#acceptMatch('equal');
    const possible = this.#matches
      .toSorted((a, b) => qualities.indexOf(a.quality) - qualities.indexOf(b.quality))
      .slice(0, MAX_POSSIBLE);
    this.#matches = [];
    if (!this.#isSearched) return;
    const isRead = this.error === undefined;
    const note = isRead ? stored('There are too many action logs') : describeReadError(this.error);
    this.#update({
      ...(isRead && !isEqual(possible, this.#snapshot.possible) && { possible }),
      isConclusive: isRead && isComplete,
      isFinished: (endsEarly && possible.some(({ quality }) => quality !== 'kind')) || start >= this.#until,
      ...(!(isRead && isComplete) && { note }),
    });
  }

  /** Follows the only log that was matched in this way, from now on by its own id. */
  #acceptMatch(quality: 'signed' | 'equal'): void {
    const [match, ...others] = this.#matches.filter((one) => one.quality === quality);
    if (match === undefined || others.length > 0 || !this.isCompared) return;
    this.id = match.id;
    this.filters = ['id'];
    this.#isTrusted = true;
    this.#addLog(match.log, quality === 'equal');
  }

  /** Takes a log that names its id. `sentAt`: see `compare`. */
  addNamed(logs: readonly JsonObject[], sentAt: number): void {
    const { request } = this.target;
    const log = logs.find(
      (one) => this.#isTrusted || request === undefined || !isOfAnotherRequest(one, request, sentAt),
    );
    if (log !== undefined) {
      this.#addLog(log, this.#snapshot.probable ?? false);
      return;
    }
    // The response was that of another request: nothing is known of this one.
    this.id = undefined;
    this.#acceptsEqual = false;
    this.#matches = [];
    this.#until = this.#time.now() + this.#searchDuration;
    this.#replace({ stage: 'search', isForeign: true, possible: NONE, isConclusive: false, isFinished: false });
  }

  #addLog(found: JsonObject, probable: boolean): void {
    const known = this.#snapshot.log;
    const isOld =
      known !== undefined && (isOlderVersion(readLogVersion(found), readLogVersion(known)) || isEqual(found, known));
    const log = isOld ? known : found;
    const logStatus = readStatus(log);
    this.batchId = isFinalLogStatus(logStatus) ? readId(log['batch_id']) : undefined;
    this.#update({
      stage: this.batchId === undefined ? 'log' : 'batch',
      log,
      possible: NONE,
      ...(probable && { probable }),
      ...(logStatus !== undefined && { logStatus }),
      isFinished: logStatus === 'failed' && this.batchId === undefined,
    });
  }

  /** Takes its ledger batch; `undefined` with the reason why it was not read. That of a failed log only gives the reason. */
  addBatch(found: JsonObject | undefined, error: unknown): void {
    const { batch: known, logStatus } = this.#snapshot;
    const batch = found !== undefined && isEqual(found, known) ? known : found;
    const batchStatus = batch === undefined ? undefined : readStatus(batch);
    this.error = error;
    this.#update({
      ...(batch !== undefined && { batch }),
      ...(batchStatus !== undefined && { batchStatus }),
      isFinished: logStatus === 'failed' || isFinalBatchStatus(batchStatus),
    });
  }

  /** Ends following for too long, or without permission; else notes why nothing was read. */
  checkTime(): void {
    if (this.isFinished) return;
    const { error } = this;
    const { stage, note: known } = this.#snapshot;
    const isOver = stage !== 'search' && this.#time.now() >= this.deadline;
    if (error !== undefined) {
      const note = stage === 'batch' ? describeRunError(error) : describeReadError(error);
      this.#update({ note, isFinished: isOver || isPermanentError(error) });
    } else if (isOver) this.#update({ note: describeTimeout(this.#snapshot), isFinished: true });
    else if (stage !== 'search' && known !== undefined) this.#update({});
  }

  /** Changes what is known. A note is only of the last change. */
  #update(change: Partial<FollowSnapshot>): void {
    const { note: _old, ...rest } = this.#snapshot;
    this.#replace({ ...rest, ...change });
  }

  #replace(next: FollowSnapshot): void {
    const before = this.#snapshot;
    const names = new Set([...Object.keys(before), ...Object.keys(next)]);
    if ([...names].every((name) => Reflect.get(before, name) === Reflect.get(next, name))) return;
    const isSameWait =
      next.stage === before.stage && isFinalLogStatus(next.logStatus) === isFinalLogStatus(before.logStatus);
    if (!isSameWait) this.#since = this.#time.now();
    this.#snapshot = this.target.isEnough?.(next) === true ? { ...next, isFinished: true } : next;
    this.target.report(this.#snapshot);
  }
}

function describeReadError(error: unknown): Message {
  return stored('The action logs could not be read: {0}', describeRunError(error));
}

/** Milliseconds that a state may last; `undefined` for a search, which ends at its own time. */
function getLimit({ stage, logStatus }: FollowSnapshot, limits: FollowLimits): number | undefined {
  switch (stage) {
    case 'search':
      return undefined;
    case 'notIndexed':
      return limits.indexing;
    case 'log':
      return isFinalLogStatus(logStatus) ? Math.min(limits.noBatch, limits.batch) : limits.log;
    case 'batch':
      return limits.batch;
  }
}

/** Why following ended although nothing is decided. */
function describeTimeout({ stage, logStatus, batchStatus }: FollowSnapshot): Message {
  if (stage === 'notIndexed') return stored('No action log appeared in time; it may still appear');
  if (stage === 'batch')
    return batchStatus === undefined
      ? stored('The batch still had no status when last checked')
      : stored('The batch was still {0} when last checked', getStatusText(batchStatus));
  if (logStatus === 'completed') return stored('The platform did not report a batch for it');
  return logStatus === undefined
    ? stored('The action log still had no status when last checked')
    : stored('The action log was still {0} when last checked', getStatusText(logStatus));
}

/** False also for values that are nested too deeply to be compared. */
function isEqual(one: unknown, other: unknown): boolean {
  try {
    return isDeepStrictEqual(one, other);
  } catch {
    return false;
  }
}
