import * as l10n from '@vscode/l10n';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { isFinalLogStatus, readAffectedObjects, readStatus } from '../../platform/resources/action-log-fields.ts';
import { formatLine } from '../../model/runs/run-record.ts';
import { decideOutcome } from './decide-outcome.ts';
import {
  formatId,
  getLogIds,
  INDEXING_DELAY,
  SEARCH_DURATION,
  type Clock,
  type FollowLimits,
  type FollowSnapshot,
} from './follow.ts';
import { isOfAnotherRequest, MAX_CLOCK_SKEW, type RequestFacts } from './match-action-log.ts';
import { formatRunError, isPermanentError } from '../run/run-errors.ts';
import type { RowResult } from '../bulk/batch.ts';
import type { BatchPlatform } from '../bulk/batch-platform.ts';
import type { JournalRow } from '../bulk/journal/journal-format.ts';
import { LedgerBatchWatcher } from './ledger-batch-watcher.ts';
import { LogLookup } from './log-lookup.ts';
import type { SignatureIndex } from './signature-index.ts';

/** Objects of a row that are stored. */
export const MAX_OBJECTS = 20;
/** Pages of action logs of one pass. */
const MAX_PAGES = 50;
/** Milliseconds by which the times of logs are earlier than those of requests at most, if clocks agree. */
const CLOCK_SLACK = 60_000;
/** Milliseconds from a request to its log. */
const MAX_DELAY = 15 * 60_000;
/** Rows whose log is read by its id in one pass, where the list does not show it. */
const MAX_SINGLE_READS = 20;
/** Part of the time that passes may take. */
const MAX_LOAD = 0.2;

interface WatcherOptions {
  readonly platform: BatchPlatform;
  readonly time: Clock;
  readonly limits: FollowLimits;
  /** milliseconds to search for the log of a row without an answer */
  readonly searchDuration?: number | undefined;
  readonly followsLedgerBatches: boolean;
  /** ids of the actions of rows of the batch: their logs belong to no other row */
  readonly knownActions: Set<string>;
  readonly isKnown: (id: string) => boolean;
  readonly signatures: SignatureIndex;
  readonly report: (result: JournalRow) => void;
}

interface AcceptedRow {
  readonly result: JournalRow;
  /** to tell the log of another request, as far as it is known */
  readonly request: RequestFacts | undefined;
  /** milliseconds since the epoch; of the limit that applies */
  since: number;
  /** its log was found, by whatever read */
  isFound: boolean;
  /** the list of logs shows its log */
  isListed: boolean;
  /** reported, and only followed until its log names a ledger batch */
  isCompleted: boolean;
}

/**
 * Follows the accepted rows of a batch to their decided action logs, and searches for those of unknown rows. Reads lists of
 * logs for all rows together, so that it needs few requests.
 */
export class LogWatcher {
  readonly #options: WatcherOptions;
  readonly #accepted = new Map<number, AcceptedRow>();
  readonly #lookup: LogLookup;
  readonly #batches: LedgerBatchWatcher;
  readonly #stop = new AbortController();
  #watching: Promise<void> | undefined;
  /** rows in turn, for the reads of single logs */
  #nextSingle = 0;

  constructor(options: WatcherOptions) {
    this.#options = options;
    const { platform, time, limits } = options;
    this.#lookup = new LogLookup({
      time,
      duration: options.searchDuration ?? SEARCH_DURATION,
      isKnown: options.isKnown,
      signatures: options.signatures,
      getClockAhead: () => platform.clockAhead?.() ?? 0,
    });
    this.#batches = new LedgerBatchWatcher({ platform, time, limits, report: options.report });
  }

  /**
   * Follows an accepted row, or one that is completed with an open ledger batch; of one whose steps failed, only whether its
   * log is of another request. `request`: what was sent, as far as it is known.
   */
  follow(result: JournalRow, request?: RequestFacts): void {
    if (this.#stop.signal.aborted || (result.state === 'failed' && request === undefined)) return;
    if (result.state === 'completed') {
      if (this.#options.followsLedgerBatches) this.#batches.add(result);
    } else
      this.#accepted.set(result.row, {
        result,
        request,
        since: this.#options.time.now(),
        isFound: false,
        isListed: false,
        isCompleted: false,
      });
    this.#start();
  }

  /** Searches for the log of an unknown row, or of an accepted one whose answer names no action. `request`: what was sent, as far as it is known. */
  lookUp(result: JournalRow, request: RequestFacts | undefined): void {
    if (this.#stop.signal.aborted) return;
    this.#lookup.add(result, request);
    this.#start();
  }

  /** Resolves when nothing is left to follow, or when stopped. Never rejects. */
  async waitUntilIdle(): Promise<void> {
    while (this.#watching !== undefined) await this.#watching;
  }

  /** Reads no more. Resolves when the last read has ended. Never rejects. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.waitUntilIdle();
  }

  get #isIdle(): boolean {
    return this.#accepted.size === 0 && this.#lookup.isEmpty && this.#batches.isEmpty;
  }

  #isDone(): boolean {
    return this.#isIdle || this.#stop.signal.aborted;
  }

  #start(): void {
    this.#watching ??= this.#watch().finally(() => {
      this.#watching = undefined;
      // A row may have been added since the last look.
      if (!this.#isDone()) this.#start();
    });
  }

  async #watch(): Promise<void> {
    const { time, limits } = this.#options;
    let wait = limits.initialInterval;
    for (;;) {
      if (this.#isDone()) return;
      const start = time.now();
      const hasChanged = await this.#pass();
      wait = hasChanged ? limits.initialInterval : Math.min(limits.maxInterval, wait * 1.6);
      if (this.#isDone()) return;
      const load = (time.now() - start) * (1 / MAX_LOAD - 1);
      await time.sleep(Math.max(wait, Math.min(load, limits.maxInterval)), this.#stop.signal).catch(() => undefined);
    }
  }

  /** One look at the logs and batches. Resolves with true if a row changed. Never rejects. */
  async #pass(): Promise<boolean> {
    const before = this.#accepted.size + this.#lookup.size + this.#batches.size;
    const { isComplete, error } = await this.#readList().then(
      (complete) => ({ isComplete: complete, error: undefined }),
      (reason: unknown) => ({ isComplete: false, error: reason }),
    );
    if (this.#stop.signal.aborted) return false;
    const note =
      error === undefined ? undefined : l10n.t('The action logs could not be read: {0}', formatRunError(error));
    if (note !== undefined && isPermanentError(error)) this.#giveUp(note);
    // Also if the list cannot be read: a deployment may refuse its filters.
    await this.#readSingleLogs();
    for (const result of this.#lookup.end(isComplete, note)) this.#options.report(result);
    await this.#batches.pass(this.#stop.signal);
    this.#expire(note);
    return this.#accepted.size + this.#lookup.size + this.#batches.size !== before;
  }

  /** Reads the list back to the first open row. Resolves with false if it was too long to be read to its end. */
  async #readList(): Promise<boolean> {
    const { platform } = this.#options;
    const rows = [...this.#accepted.values()].map(({ result }) => result);
    const pending = new Map(rows.flatMap(({ row, actionId }) => (actionId === undefined ? [] : [[actionId, row]])));
    if (pending.size === 0 && this.#lookup.isEmpty) return true;
    const { since, until } = this.#getPeriod([...rows, ...this.#lookup.results]);
    // Possible logs of unknown rows may be earlier than the clocks of the platform say.
    const earliest = new Date(since.getTime() - (this.#lookup.isEmpty ? 0 : MAX_CLOCK_SKEW));
    this.#lookup.begin();
    let pages = 0;
    for await (const page of platform.logPages(
      { gte: earliest, ...(until !== undefined && { lte: until }) },
      this.#stop.signal,
    )) {
      const logs = page.filter(isObject);
      for (const log of logs) {
        const row = getLogIds(log)
          .map((id) => pending.get(id))
          .find((found) => found !== undefined);
        if (row === undefined) {
          const found = this.#lookup.match(log);
          if (found !== undefined) await this.#accept(found, log);
        } else {
          for (const id of getLogIds(log)) pending.delete(id);
          const accepted = this.#accepted.get(row);
          if (accepted !== undefined) accepted.isListed = true;
          await this.#update(row, log);
        }
      }
      if (pending.size === 0 && this.#lookup.isEmpty) return true;
      if (isOlder(logs, earliest.getTime())) return true;
      if (++pages >= MAX_PAGES) return isOlder(logs, since.getTime());
    }
    return true;
  }

  /** When a row was sent, milliseconds by the clock of the platform. */
  #getSentAt({ sentAt = 0 }: JournalRow): number {
    return sentAt + (this.#options.platform.clockAhead?.() ?? 0);
  }

  /** When the logs of rows were created, by the clock of the platform; without an end if that may be yet to come. */
  #getPeriod(rows: readonly JournalRow[]): { readonly since: Date; readonly until?: Date } {
    const now = this.#options.time.now();
    const ahead = this.#options.platform.clockAhead?.() ?? 0;
    let [first, last] = [now, 0];
    for (const { sentAt = now } of rows) [first, last] = [Math.min(first, sentAt), Math.max(last, sentAt)];
    const since = new Date(first + ahead - CLOCK_SLACK);
    return last + MAX_DELAY < now ? { since, until: new Date(last + ahead + MAX_DELAY) } : { since };
  }

  /** Reads logs by their id: a deployment may list them in another order, or not at all. */
  async #readSingleLogs(): Promise<void> {
    const { platform, time, limits } = this.#options;
    const due = [...this.#accepted.values()].filter(
      ({ isListed, since }) => !isListed && time.now() - since >= 8 * limits.initialInterval,
    );
    for (let count = 0; count < Math.min(due.length, MAX_SINGLE_READS); count++) {
      const { result } = due[this.#nextSingle++ % due.length] ?? {};
      if (result?.actionId === undefined) continue;
      for (const filter of ['action_id', 'id'] as const) {
        // A deployment may refuse one of the two filters, or ignore it.
        const logs = await platform
          .logs({ [filter]: result.actionId }, this.#stop.signal)
          .catch((): readonly unknown[] => []);
        const log = logs.filter(isObject).find((one) => getLogIds(one).includes(result.actionId ?? ''));
        if (log === undefined) continue;
        await this.#update(result.row, log);
        break;
      }
    }
  }

  /** A log was found that belongs to an unknown row. */
  async #accept(result: JournalRow, log: JsonObject): Promise<void> {
    const actionId = formatId(log['action_id']) ?? formatId(log['actionId']) ?? formatId(log['id']) ?? '';
    const { reason: _reason, cause: _cause, possibleLogs: _logs, isLookedUp: _lookedUp, ...rest } = result;
    const accepted: JournalRow = { ...rest, state: 'accepted', actionId: formatLine(actionId) };
    this.#options.knownActions.add(actionId);
    this.#options.report(accepted);
    this.#accepted.set(result.row, {
      result: accepted,
      request: undefined,
      since: this.#options.time.now(),
      isFound: true,
      isListed: true,
      isCompleted: false,
    });
    await this.#update(result.row, log);
  }

  async #update(row: number, log: JsonObject): Promise<void> {
    const accepted = this.#accepted.get(row);
    if (accepted === undefined) return;
    const { request } = accepted;
    if (request !== undefined && isOfAnotherRequest(log, request, this.#getSentAt(accepted.result))) {
      this.#accepted.delete(row);
      this.#options.knownActions.delete(accepted.result.actionId ?? '');
      const unknown = describeForeign(accepted.result);
      this.#options.report(unknown);
      this.#lookup.add(unknown, request);
      return;
    }
    if (accepted.result.state === 'failed') {
      this.#accepted.delete(row);
      return;
    }
    if (!accepted.isFound) {
      accepted.isFound = true;
      accepted.since = this.#options.time.now();
    }
    const logStatus = readStatus(log);
    if (!isFinalLogStatus(logStatus)) return;
    const ledgerBatch = formatId(log['batch_id']);
    const isBatchDue = logStatus === 'completed' && ledgerBatch === undefined && this.#options.followsLedgerBatches;
    if (isBatchDue && accepted.isCompleted) return;
    if (!isBatchDue) this.#accepted.delete(row);
    const objects = readAffectedObjects(log, MAX_OBJECTS).map(({ id }) => formatLine(id));
    const result: JournalRow = {
      ...accepted.result,
      state: logStatus === 'failed' ? 'failed' : 'completed',
      ...(logStatus !== undefined && { logStatus }),
      ...(ledgerBatch !== undefined && { ledgerBatch: formatLine(ledgerBatch) }),
      ...(accepted.result.objects === undefined && objects.length > 0 && { objects }),
    };
    if (logStatus === 'failed') {
      this.#options.report({ ...result, reason: await this.#explainFailure(log, ledgerBatch) });
      return;
    }
    this.#options.report(result);
    if (isBatchDue)
      this.#accepted.set(row, { ...accepted, result, since: this.#options.time.now(), isCompleted: true });
    else if (this.#options.followsLedgerBatches) this.#batches.add(result);
  }

  async #explainFailure(log: JsonObject, ledgerBatch: string | undefined): Promise<string> {
    const { platform } = this.#options;
    const batch =
      ledgerBatch === undefined
        ? undefined
        : await platform.batch(ledgerBatch, this.#stop.signal).catch(() => undefined);
    const snapshot: FollowSnapshot = { stage: 'log', log, logStatus: 'failed', isFinished: true };
    return formatReason(decideOutcome(isObject(batch) ? { ...snapshot, batch } : snapshot, []).reason);
  }

  /** Ends following rows for too long. */
  #expire(note: string | undefined): void {
    const { time, limits, report } = this.#options;
    for (const { result, since, isFound, isCompleted } of this.#accepted.values()) {
      const isFailed = result.state === 'failed';
      const indexing = isFailed ? Math.min(limits.indexing, INDEXING_DELAY) : limits.indexing;
      const limit = isCompleted ? Math.min(limits.noBatch, limits.batch) : isFound ? limits.log : indexing;
      if (time.now() - since < limit) continue;
      this.#accepted.delete(result.row);
      if (isCompleted || isFailed) continue;
      const reason = isFound
        ? l10n.t('The action log was still pending when last checked')
        : (note ?? l10n.t('No action log appeared in time; it may still appear'));
      report({ ...result, reason: formatReason(reason) });
    }
  }

  #giveUp(reason: string): void {
    for (const { result } of this.#accepted.values())
      if (result.state === 'accepted') this.#options.report({ ...result, reason: formatReason(reason) });
    this.#accepted.clear();
  }
}

/** A row whose response is that of another action: nothing of the response is known to be of the row. */
export function describeForeign({ row, sentAt, signature, facts, status, actionId = '' }: JournalRow): JournalRow {
  const reason = formatReason(l10n.t('The platform answered with another action, {0}', actionId));
  return {
    ...{ row, state: 'unknown', reason },
    ...(sentAt !== undefined && { sentAt }),
    ...(signature !== undefined && { signature }),
    ...(facts !== undefined && { facts }),
    ...(status !== undefined && { status }),
  };
}

/** True for a page whose last log is from before a time, if the newest logs come first. */
function isOlder(logs: readonly JsonObject[], since: number): boolean {
  const [first, last] = [logs[0], logs.at(-1)].map((log) => Date.parse(String(log?.['when_created'])));
  return first !== undefined && last !== undefined && last < since && first >= last;
}

/** A reason as it is stored. */
export function formatReason(reason: string): NonNullable<RowResult['reason']> {
  return formatLine(reason.replace(/\.$/, ''), 500);
}
