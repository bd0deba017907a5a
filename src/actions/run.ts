/**
 * One run from the composed request to the proof: read the objects, save, send once, follow. It says no more of the
 * outcome than is known, and no less. Pure: no editor.
 */
import { PlatformError } from '../platform/errors.ts';
import { readAnswer } from './answer.ts';
import { bodyOf, parseActionFile } from './file.ts';
import {
  APPEARS_WITHIN,
  follow,
  idText,
  isDecided,
  usualLimits,
  type FollowLimits,
  type FollowOptions,
  type FollowTime,
  type Sight,
} from './follow.ts';
import { errorText, isHopeless } from './errors.ts';
import { hidingPlatform, hidingValue } from './hiding.ts';
import { affectedOf, readAfter, readBefore, withMade } from './objects.ts';
import type { ExecutionAnswer, RunPlatform } from './platform.ts';
import { requestFacts, type RequestFacts } from './possible.ts';
import { cutText, durationText, lineOf, prettyOf, type Outcome, type RunRecord, type Step } from './record.ts';
import { search, type Found } from './search.ts';
import { send, type Sent } from './send.ts';
import { signatureHint } from './signature-hint.ts';
import { sightFields, stepVerdict, verdictOf, type Verdict } from './verdict.ts';

/** What the compose stage made. */
export interface RunRequest {
  readonly record: RunRecord;
  /** the text to send; its variables filled in, its signature added */
  readonly body: string;
  /** objects to read before sending */
  readonly targets: readonly string[];
  /** values that nothing kept may hold */
  readonly secrets: readonly string[];
}

export interface LookOptions {
  readonly platform: RunPlatform;
  readonly time: FollowTime;
  /** ends the following */
  readonly signal: AbortSignal;
  /** called with every change; what it throws is ignored */
  readonly report: (record: RunRecord) => void;
  readonly limits?: FollowLimits;
  /** milliseconds to look for a log of a run whose answer does not name it */
  readonly searchFor?: number;
  /** ids of logs and actions that belong to other runs */
  readonly knownLogs?: () => ReadonlySet<string>;
}

export interface RunOptions extends LookOptions {
  /** cancels everything until the request is sent; after that it only stops following */
  readonly signal: AbortSignal;
  /** gives up waiting for the answer of a request that was sent */
  readonly stopWaiting?: AbortSignal;
  /** puts the record on disk; the request is sent only after it resolved, and not at all where it rejects */
  readonly save?: (record: RunRecord) => Promise<void>;
  /** called once, when the outcome is decided; the batch may still be followed */
  readonly onSettled?: (record: RunRecord) => void;
}

/**
 * Resolves with the ended record; never rejects. `notSent` is said only where no byte was written; whatever goes wrong
 * after that, in reading or printing an answer too, leaves the outcome to what the platform said.
 */
export async function performRun(request: RunRequest, options: RunOptions): Promise<RunRecord> {
  const { time, signal } = options;
  const run = new Run(request, options);
  const affected = await readBefore(request.targets, run.platform, time, signal);
  if (signal.aborted) return run.end('notSent', 'Cancelled before it was sent');
  run.update({ phase: 'queued', affected });
  try {
    await options.save?.(run.record);
  } catch (error) {
    return run.end('notSent', `The run could not be saved, so nothing was sent: ${errorText(error)}`);
  }
  const sent = await send(request.body, run.platform, {
    signal,
    stopWaiting: options.stopWaiting,
    onSent: () => {
      run.update({ phase: 'sending', sentAt: time.now() });
    },
  });
  try {
    return await run.conclude(sent);
  } catch (error) {
    return run.endAnyhow(error);
  }
}

/** The record of a run that ended before its request was handed over, with what stopped it. */
export function notSent(record: RunRecord, error: unknown): RunRecord {
  return { ...record, phase: 'ended', ended: Date.now(), outcome: 'notSent', reason: lineOf(errorText(error), 1000) };
}

/**
 * Looks again for what became of a run that nobody follows any more, by its action id or else by its parameters.
 * Resolves with the ended record; never rejects.
 */
export async function lookAgain(record: RunRecord, options: LookOptions): Promise<RunRecord> {
  const file = parseActionFile(record.source);
  const body = file.problems.length === 0 ? bodyOf(file) : '';
  const { interrupted: _over, ...rest } = record;
  const run = new Run({ record: { ...rest, phase: 'following' }, body, secrets: [] }, options);
  try {
    return await run.resume();
  } catch (error) {
    return run.endAnyhow(error);
  }
}

const LOOKING = 'Looking for its action log';

class Run {
  readonly platform: RunPlatform;
  record: RunRecord;
  readonly #options: LookOptions & Pick<RunOptions, 'onSettled'>;
  readonly #secrets: readonly string[];
  readonly #request: RequestFacts | undefined;
  #steps: readonly Step[] = [];
  /** ids as they are, where the record holds them hidden */
  #affected: RunRecord['affected'];
  #settled = false;

  constructor(
    { record, body, secrets }: Pick<RunRequest, 'record' | 'body' | 'secrets'>,
    options: LookOptions & Pick<RunOptions, 'onSettled'>,
  ) {
    // Nothing that comes back is looked at, cut or kept before the values of variables are hidden in it.
    this.platform = hidingPlatform(options.platform, secrets);
    this.record = record;
    this.#options = options;
    this.#secrets = secrets;
    this.#request = requestFacts(body);
    this.#affected = record.affected;
  }

  update(change: Partial<RunRecord>): void {
    if (change.affected !== undefined) this.#affected = change.affected;
    // What is followed is followed by the ids as they are; what is shown or kept holds no value.
    this.record = { ...this.record, ...hidingValue(change, this.#secrets) };
    try {
      this.#options.report(this.record);
    } catch {
      // Showing a run never decides it.
    }
  }

  end(outcome: Outcome, reason: string, change: Partial<RunRecord> = {}): RunRecord {
    const hint = outcome === 'refused' || outcome === 'failed' ? signatureHint(this.record.source, reason) : undefined;
    const text = lineOf(hint === undefined ? reason : `${reason}. ${hint}`, 1000);
    this.update({ ...change, outcome, reason: text, phase: 'ended', ended: this.#options.time.now() });
    this.#settle();
    return this.record;
  }

  /** After the request was sent, for what nobody thought of. */
  endAnyhow(error: unknown): RunRecord {
    const { outcome, actionId } = this.record;
    const known = outcome ?? (actionId === undefined ? 'unknown' : 'unfinished');
    return this.end(known, `The request was sent, and what followed could not be read: ${errorText(error)}`);
  }

  async conclude(sent: Sent): Promise<RunRecord> {
    if (sent.kind === 'notSent') return this.end('notSent', errorText(sent.error), this.#errorFields(sent.error));
    if (sent.kind === 'accepted') return this.#accepted(sent.answer);
    this.update(this.#errorFields(sent.error));
    switch (sent.kind) {
      case 'refused':
        return this.#refused(sent.error, sent.status);
      case 'doubtful':
        return this.#doubtful(sent.error, sent.status);
      case 'lost':
        return this.#lost(sent.error);
    }
  }

  async resume(): Promise<RunRecord> {
    const { record } = this;
    this.#steps = record.steps;
    this.update({ phase: 'following', note: LOOKING });
    const { actionId, logId } = record;
    if (actionId !== undefined) return this.#follow({ actionId });
    if (record.probable === true && logId !== undefined) return this.#follow({ logId }, { probable: true });
    const sentAt = record.sentAt ?? record.started;
    const left = sentAt + (this.#options.searchFor ?? APPEARS_WITHIN) - this.#options.time.now();
    const found = await this.#search(Math.max(0, left), sentAt + 15 * 60_000);
    if (found.signed !== undefined) return this.#followFound(found.signed, false, '');
    return this.end('unknown', `It may have been executed, and is never sent again. ${this.#searchText(found)}`);
  }

  async #accepted({ raw, status, requestId }: ExecutionAnswer): Promise<RunRecord> {
    const { actionId, steps, made } = readAnswer(raw);
    this.#steps = steps;
    const decided = stepVerdict(steps);
    this.update({
      answeredAt: this.#options.time.now(),
      status,
      steps,
      phase: 'following',
      affected: withMade(this.#affected, made),
      response: prettyOf(raw),
      ...(requestId !== undefined && { requestId }),
      ...(actionId !== undefined && { actionId }),
      ...(decided !== undefined && outcomeFields(decided)),
    });
    if (decided !== undefined) this.#settle();
    if (actionId !== undefined) return this.#follow({ actionId });
    if (decided !== undefined) return this.end('failed', decided.reason);
    const found = await this.#search();
    const log = found.signed ?? found.equal;
    if (log !== undefined) return this.#followFound(log, found.signed === undefined, 'The answer named no action id');
    return this.end('unknown', 'The platform accepted the request but named no action id, so it cannot be followed');
  }

  async #refused(error: PlatformError, status: number): Promise<RunRecord> {
    const { retryAfter } = error.detail;
    if (status === 404 && (await this.#logsAreMissing()))
      return this.end(
        'refused',
        `${errorText(error)}. There are no action logs there either: the base URL is probably wrong`,
      );
    const wait =
      retryAfter === undefined ? '' : `. It asks to wait ${durationText(retryAfter)} before the next request`;
    return this.end('refused', `${errorText(error)}${wait}`);
  }

  /** Where the logs are not found either, nothing of the API is. */
  async #logsAreMissing(): Promise<boolean> {
    try {
      await this.platform.logs({ limit: 1 }, this.#options.signal);
      return false;
    } catch (error) {
      return error instanceof PlatformError && error.detail.status === 404;
    }
  }

  async #doubtful(error: PlatformError, status: number): Promise<RunRecord> {
    const found = await this.#search();
    const log = found.signed ?? found.equal;
    const words = errorText(error);
    if (log !== undefined) {
      const why = `It was executed, although the answer was HTTP ${String(status)}`;
      return this.#followFound(log, found.signed === undefined, why);
    }
    if (found.possible.some(({ sameParams }) => sameParams))
      return this.end('unknown', `${words}. Yet there is an action log that may be of this request: look at it`);
    if (!found.looked)
      return this.end('unknown', `${words}. Whether it was executed all the same could not be looked up in the logs`);
    // These two only say that somebody stopped waiting for the platform.
    if (status === 408 || status === 499) return this.end('unknown', `${words}. ${this.#searchText(found)}`);
    return this.end('refused', words);
  }

  async #lost(error: unknown): Promise<RunRecord> {
    const found = await this.#search();
    if (found.signed !== undefined) return this.#followFound(found.signed, false, 'The answer was lost');
    const gaveUp = error instanceof PlatformError && error.code === 'cancelled';
    const why = gaveUp ? 'Nobody waited for the answer' : errorText(error);
    return this.end('unknown', `${why}. The request was sent; it may have been executed, and is never sent again`);
  }

  #searchText({ possible, looked }: Found): string {
    if (possible.some(({ sameParams }) => sameParams)) return 'There is an action log that may be of this request';
    return looked ? 'No action log of it was found' : 'The action logs could not be read';
  }

  async #search(milliseconds = this.#options.searchFor ?? APPEARS_WITHIN, until?: number): Promise<Found> {
    this.update({ phase: 'following', note: LOOKING });
    const { time, signal, limits, knownLogs } = this.#options;
    const found = await search({
      request: this.#request,
      sentAt: this.#sentAt(),
      ...(until !== undefined && { until }),
      reads: this.platform,
      time,
      signal,
      forMilliseconds: milliseconds,
      first: limits?.first ?? 400,
      knownLogs,
      hopeless: isHopeless,
      report: (possible) => {
        this.update({ possible });
      },
      failed: (error) => {
        this.update({ note: `The action logs could not be read: ${errorText(error)}` });
      },
    });
    if (found.looked) this.update({ note: found.possible.length > 0 ? '' : 'No action log of it was found' });
    return found;
  }

  /** By the platform's clock. */
  #sentAt(): number {
    return (this.record.sentAt ?? this.record.started) + (this.platform.clockAhead?.() ?? 0);
  }

  /** Follows a log that was found without the answer's help; `why` begins the reason. */
  async #followFound(log: FollowedLog, probable: boolean, why: string): Promise<RunRecord> {
    const logId = idText(log['id']);
    if (logId === undefined) return this.end('unknown', why);
    // It is the run's own log now, not one that may be.
    this.update({ logId, possible: [], ...(probable && { probable }) });
    return this.#follow({ logId }, { probable, why });
  }

  async #follow(
    target: FollowOptions['target'],
    { probable = false, why = '' }: { readonly probable?: boolean; readonly why?: string } = {},
  ): Promise<RunRecord> {
    const { time, signal, limits = usualLimits, knownLogs } = this.#options;
    const failedBefore = stepVerdict(this.#steps) !== undefined;
    const sight = await follow({
      target,
      request: this.#request,
      sentAt: this.#sentAt(),
      knownLogs,
      reads: this.platform,
      time,
      signal,
      // A failed step has decided: what is left to learn is which objects it changed.
      limits: failedBefore ? afterFailure(limits) : limits,
      hopeless: isHopeless,
      wordsOf: errorText,
      report: (seen) => {
        this.update(fieldsOf(seen));
        if (isDecided(seen.logStatus) && !this.#settled) {
          const verdict = verdictOf(seen, this.#steps);
          this.update({ ...outcomeFields(withWhy(verdict)), affected: affectedOf(seen.log, this.#affected) });
          this.#settle();
        }
      },
    });
    this.update(fieldsOf(sight));
    const affected = await readAfter(affectedOf(sight.log, this.#affected), this.platform, signal, sight);
    const verdict = withWhy(verdictOf(sight, this.#steps));
    return this.end(verdict.outcome, verdict.reason, { affected, ...outcomeFields(verdict) });

    function fieldsOf(seen: Sight): Partial<RunRecord> {
      return { ...sightFields(seen), ...((probable || seen.probable === true) && { probable: true }) };
    }

    function withWhy(verdict: Verdict): Verdict {
      return why === '' ? verdict : { ...verdict, reason: `${why}. ${verdict.reason}` };
    }
  }

  #errorFields(error: unknown): Partial<RunRecord> {
    const detail = error instanceof PlatformError ? error.detail : {};
    return {
      answeredAt: this.#options.time.now(),
      ...(detail.status !== undefined && { status: detail.status }),
      ...(detail.body !== undefined && { response: cutText(detail.body) }),
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
      // As for `report`.
    }
  }
}

type FollowedLog = NonNullable<Sight['log']>;

function outcomeFields({ outcome, reason, reasonFrom }: Verdict): Partial<RunRecord> {
  return { outcome, reason: lineOf(reason, 1000), ...(reasonFrom !== undefined && { reasonFrom }) };
}

function afterFailure(limits: FollowLimits): FollowLimits {
  const log = Math.min(limits.log, APPEARS_WITHIN);
  return { ...limits, indexing: Math.min(limits.indexing, APPEARS_WITHIN), log, batch: 0 };
}
