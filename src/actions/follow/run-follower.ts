import * as l10n from '@vscode/l10n';
import { PlatformError, hasErrorCode } from '../../platform/errors.ts';
import {
  formatDuration,
  formatJson,
  formatLine,
  truncateText,
  type RunOutcome,
  type RunRecord,
  type RunStep,
} from '../../model/runs/run-record.ts';
import { isFinalLogStatus } from '../../platform/resources/action-log-fields.ts';
import type { ActionFile } from '../file/action-file.ts';
import { readExecutionResult } from '../run/execution-result.ts';
import { createRedactingPlatform, redactValue } from '../run/redact-variables.ts';
import { formatRunError, isPermanentError } from '../run/run-errors.ts';
import type { ExecutionResponse, RunPlatform } from '../run/run-platform.ts';
import type { SendResult } from '../run/send.ts';
import { getSignatureHint } from '../run/signature-hint.ts';
import { addCreatedObjects, mergeAffectedObjects, readObjectsAfter } from './affected-objects.ts';
import { decideBySteps, decideOutcome, getSnapshotFields, type Verdict } from './decide-outcome.ts';
import {
  defaultFollowLimits,
  follow,
  formatId,
  INDEXING_DELAY,
  SEARCH_DURATION,
  type Clock,
  type FollowLimits,
  type FollowOptions,
  type FollowSnapshot,
} from './follow.ts';
import { readRequestFacts, type RequestFacts } from './match-action-log.ts';
import { searchActionLogs, type SearchResult } from './search-action-logs.ts';

/** What following needs to know of a run. */
export interface FollowedRun {
  readonly record: RunRecord;
  readonly file: ActionFile;
  /** the text that is sent */
  readonly body: string;
  /** values to redact in everything that is stored or shown */
  readonly secrets: readonly string[];
}

export interface FollowRunOptions {
  readonly platform: RunPlatform;
  readonly time: Clock;
  /** stops following */
  readonly signal: AbortSignal;
  /** called with every change; what it throws is ignored */
  readonly report: (record: RunRecord) => void;
  readonly limits?: FollowLimits;
  /** milliseconds to search for the log of a run whose response does not name it */
  readonly searchDuration?: number;
  /** ids of logs and actions that belong to other runs */
  readonly knownLogs?: () => ReadonlySet<string>;
  /** called once, when the outcome is decided; the batch may still be followed */
  readonly onSettled?: (record: RunRecord) => void;
}

/** The follow stage of one run: keeps its record up to date until the outcome is decided and its batch is final. */
export class RunFollower {
  readonly platform: RunPlatform;
  record: RunRecord;
  readonly #options: FollowRunOptions;
  readonly #file: ActionFile;
  readonly #secrets: readonly string[];
  readonly #request: RequestFacts | undefined;
  #steps: readonly RunStep[] = [];
  /** with the ids that are redacted in the record */
  #affected: RunRecord['affected'];
  /** what the request names, as of the request */
  readonly #before: RunRecord['affected'];
  #settled = false;

  constructor({ record, file, body, secrets }: FollowedRun, options: FollowRunOptions) {
    // Redacted first: a value that is cut or reformatted could no longer be found.
    this.platform = createRedactingPlatform(options.platform, secrets);
    this.record = record;
    this.#options = options;
    this.#file = file;
    this.#secrets = secrets;
    this.#request = readRequestFacts(body);
    this.#affected = record.affected;
    this.#before = record.affected.filter(({ before, note }) => before !== undefined || note !== undefined);
  }

  /** Changes the record, with the values of variables redacted, and reports it. */
  update(change: Partial<RunRecord>): void {
    if (change.affected !== undefined) this.#affected = change.affected;
    this.record = { ...this.record, ...redactValue(change, this.#secrets) };
    try {
      this.#options.report(this.record);
    } catch {
      // An error in a view does not change the outcome.
    }
  }

  /** Ends the run, with a hint if a signature in the file was rejected. Returns the record. */
  end(outcome: RunOutcome, reason: string, change: Partial<RunRecord> = {}): RunRecord {
    const hint = outcome === 'refused' || outcome === 'failed' ? getSignatureHint(this.#file, reason) : undefined;
    const text = formatLine(hint === undefined ? reason : `${reason}. ${hint}`, 1000);
    this.update({ ...change, outcome, reason: text, phase: 'ended', ended: this.#options.time.now() });
    this.#settle();
    return this.record;
  }

  /** Ends a run that was sent, after an unexpected error. */
  #endWithError(error: unknown): RunRecord {
    const { outcome, actionId } = this.record;
    const known = outcome ?? (actionId === undefined ? 'unknown' : 'unfinished');
    return this.end(
      known,
      l10n.t('The request was sent, but its outcome could not be read: {0}', formatRunError(error)),
    );
  }

  /** Follows a run from the result of the send stage. Resolves with the ended record; never rejects. */
  async follow(sent: SendResult): Promise<RunRecord> {
    try {
      return await this.#handleResult(sent);
    } catch (error) {
      return this.#endWithError(error);
    }
  }

  /**
   * Searches for a run that is no longer followed. `chosenLog`: id of the action log that the user takes for its own. Resolves with
   * the ended record; never rejects.
   */
  async resume(chosenLog?: string): Promise<RunRecord> {
    try {
      return await this.#resume(chosenLog);
    } catch (error) {
      return this.#endWithError(error);
    }
  }

  async #handleResult(sent: SendResult): Promise<RunRecord> {
    if (sent.kind === 'notSent') return this.end('notSent', formatRunError(sent.error), this.#errorFields(sent.error));
    if (sent.kind === 'accepted') return this.#handleAccepted(sent.answer);
    this.update(this.#errorFields(sent.error));
    switch (sent.kind) {
      case 'refused':
        return this.#handleRefused(sent.error, sent.status);
      case 'doubtful':
        return this.#handleDoubtful(sent.error, sent.status);
      case 'lost':
        return this.#handleLost(sent.error);
    }
  }

  async #resume(chosenLog?: string): Promise<RunRecord> {
    const { record } = this;
    this.#steps = record.steps;
    this.update({ phase: 'following', note: l10n.t('Searching for its action log') });
    if (chosenLog !== undefined) {
      this.update({ logId: chosenLog, possible: [] });
      return this.#followLog({ logId: chosenLog }, { prefix: l10n.t('You chose its action log') });
    }
    const { actionId, logId } = record;
    if (actionId !== undefined) return this.#followLog({ actionId });
    if (logId !== undefined) return this.#followLog({ logId }, { probable: record.probable === true });
    const sentAt = record.sentAt ?? record.started;
    const left = sentAt + (this.#options.searchDuration ?? SEARCH_DURATION) - this.#options.time.now();
    const found = await this.#search(Math.max(0, left), sentAt + 15 * 60_000);
    if (found.signed !== undefined) return this.#followMatchedLog(found.signed, false, '');
    return this.end('unknown', this.#formatUnknown(found));
  }

  async #handleAccepted({ raw, status, requestId }: ExecutionResponse): Promise<RunRecord> {
    const { actionId, steps, createdIds } = readExecutionResult(raw);
    const isKnown = actionId !== undefined && this.#options.knownLogs?.().has(actionId) === true;
    this.#steps = isKnown ? [] : steps;
    const decided = decideBySteps(this.#steps);
    this.update({
      answeredAt: this.#options.time.now(),
      status,
      steps: this.#steps,
      phase: 'following',
      ...(!isKnown && { affected: addCreatedObjects(this.#affected, createdIds) }),
      response: formatJson(raw),
      ...(requestId !== undefined && { requestId }),
      ...(actionId !== undefined && !isKnown && { actionId }),
      ...(decided !== undefined && getOutcomeFields(decided)),
    });
    if (isKnown) return this.#handleForeign(actionId);
    if (decided !== undefined) this.#settle();
    if (actionId !== undefined) return this.#followLog({ actionId });
    if (decided !== undefined) return this.end('failed', decided.reason);
    const found = await this.#search();
    const log = found.signed ?? found.equal;
    if (log !== undefined)
      return this.#followMatchedLog(log, found.signed === undefined, l10n.t('The response contained no action ID'));
    return this.end(
      'unknown',
      l10n.t('The platform accepted the request but returned no action ID, so its outcome can’t be determined'),
    );
  }

  /** The response is that of another execution, as of a gateway that replays or confuses responses. */
  async #handleForeign(actionId: string): Promise<RunRecord> {
    const why = l10n.t('The platform answered with another action, {0}', formatLine(actionId));
    const { actionId: _action, outcome: _outcome, reason: _reason, reasonFrom: _source, ...rest } = this.record;
    this.record = { ...rest, steps: [] };
    this.#steps = [];
    this.update({ affected: this.#before });
    const found = await this.#search();
    if (found.signed !== undefined) return this.#followMatchedLog(found.signed, false, why);
    return this.end('unknown', `${why}. ${this.#formatUnknown(found)}`);
  }

  async #handleRefused(error: PlatformError, status: number): Promise<RunRecord> {
    const { retryAfter } = error.detail;
    if (status === 404 && (await this.#logsAreMissing()))
      return this.end(
        'refused',
        l10n.t('{0}. The action logs were not found either. The base URL is probably wrong', formatRunError(error)),
      );
    const message = formatRunError(error);
    const reason =
      retryAfter === undefined
        ? message
        : l10n.t('{0}. Wait {1} before the next request', message, formatDuration(retryAfter));
    return this.end('refused', reason);
  }

  /** True if the action logs answer 404 too: the base URL does not lead to the API. */
  async #logsAreMissing(): Promise<boolean> {
    try {
      await this.platform.logs({ limit: 1 }, this.#options.signal);
      return false;
    } catch (error) {
      return error instanceof PlatformError && error.detail.status === 404;
    }
  }

  async #handleDoubtful(error: PlatformError, status: number): Promise<RunRecord> {
    const found = await this.#search();
    const log = found.signed ?? found.equal;
    const message = formatRunError(error);
    if (log !== undefined) {
      const why = l10n.t('It was executed, although the response was HTTP {0}', status);
      return this.#followMatchedLog(log, found.signed === undefined, why);
    }
    return this.end('unknown', `${message}. ${this.#formatUnknown(found)}`);
  }

  async #handleLost(error: unknown): Promise<RunRecord> {
    const found = await this.#search();
    if (found.signed !== undefined) return this.#followMatchedLog(found.signed, false, l10n.t('The response was lost'));
    const gaveUp = hasErrorCode(error, 'cancelled');
    const why = gaveUp ? l10n.t('Stopped waiting for the response') : formatRunError(error);
    return this.end(
      'unknown',
      l10n.t('{0}. The request was sent. It may have been executed, and won’t be sent again', why),
    );
  }

  #formatUnknown(found: SearchResult): string {
    return `${l10n.t('It may have been executed, and won’t be sent again.')} ${this.#formatSearchResult(found)}`;
  }

  #formatSearchResult({ possible, isConclusive }: SearchResult): string {
    if (possible.some(({ sameParams }) => sameParams)) return l10n.t('An action log may belong to this request');
    return isConclusive ? l10n.t('No action log was found') : l10n.t('The action logs could not be read');
  }

  async #search(milliseconds = this.#options.searchDuration ?? SEARCH_DURATION, until?: number): Promise<SearchResult> {
    this.update({ phase: 'following', note: l10n.t('Searching for its action log') });
    const { time, signal, limits, knownLogs } = this.#options;
    const found = await searchActionLogs({
      request: this.#request,
      sentAt: this.#sentAt(),
      ...(until !== undefined && { until }),
      reads: this.platform,
      time,
      signal,
      duration: milliseconds,
      initialInterval: limits?.initialInterval ?? 400,
      knownLogs,
      isPermanentError,
      report: (possible) => {
        this.update({ possible });
      },
      onError: (error) => {
        this.update({ note: l10n.t('The action logs could not be read: {0}', formatRunError(error)) });
      },
    });
    if (found.isConclusive) this.update({ note: found.possible.length > 0 ? '' : l10n.t('No action log was found') });
    return found;
  }

  /** When the request was sent, milliseconds by the platform's clock. */
  #sentAt(): number {
    return (this.record.sentAt ?? this.record.started) + (this.platform.clockAhead?.() ?? 0);
  }

  /** Follows a log that the response did not name. `prefix`: first sentence of the reason. */
  async #followMatchedLog(log: FollowedLog, probable: boolean, prefix: string): Promise<RunRecord> {
    const logId = formatId(log['id']);
    if (logId === undefined) return this.end('unknown', prefix);
    this.update({ logId, possible: [], ...(probable && { probable }) });
    return this.#followLog({ logId }, { probable, prefix });
  }

  async #followLog(
    target: FollowOptions['target'],
    { probable = false, prefix = '' }: { readonly probable?: boolean; readonly prefix?: string } = {},
  ): Promise<RunRecord> {
    const { time, signal, limits = defaultFollowLimits, knownLogs } = this.#options;
    const failedBefore = decideBySteps(this.#steps) !== undefined;
    const getSentAt = (): number => this.#sentAt();
    const snapshot = await follow({
      target,
      request: this.#request,
      // Its response may be an old one, whose date says nothing of the clock of the platform.
      get sentAt() {
        return getSentAt();
      },
      knownLogs,
      reads: this.platform,
      time,
      signal,
      // A failed step decides the outcome: the log only adds the objects that it changed.
      limits: failedBefore ? getLimitsAfterFailure(limits) : limits,
      isPermanentError,
      formatError: formatRunError,
      report: (current) => {
        this.update(getFields(current));
        if (isFinalLogStatus(current.logStatus) && !this.#settled) {
          const verdict = decideOutcome(current, this.#steps);
          this.update({
            ...getOutcomeFields(addPrefix(verdict)),
            affected: mergeAffectedObjects(current.log, this.#affected),
          });
          this.#settle();
        }
      },
    });
    this.update(getFields(snapshot));
    if (snapshot.isForeign === true && 'actionId' in target) return this.#handleForeign(target.actionId);
    const affected = await readObjectsAfter(
      mergeAffectedObjects(snapshot.log, this.#affected),
      this.platform,
      signal,
      snapshot,
    );
    const verdict = addPrefix(decideOutcome(snapshot, this.#steps));
    return this.end(verdict.outcome, verdict.reason, { affected, ...getOutcomeFields(verdict) });

    function getFields(current: FollowSnapshot): Partial<RunRecord> {
      return { ...getSnapshotFields(current), ...((probable || current.probable === true) && { probable: true }) };
    }

    function addPrefix(verdict: Verdict): Verdict {
      return prefix === '' ? verdict : { ...verdict, reason: `${prefix}. ${verdict.reason}` };
    }
  }

  #errorFields(error: unknown): Partial<RunRecord> {
    const detail = error instanceof PlatformError ? error.detail : {};
    return {
      answeredAt: this.#options.time.now(),
      ...(detail.status !== undefined && { status: detail.status }),
      ...(detail.body !== undefined && { response: truncateText(detail.body) }),
      ...(detail.requestId !== undefined && { requestId: detail.requestId }),
      ...(detail.retryAfter !== undefined && { retryAfter: detail.retryAfter }),
    };
  }

  #settle(): void {
    if (this.#settled) return;
    this.#settled = true;
    try {
      this.#options.onSettled?.(this.record);
    } catch {
      // See `update`.
    }
  }
}

type FollowedLog = NonNullable<FollowSnapshot['log']>;

function getOutcomeFields({ outcome, reason, reasonFrom }: Verdict): Partial<RunRecord> {
  return { outcome, reason: formatLine(reason, 1000), ...(reasonFrom !== undefined && { reasonFrom }) };
}

function getLimitsAfterFailure(limits: FollowLimits): FollowLimits {
  const log = Math.min(limits.log, INDEXING_DELAY);
  return { ...limits, indexing: Math.min(limits.indexing, INDEXING_DELAY), log, batch: 0 };
}
