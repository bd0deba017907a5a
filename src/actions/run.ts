/** One run from the request to the proof: sends once, never again, and says no more of the outcome than is known. Pure: no editor. */
import { PlatformError } from '../platform/errors.ts';
import { isObject, type JsonObject } from '../platform/json.ts';
import { follow, isDecided, usualLimits, type FollowLimits, type FollowTime, type Sight } from './follow.ts';
import {
  cutText,
  GONE,
  lineOf,
  prettyOf,
  type AffectedObject,
  type Outcome,
  type PossibleLog,
  type RunRecord,
  type Step,
} from './record.ts';
import { hidingPlatform, hidingValue } from './hiding.ts';
import { looksLike } from './possible.ts';

export interface ExecutionAnswer {
  /** masked */
  readonly raw: unknown;
  readonly requestId?: string;
}

/** What a run asks of the platform; the client behind it throws PlatformError. */
export interface RunPlatform {
  /** one POST; never repeated */
  execute(body: string, signal: AbortSignal | undefined): Promise<ExecutionAnswer>;
  logs(
    query: {
      readonly action_id?: string;
      readonly id?: string;
      readonly object_id?: string;
      readonly limit?: number;
      readonly order?: 'descending';
      readonly when_created?: { readonly gte: Date };
    },
    signal: AbortSignal,
  ): Promise<readonly unknown[]>;
  batch(id: string, signal: AbortSignal): Promise<unknown>;
  /** pretty JSON of an object */
  object(id: string, signal: AbortSignal): Promise<string>;
  /** milliseconds that the platform's clock is ahead of ours, as its last answer said */
  clockAhead?(): number;
}

export interface RunRequest {
  readonly record: RunRecord;
  /** the text to send; its variables filled in, its signature added */
  readonly body: string;
  /** objects to read before sending */
  readonly targets: readonly string[];
  /** values that nothing kept may hold */
  readonly secrets: readonly string[];
}

export interface RunOptions {
  readonly platform: RunPlatform;
  readonly time: FollowTime;
  /** cancels everything until the request is sent; after that it only stops following */
  readonly signal: AbortSignal;
  /** gives up waiting for the answer of a request that was sent */
  readonly stopWaiting?: AbortSignal;
  /** called with every change */
  readonly report: (record: RunRecord) => void;
  readonly limits?: FollowLimits;
  /** resolves `settled` when the log is decided, while the batch is still followed */
  readonly onSettled?: (record: RunRecord) => void;
  /** milliseconds to look for a log of a run whose outcome is unknown */
  readonly searchFor?: number;
  /** ids of logs and actions that belong to other runs */
  readonly knownLogs?: ReadonlySet<string>;
}

/** Resolves with the ended record; never rejects for what the platform does. */
export async function performRun(request: RunRequest, options: RunOptions): Promise<RunRecord> {
  const { time, signal } = options;
  // Nothing that comes back is looked at, cut or kept before the values of variables are hidden in it.
  const platform = hidingPlatform(options.platform, request.secrets);
  let record = request.record;
  let settled = false;
  const settle = (): void => {
    if (settled) return;
    settled = true;
    options.onSettled?.(record);
  };
  const update = (change: Partial<RunRecord>): RunRecord => {
    // What is followed is followed by the ids as they are; what is told or kept holds no value.
    record = { ...record, ...hidingValue(change, request.secrets) };
    options.report(record);
    return record;
  };
  const end = (outcome: Outcome, reason: string, change: Partial<RunRecord> = {}): RunRecord => {
    update({ ...change, outcome, reason: lineOf(reason, 1000), phase: 'ended', ended: time.now() });
    settle();
    return record;
  };

  let affected: readonly AffectedObject[] = await readObjects(request.targets, platform, signal);
  if (signal.aborted) return end('notSent', 'Cancelled before it was sent');
  const sentAt = time.now();
  update({ phase: 'sending', sentAt, affected });
  let answer: ExecutionAnswer;
  try {
    answer = await platform.execute(request.body, options.stopWaiting);
  } catch (error) {
    return unanswered(error);
  }
  const { steps, actionId } = readAnswer(answer.raw);
  const failedStep = steps.find((step) => step.error !== undefined);
  update({
    answeredAt: time.now(),
    status: 200,
    response: prettyOf(answer.raw),
    steps,
    phase: 'following',
    ...(answer.requestId !== undefined && { requestId: answer.requestId }),
    ...(actionId !== undefined && { actionId }),
  });
  if (actionId === undefined) {
    if (failedStep !== undefined) return end('failed', stepReason(failedStep));
    await search(options.searchFor ?? 8000);
    return end('unknown', 'The platform accepted the request but named no action id, so it cannot be followed');
  }
  return following(actionId, failedStep);

  async function following(id: string, failed: Step | undefined): Promise<RunRecord> {
    const sight = await follow({
      actionId: id,
      sentAt,
      reads: platform,
      time,
      signal,
      limits: options.limits ?? usualLimits,
      hopeless: isHopeless,
      wordsOf,
      report: (seen) => {
        update(sightFields(seen));
        if (isDecided(seen.logStatus) && !settled) {
          affected = affectedOf(seen.log, affected);
          update({ outcome: verdict(seen, failed).outcome, affected });
          settle();
        }
      },
    });
    update(sightFields(sight));
    const after = await readAfter(affectedOf(sight.log, affected), platform, signal, sight);
    const { outcome, reason } = verdict(sight, failed);
    return end(outcome, reason, { affected: after });
  }

  async function unanswered(error: unknown): Promise<RunRecord> {
    const known = error instanceof PlatformError ? error : undefined;
    const status = known?.detail.status;
    const facts: Partial<RunRecord> = {
      answeredAt: time.now(),
      ...(status !== undefined && { status }),
      ...(known?.detail.body !== undefined && { response: cutText(known.detail.body) }),
      ...(known?.detail.requestId !== undefined && { requestId: known.detail.requestId }),
    };
    if (known?.detail.sent === false) return end('notSent', wordsOf(error), facts);
    // 4xx says that it was not accepted; 408 only that somebody stopped waiting.
    const refused = status !== undefined && status >= 400 && status < 500 && status !== 408;
    update({ ...facts, phase: 'following', note: LOOKING });
    const looked = await search(options.searchFor ?? (refused ? 1500 : 8000));
    if (record.note === LOOKING) update({ note: record.possible.length > 0 ? '' : 'No action log of it was found' });
    if (refused && record.possible.some(({ sameParams }) => sameParams))
      return end('unknown', `${wordsOf(error)}. Yet there is an action log that may be of this request: look at it`);
    if (refused && looked) return end('refused', wordsOf(error));
    if (refused)
      return end('unknown', `${wordsOf(error)}. Whether it was done all the same could not be looked up in the logs`);
    const why = known?.code === 'cancelled' ? 'Nobody waited for the answer' : wordsOf(error);
    return end('unknown', `${why}. The request was sent; it may have been executed, and is never sent again`);
  }

  /**
   * Logs since sending whose parameters fit: possible, never the outcome. Looks a last time when the time is over.
   * False: that last look failed, so that finding nothing proves nothing.
   */
  async function search(milliseconds: number): Promise<boolean> {
    const until = time.now() + milliseconds;
    // By the platform's clock where ours is ahead of it.
    const since = sentAt + Math.min(0, platform.clockAhead?.() ?? 0);
    let wait = options.limits?.first ?? 400;
    for (;;) {
      const last = time.now() >= until;
      let looked = false;
      try {
        const logs = await platform.logs(
          { limit: 50, order: 'descending', when_created: { gte: new Date(since - 60_000) } },
          signal,
        );
        const possible = possibleOf(logs, since);
        update({ possible });
        if (possible.some(({ sameParams }) => sameParams)) return true;
        looked = true;
      } catch (error) {
        if (signal.aborted) return false;
        update({ note: `The action logs could not be read: ${wordsOf(error)}` });
        // Who may not read logs never learns more than the answer said.
        looked = isHopeless(error);
      }
      if (last) return looked;
      try {
        await time.sleep(Math.min(wait, Math.max(0, until - time.now())), signal);
      } catch {
        return false;
      }
      wait *= 2;
    }
  }

  function possibleOf(logs: readonly unknown[], since: number): readonly PossibleLog[] {
    return logs
      .filter(isObject)
      .flatMap((log): PossibleLog[] => {
        const fit = looksLike(log, request.body, since);
        const id = textOf(log['id']);
        if (fit === undefined || id === undefined || options.knownLogs?.has(id) === true) return [];
        const [status, signer, when] = [textOf(log['status']), textOf(log['signer']), textOf(log['when_created'])];
        return [
          {
            id,
            sameParams: fit === 'params',
            text: prettyOf(log),
            ...(status !== undefined && { status }),
            ...(signer !== undefined && { signer }),
            ...(when !== undefined && { when }),
          },
        ];
      })
      .sort((a, b) => Number(b.sameParams) - Number(a.sameParams))
      .slice(0, 10);
  }
}

const LOOKING = 'Looking for its action log';

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Steps may be null, and their fields of any type. */
function readAnswer(raw: unknown): { readonly steps: readonly Step[]; readonly actionId: string | undefined } {
  const outer = isObject(raw) ? raw : {};
  const inner = outer['action_id'] === undefined && isObject(outer['data']) ? outer['data'] : outer;
  const id = inner['action_id'];
  const actionId = typeof id === 'number' ? String(id) : JSON.isRawJSON(id) ? id.rawJSON : textOf(id);
  const list: unknown = inner['steps'];
  const steps = (Array.isArray(list) ? list : []).slice(0, 1000).map((raw: unknown): Step => {
    const step = isObject(raw) ? raw : {};
    const { error, output } = step;
    const failed = error !== undefined && error !== null && error !== '' && error !== false;
    return {
      action: lineOf(textOf(step['action']) ?? 'step', 80),
      ...(failed && { error: lineOf(typeof error === 'string' ? error : JSON.stringify(error), 500) }),
      ...(output !== undefined && output !== null && { output: prettyOf(output) }),
    };
  });
  return { steps, actionId };
}

function stepReason(step: Step): string {
  return `The step ${step.action} failed: ${step.error ?? 'without a reason'}`;
}

function sightFields(sight: Sight): Partial<RunRecord> {
  const logId = textOf(sight.log?.['id']);
  const batchId = textOf(sight.log?.['batch_id']);
  const hash = textOf(sight.batch?.['l1_tx_hash']) ?? textOf(sight.batch?.['l2_tx_hash']);
  return {
    note: sight.note ?? '',
    ...(sight.log !== undefined && { log: prettyOf(sight.log) }),
    ...(sight.logStatus !== undefined && { logStatus: lineOf(sight.logStatus, 60) }),
    ...(logId !== undefined && { logId }),
    ...(batchId !== undefined && { batchId }),
    ...(sight.batch !== undefined && { batch: prettyOf(sight.batch) }),
    ...(sight.batchStatus !== undefined && { batchStatus: lineOf(sight.batchStatus, 60) }),
    // All zeros stand for "not settled yet".
    ...(hash !== undefined && !/^(?:0x)?0*$/.test(hash) && { transaction: hash }),
  };
}

function verdict(sight: Sight, failed: Step | undefined): { readonly outcome: Outcome; readonly reason: string } {
  if (failed !== undefined) return { outcome: 'failed', reason: stepReason(failed) };
  if (sight.logStatus === 'failed') {
    const why = textOf(sight.log?.['error']) ?? textOf(sight.log?.['message']);
    return { outcome: 'failed', reason: `The action log says failed${why === undefined ? '' : `: ${why}`}` };
  }
  if (sight.batchStatus === 'failed') {
    const why = textOf(sight.batch?.['error']);
    return { outcome: 'failed', reason: `The batch failed${why === undefined ? '' : `: ${why}`}` };
  }
  if (sight.logStatus === 'completed') {
    if (sight.batchStatus === 'completed')
      return { outcome: 'completed', reason: 'The action and its batch are completed' };
    return { outcome: 'completed', reason: `The action completed. ${sight.note ?? 'Its batch is not completed yet'}` };
  }
  const status = sight.logStatus;
  const last = status === undefined ? 'no action log was seen' : `the action log was last seen ${status}`;
  return { outcome: 'unfinished', reason: `Accepted, but ${last}. ${sight.note ?? ''}` };
}

/** No later look will be answered otherwise. */
function isHopeless(error: unknown): boolean {
  return error instanceof PlatformError && (error.code === 'unauthenticated' || error.code === 'forbidden');
}

function wordsOf(error: unknown): string {
  if (!(error instanceof PlatformError)) return error instanceof Error ? error.message : 'unknown error';
  const { serverMessage } = error.detail;
  return serverMessage === undefined ? error.message : `${error.message}: ${lineOf(serverMessage, 300)}`;
}

async function readObjects(
  ids: readonly string[],
  platform: RunPlatform,
  signal: AbortSignal,
): Promise<AffectedObject[]> {
  return Promise.all(
    ids.map(async (id): Promise<AffectedObject> => {
      try {
        return { id, before: cutText(await platform.object(id, signal)) };
      } catch (error) {
        return { id, note: `not read before sending: ${wordsOf(error)}` };
      }
    }),
  );
}

/** The log's own list, with what was read before; without one, the objects that the action names. */
function affectedOf(log: JsonObject | undefined, before: readonly AffectedObject[]): readonly AffectedObject[] {
  const list: unknown = log?.['affected_objects'];
  const named = (Array.isArray(list) ? list : []).filter(isObject).slice(0, 200);
  const seen = new Map(before.map((object) => [object.id, object]));
  for (const entry of named) {
    const id = textOf(entry['id']);
    if (id === undefined) continue;
    const [templateId, previousRoot] = [textOf(entry['template_id']), textOf(entry['prev_state_root'])];
    const nextRoot = textOf(entry['next_state_root']) ?? textOf(entry['next_state_hash']);
    seen.set(id, {
      ...(seen.get(id) ?? { id }),
      ...(templateId !== undefined && { templateId }),
      ...(previousRoot !== undefined && { previousRoot }),
      ...(nextRoot !== undefined && { nextRoot }),
    });
  }
  return [...seen.values()];
}

async function readAfter(
  affected: readonly AffectedObject[],
  platform: RunPlatform,
  signal: AbortSignal,
  sight: Sight,
): Promise<readonly AffectedObject[]> {
  // Before a decision, what is read now proves nothing.
  if (!isDecided(sight.logStatus) || signal.aborted) return affected;
  return Promise.all(
    affected.map(async (object, index): Promise<AffectedObject> => {
      if (index >= 20) return { ...object, note: 'not read afterwards: too many objects' };
      try {
        return { ...object, after: cutText(await platform.object(object.id, signal)) };
      } catch (error) {
        const gone = error instanceof PlatformError && error.code === 'notFound';
        return { ...object, note: gone ? GONE : `not read afterwards: ${wordsOf(error)}` };
      }
    }),
  );
}
