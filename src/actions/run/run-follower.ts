import type { Clock } from '../../model/clock.ts';
import { stored, formatText, joinSentences, type StoredText } from '../../platform/text/message.ts';
import { PlatformError, hasErrorCode } from '../../platform/errors.ts';
import { isFinalLogStatus } from '../../platform/resources/action-log-fields.ts';
import type { RunOutcome } from '../../model/runs/run-outcome.ts';
import {
  describeDuration,
  changeRun,
  formatJson,
  formatLine,
  truncateText,
  type RunChange,
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
  type FollowLimits,
  type FollowSnapshot,
} from '../follow/snapshot.ts';
import { addCreatedObjects, mergeAffectedObjects, readObjectsAfter } from './affected-objects.ts';
import { readExecutionResult } from './execution-result.ts';
import { redactObject, redactSnapshot, redactStored } from './redact-run.ts';
import { createRedactingPlatform, Redactor } from './redact-variables.ts';
import { describeRunError } from './run-errors.ts';
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
  readonly prefix?: StoredText;
  /** the reason if a search finds no log */
  readonly describeUnknown?: (search: FollowSnapshot) => StoredText;
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
  #before: RunRecord['affected'] = [];
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
  }

  /** Changes the record and reports it. Texts about it and ids of objects are redacted here; what was read is already. */
  update({ affected, reason, note, ...change }: RunChange): void {
    if (affected !== undefined) this.#affected = affected;
    this.record = changeRun(this.record, {
      ...change,
      ...(reason !== undefined && { reason: redactStored(this.#redactor, reason) }),
      ...(note !== undefined && { note: redactStored(this.#redactor, note) }),
      ...(affected !== undefined && { affected: affected.map((object) => redactObject(this.#redactor, object)) }),
    });
    try {
      this.#options.report(this.record);
    } catch {
      // An error in a view does not change the outcome.
    }
  }

  /** Ends the run, with a hint if a signature in the file was rejected. Returns the record. */
  end(outcome: RunOutcome, reason: StoredText, change: RunChange = {}): RunRecord {
    const isRejected = outcome === 'refused' || outcome === 'failed';
    const hint = isRejected ? getSignatureHint(this.#file, formatText(reason)) : undefined;
    this.update({
      ...change,
      outcome,
      reason: joinSentences(reason, hint),
      phase: 'ended',
      ended: this.#options.time.now(),
    });
    this.#settle();
    return this.record;
  }

  /** Ends a run that was sent, after an unexpected error. */
  #endWithError(error: unknown): RunRecord {
    const { outcome, actionId } = this.record;
    const known = outcome ?? (actionId === undefined ? 'unknown' : 'unfinished');
    return this.end(
      known,
      stored('The request was sent, but its outcome could not be read: {0}', describeRunError(error)),
      { note: '' },
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
    if (sent.kind === 'notSent')
      return this.end('notSent', describeRunError(sent.error), this.#errorFields(sent.error));
    if (sent.kind === 'accepted') return this.#handleAccepted(sent.response);
    this.update(this.#errorFields(sent.error));
    const { error } = sent;
    switch (sent.kind) {
      case 'refused':
        return this.#handleRefused(sent.error, sent.status);
      case 'doubtful':
        return this.#follow({
          acceptsEqual: true,
          prefix: stored('It was executed, although the response was HTTP {0}', sent.status),
          describeUnknown: (search) => joinSentences(describeRunError(error), describeUnknown(search)),
        });
      case 'lost': {
        const gaveUp = hasErrorCode(error, 'cancelled');
        const why = gaveUp ? stored('Stopped waiting for the response') : describeRunError(error);
        return this.#follow({
          prefix: stored('The response was lost'),
          describeUnknown: () =>
            stored('{0}. The request was sent. It may have been executed, and won’t be sent again', why),
        });
      }
    }
  }

  async #resume(chosenLog?: string): Promise<RunRecord> {
    const { actionId, logId, probable = false, steps } = this.record;
    this.#steps = steps;
    this.#before = this.#affected.filter(({ before, note }) => before !== undefined || note !== undefined);
    this.update({ phase: 'following', note: stored('Searching for its action log') });
    if (chosenLog !== undefined) {
      this.update({ logId: chosenLog, possible: [] });
      return this.#follow({ logId: chosenLog, prefix: stored('You chose its action log') });
    }
    if (actionId !== undefined) return this.#follow({ actionId, acceptsEqual: true });
    return this.#follow({ logId, probable: logId !== undefined && probable, isResumed: true });
  }

  async #handleAccepted({ raw, status, requestId }: ExecutionResponse): Promise<RunRecord> {
    const { actionId, steps, createdIds } = readExecutionResult(raw);
    const isForeign = actionId !== undefined && this.#isKnown(actionId);
    this.#steps = isForeign ? [] : steps;
    this.#before = this.#affected;
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
      prefix: stored('The response contained no action ID'),
      describeUnknown: () =>
        stored('The platform accepted the request but returned no action ID, so its outcome can’t be determined'),
    });
  }

  /** The response is that of another execution, as of a gateway that replays or confuses responses. */
  #createForeignPlan(actionId: string): FollowPlan {
    const prefix = stored('The response names another action, {0}', formatLine(actionId));
    const { actionId: _action, outcome: _outcome, reason: _reason, reasonFrom: _source, texts, ...rest } = this.record;
    const { reason: _text, ...others } = texts ?? {};
    this.record = { ...rest, steps: [], texts: others };
    this.#steps = [];
    this.update({ affected: this.#before });
    return { prefix, describeUnknown: (search) => joinSentences(prefix, describeUnknown(search)) };
  }

  async #handleRefused(error: PlatformError, status: number): Promise<RunRecord> {
    const { retryAfter } = error.detail;
    if (status === 404 && (await this.#logsAreMissing()))
      return this.end(
        'refused',
        stored('{0}. The action logs were not found either. The base URL is probably wrong', describeRunError(error)),
      );
    const message = describeRunError(error);
    const reason =
      retryAfter === undefined
        ? message
        : stored('{0}. Wait {1} before the next request', message, describeDuration(retryAfter));
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
      const { describeUnknown: describe = describeUnknown } = plan;
      const reason = describe({ ...this.#shown, isConclusive: isConclusive && !signal.aborted });
      // A search that was stopped no longer searches.
      return this.end('unknown', reason, isFinished ? {} : { note: '' });
    }
    if (!isFinished) {
      const note = stored('Stopped waiting for the outcome; the request was already sent');
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
  #show(snapshot: FollowSnapshot, prefix: StoredText | undefined): void {
    const before = this.#shown;
    const shown = redactSnapshot(this.#redactor, snapshot, { last: this.#snapshot, shown: before });
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

  #errorFields(error: unknown): RunChange {
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

function getOutcomeFields({ outcome, reason, reasonFrom }: Verdict): RunChange {
  return { outcome, reason, ...(reasonFrom !== undefined && { reasonFrom }) };
}

function addPrefix(verdict: Verdict, prefix: StoredText | undefined): Verdict {
  return prefix === undefined ? verdict : { ...verdict, reason: joinSentences(prefix, verdict.reason) };
}

function describeUnknown(search: FollowSnapshot): StoredText {
  return joinSentences(stored('It may have been executed, and won’t be sent again.'), describeSearchResult(search));
}

function describeSearchResult({ possible, isConclusive }: FollowSnapshot): StoredText {
  if (possible.some(({ quality }) => quality !== 'kind')) return stored('An action log may belong to this request');
  return isConclusive ? stored('No action log was found') : stored('The action logs could not be read');
}
