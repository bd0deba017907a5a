/**
 * The pipeline of a run: prepare → confirm → compose → send → follow. Each stage receives the result of the stage
 * before it. The editor and the command line share it; they differ in how they confirm and in where variables come
 * from.
 */
import { stored } from '../../platform/text/message.ts';
import { changeRun, createRunRecord, type RunRecord } from '../../model/runs/run-record.ts';
import { getRequestBody, parseActionFile } from '../file/action-file.ts';
import { describeEffect } from '../file/action-kinds.ts';
import { compose, type ComposedRequest, type ComposeOptions } from './compose.ts';
import { readObjectsBefore } from './affected-objects.ts';
import { RunFollower, type FollowedRun, type FollowRunOptions } from './run-follower.ts';
import type { PreparedRun } from './prepare.ts';
import { describeRunError } from './run-errors.ts';
import { send } from './send.ts';

/** The connection that a run is sent to. */
type RunTarget = Pick<RunRecord, 'connection' | 'environment' | 'identity' | 'origin' | 'commit'>;

/** The result of the confirm stage: the user agreed to send it, or no confirmation was required. */
export interface ConfirmedRun extends PreparedRun {
  readonly target: RunTarget;
}

/** A confirmed run with the record that reports show from now on. */
interface StartedRun extends ConfirmedRun {
  readonly record: RunRecord;
}

/** The result of the compose stage. */
type ComposedRun = FollowedRun & ComposedRequest;

export interface RunOptions extends FollowRunOptions {
  /** cancels everything until the request is sent; afterwards it only stops following */
  readonly signal: AbortSignal;
  /** stops waiting for the response of a request that was sent */
  readonly stopWaiting?: AbortSignal;
  /** stores the record; the request is sent only after it resolved, and not at all if it rejects */
  readonly save?: (record: RunRecord) => Promise<void>;
}

/** Creates the record of a confirmed run. `getName` returns a readable name of an id. */
export function startRun(run: ConfirmedRun, getName?: (id: string) => string | undefined): StartedRun {
  const { source, file, target } = run;
  const kind = file.entries[0]?.kind.slice(0, 60);
  const created = createRunRecord({
    name: source.name,
    ...(source.uri !== undefined && { file: source.uri.toString() }),
    ...target,
    effect: '',
    source: file.text,
    ...(kind !== undefined && { kind }),
  });
  return { ...run, record: changeRun(created, { effect: describeEffect(file, getName) }) };
}

/** Composes, sends and follows a run. Resolves with the ended record; never rejects. */
export async function executeRun(
  { record, file }: StartedRun,
  composeOptions: ComposeOptions,
  options: RunOptions,
): Promise<RunRecord> {
  options.report(record);
  let request: ComposedRequest;
  try {
    request = await compose(file, composeOptions, options.signal);
  } catch (error) {
    const reason = describeRunError(error);
    const run = changeRun(record, { phase: 'ended', ended: options.time.now(), outcome: 'notSent', reason });
    options.report(run);
    options.onSettled?.(run);
    return run;
  }
  return performRun({ record, file, ...request }, options);
}

/**
 * The send and follow stages. Resolves with the ended record; never rejects. The outcome is `notSent` only if no byte
 * was written; an error while reading or printing a response leaves the outcome to what the platform reported.
 */
export async function performRun(composed: ComposedRun, options: RunOptions): Promise<RunRecord> {
  const { time, signal } = options;
  const run = new RunFollower(composed, options);
  const affected = await readObjectsBefore(composed.targets, run.platform, time, signal);
  if (signal.aborted) return run.end('notSent', stored('Canceled before it was sent'));
  run.update({ phase: 'queued', affected });
  try {
    await options.save?.(run.record);
  } catch (error) {
    return run.end('notSent', stored('The run could not be saved, so nothing was sent: {0}', describeRunError(error)));
  }
  const sent = await send(composed.body, run.platform, {
    signal,
    stopWaiting: options.stopWaiting,
    onSent: () => run.update({ phase: 'sending', sentAt: time.now() }),
  });
  return run.follow(sent);
}

/**
 * Searches for the outcome of a run that is no longer followed, by its action id or else by its parameters; or follows
 * `chosenLog`, the id of the action log that the user takes for its own. Resolves with the ended record; never rejects.
 */
export async function resumeRun(record: RunRecord, options: FollowRunOptions, chosenLog?: string): Promise<RunRecord> {
  const file = parseActionFile(record.source);
  const body = file.problems.length === 0 ? getRequestBody(file) : '';
  const { interrupted: _over, ...rest } = record;
  return new RunFollower({ record: { ...rest, phase: 'following' }, file, body, secrets: [] }, options).resume(
    chosenLog,
  );
}
