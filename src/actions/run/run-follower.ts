import * as l10n from '@vscode/l10n';
import { PlatformError, hasErrorCode } from '../../platform/errors.ts';
import { isFinalBatchStatus, isFinalLogStatus } from '../../platform/resources/action-log-fields.ts';
import {
  formatDuration,
  formatJson,
  formatLine,
  truncateText,
  type AffectedObject,
  type RunOutcome,
  type RunRecord,
  type RunStep,
} from '../../model/runs/run-record.ts';
import type { ActionFile } from '../file/action-file.ts';
import { decideBySteps, decideOutcome, getSnapshotFields, type Verdict } from '../follow/decide-outcome.ts';
import type { FollowTarget } from '../follow/followed-post.ts';
import { LogFollower } from '../follow/log-follower.ts';
import { getSignatureDigest, readRequestFacts, type RequestFacts } from '../follow/match-action-log.ts';
import {
  defaultFollowLimits,
  getLimitsAfterFailure,
  type Clock,
  type FollowLimits,
  type FollowSnapshot,
} from '../follow/snapshot.ts';
import { addCreatedObjects, mergeAffectedObjects, readObjectsAfter } from './affected-objects.ts';
import { readExecutionResult } from './execution-result.ts';
import { createRedactingPlatform, Redactor } from './redact-variables.ts';
import { formatRunError } from './run-errors.ts';
import type { ExecutionResponse, RunPlatform } from './run-platform.ts';
import type { SendResult } from './send.ts';
import { getSignatureHint } from './signature-hint.ts';

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

/** How a run is followed. */
interface FollowPlan extends Pick<FollowTarget, 'actionId' | 'logId' | 'acceptsEqual' | 'probable' | 'isResumed'> {
  /** first sentence of the reason, if its log is found */
  readonly prefix?: string;
  /** the reason if a search finds no log */
  readonly formatUnknown?: (search: FollowSnapshot) => string;
}

const START: FollowSnapshot = { stage: 'search', possible: [], isConclusive: false, isFinished: false };

/** The follow stage of one run: keeps its record up to date until the outcome is decided and its batch is final. */
export class RunFollower {
  readonly platform: RunPlatform;
  record: RunRecord;
  readonly #options: FollowRunOptions;
  readonly #file: ActionFile;
  readonly #redactor: Redactor;
  readonly #request: RequestFacts | undefined;
  #steps: readonly RunStep[] = [];
  /** with the ids that are redacted in the record */
  #affected: RunRecord['affected'];
  /** what the request names, as of the request */
  readonly #before: RunRecord['affected'];
  #snapshot = START;
  /** with all values of variables redacted */
  #shown = START;
  #settled = false;

  constructor({ record, file, body, secrets }: FollowedRun, options: FollowRunOptions) {
    this.#redactor = new Redactor(secrets);
    // Redacted first: a value that is cut or reformatted could no longer be found.
    this.platform = createRedactingPlatform(options.platform, this.#redactor);
    this.record = record;
    this.#options = options;
    this.#file = file;
    this.#request = readRequestFacts(body);
    this.#affected = record.affected;
    this.#before = record.affected.filter(({ before, note }) => before !== undefined || note !== undefined);
  }

  /** Changes the record and reports it. Texts about it and ids of objects are redacted here; what was read is already. */
  update({ affected, reason, note, ...change }: Partial<RunRecord>): void {
    if (affected !== undefined) this.#affected = affected;
    this.record = {
      ...this.record,
      ...change,
      ...(reason !== undefined && { reason: this.#redactor.redactText(reason) }),
      ...(note !== undefined && { note: this.#redactor.redactText(note) }),
      ...(affected !== undefined && { affected: affected.map((object) => this.#redactObject(object)) }),
    };
    try {
      this.#options.report(this.record);
    } catch {
      // An error in a view does not change the outcome.
    }
  }

  /** The two states were redacted when they were read. */
  #redactObject({ before, after, ...fields }: AffectedObject): AffectedObject {
    return {
      ...this.#redactor.redact(fields),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    };
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
    if (sent.kind === 'accepted') return this.#handleAccepted(sent.response);
    this.update(this.#errorFields(sent.error));
    const { error } = sent;
    switch (sent.kind) {
      case 'refused':
        return this.#handleRefused(sent.error, sent.status);
      case 'doubtful':
        return this.#follow({
          acceptsEqual: true,
          prefix: l10n.t('It was executed, although the response was HTTP {0}', sent.status),
          formatUnknown: (search) => `${formatRunError(error)}. ${formatUnknown(search)}`,
        });
      case 'lost': {
        const gaveUp = hasErrorCode(error, 'cancelled');
        const why = gaveUp ? l10n.t('Stopped waiting for the response') : formatRunError(error);
        return this.#follow({
          prefix: l10n.t('The response was lost'),
          formatUnknown: () =>
            l10n.t('{0}. The request was sent. It may have been executed, and won’t be sent again', why),
        });
      }
    }
  }

  async #resume(chosenLog?: string): Promise<RunRecord> {
    const { actionId, logId, probable = false, steps } = this.record;
    this.#steps = steps;
    this.update({ phase: 'following', note: l10n.t('Searching for its action log') });
    if (chosenLog !== undefined) {
      this.update({ logId: chosenLog, possible: [] });
      return this.#follow({ logId: chosenLog, prefix: l10n.t('You chose its action log') });
    }
    if (actionId !== undefined) return this.#follow({ actionId, acceptsEqual: true });
    return this.#follow({ logId, probable: logId !== undefined && probable, isResumed: true });
  }

  async #handleAccepted({ raw, status, requestId }: ExecutionResponse): Promise<RunRecord> {
    const { actionId, steps, createdIds } = readExecutionResult(raw);
    const isForeign = actionId !== undefined && this.#isKnown(actionId);
    this.#steps = isForeign ? [] : steps;
    const decided = decideBySteps(this.#steps);
    this.update({
      answeredAt: this.#options.time.now(),
      status,
      steps: this.#steps,
      phase: 'following',
      ...(!isForeign && { affected: addCreatedObjects(this.#affected, createdIds) }),
      response: formatJson(raw),
      ...(requestId !== undefined && { requestId }),
      ...(actionId !== undefined && !isForeign && { actionId }),
      ...(decided !== undefined && getOutcomeFields(decided)),
    });
    if (isForeign) return this.#follow(this.#createForeignPlan(actionId));
    if (decided !== undefined) this.#settle();
    if (actionId !== undefined) return this.#follow({ actionId, acceptsEqual: true });
    if (decided !== undefined) return this.end('failed', decided.reason);
    return this.#follow({
      acceptsEqual: true,
      prefix: l10n.t('The response contained no action ID'),
      formatUnknown: () =>
        l10n.t('The platform accepted the request but returned no action ID, so its outcome can’t be determined'),
    });
  }

  /** The response is that of another execution, as of a gateway that replays or confuses responses. */
  #createForeignPlan(actionId: string): FollowPlan {
    const prefix = l10n.t('The platform answered with another action, {0}', formatLine(actionId));
    const { actionId: _action, outcome: _outcome, reason: _reason, reasonFrom: _source, ...rest } = this.record;
    this.record = { ...rest, steps: [] };
    this.#steps = [];
    this.update({ affected: this.#before });
    return { prefix, formatUnknown: (search) => `${prefix}. ${formatUnknown(search)}` };
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

  /** True if the action logs respond with 404 too: the base URL does not lead to the API. */
  async #logsAreMissing(): Promise<boolean> {
    try {
      await this.platform.logs({ limit: 1 }, this.#options.signal);
      return false;
    } catch (error) {
      return error instanceof PlatformError && error.detail.status === 404;
    }
  }

  #isKnown(id: string): boolean {
    return this.#options.knownLogs?.().has(id) === true;
  }

  /** Follows the run to its end. */
  async #follow(first: FollowPlan): Promise<RunRecord> {
    const { time, signal, limits = defaultFollowLimits, searchDuration } = this.#options;
    let plan = first;
    // A failed step decides the outcome: the log only adds the objects that it changed.
    const hasFailed = decideBySteps(this.#steps) !== undefined;
    const follower = new LogFollower({
      reads: this.platform,
      time,
      limits,
      searchDuration,
      isKnown: (id) => this.#isKnown(id),
    });
    const stop = (): void => void follower.stop();
    signal.addEventListener('abort', stop, { once: true });
    follower.follow({
      ...first,
      request: this.#request,
      signature: getSignatureDigest(this.#request?.signature),
      sentAt: this.record.sentAt ?? this.record.started,
      limits: hasFailed ? getLimitsAfterFailure(limits) : limits,
      report: (snapshot) => {
        const { actionId } = plan;
        if (snapshot.isForeign === true && actionId !== undefined) plan = this.#createForeignPlan(actionId);
        this.#show(snapshot, plan.prefix);
      },
    });
    if (signal.aborted) stop();
    try {
      await follower.waitUntilIdle();
    } finally {
      signal.removeEventListener('abort', stop);
    }
    const { stage, isConclusive, isFinished } = this.#shown;
    if (stage === 'search') {
      const { formatUnknown: format = formatUnknown } = plan;
      return this.end('unknown', format({ ...this.#shown, isConclusive: isConclusive && !signal.aborted }));
    }
    if (!isFinished) {
      const note = l10n.t('Stopped waiting for the outcome; the request was already sent');
      this.#show({ ...this.#snapshot, note }, plan.prefix);
    }
    const { log, logStatus } = this.#snapshot;
    const affected = mergeAffectedObjects(log, this.#affected);
    // Before the decision a read proves nothing.
    const isDecided = isFinalLogStatus(logStatus) && !signal.aborted;
    const read = isDecided ? await readObjectsAfter(affected, this.platform, signal) : affected;
    const verdict = addPrefix(decideOutcome(this.#shown, this.#steps), plan.prefix);
    return this.end(verdict.outcome, verdict.reason, { affected: read, ...getOutcomeFields(verdict) });
  }

  /** Enters what is known now into the record: redacted once, and formatted if it changed. */
  #show(snapshot: FollowSnapshot, prefix: string | undefined): void {
    const before = this.#shown;
    const shown = this.#redact(snapshot);
    this.#snapshot = snapshot;
    this.#shown = shown;
    const isDecided = isFinalLogStatus(shown.logStatus) && !this.#settled;
    this.update({
      phase: 'following',
      ...getSnapshotFields(shown, before),
      ...(isDecided && {
        ...getOutcomeFields(addPrefix(decideOutcome(shown, this.#steps), prefix)),
        affected: mergeAffectedObjects(snapshot.log, this.#affected),
      }),
    });
    if (isDecided) this.#settle();
  }

  /** What is shown of a snapshot: only what changed since the last one is redacted. */
  #redact(next: FollowSnapshot): FollowSnapshot {
    const [last, shown, redactor] = [this.#snapshot, this.#shown, this.#redactor];
    const { log, batch, possible, logStatus, batchStatus } = next;
    // A status that decides is no value of a variable, whatever they are.
    const redactStatus = (status: string): string =>
      isFinalBatchStatus(status) ? status : redactor.redactText(status);
    return {
      ...next,
      ...(log !== undefined && { log: log === last.log ? (shown.log ?? log) : redactor.redact(log) }),
      ...(batch !== undefined && { batch: batch === last.batch ? (shown.batch ?? batch) : redactor.redact(batch) }),
      ...(logStatus !== undefined && { logStatus: redactStatus(logStatus) }),
      ...(batchStatus !== undefined && { batchStatus: redactStatus(batchStatus) }),
      possible:
        possible === last.possible
          ? shown.possible
          : possible.map(({ id, log: match, quality }) => ({
              ...{ id: redactor.redactText(id), log: redactor.redact(match), quality },
            })),
    };
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

function getOutcomeFields({ outcome, reason, reasonFrom }: Verdict): Partial<RunRecord> {
  return { outcome, reason: formatLine(reason, 1000), ...(reasonFrom !== undefined && { reasonFrom }) };
}

function addPrefix(verdict: Verdict, prefix: string | undefined): Verdict {
  return prefix === undefined ? verdict : { ...verdict, reason: `${prefix}. ${verdict.reason}` };
}

function formatUnknown(search: FollowSnapshot): string {
  return `${l10n.t('It may have been executed, and won’t be sent again.')} ${formatSearchResult(search)}`;
}

function formatSearchResult({ possible, isConclusive }: FollowSnapshot): string {
  if (possible.some(({ quality }) => quality !== 'kind')) return l10n.t('An action log may belong to this request');
  return isConclusive ? l10n.t('No action log was found') : l10n.t('The action logs could not be read');
}
