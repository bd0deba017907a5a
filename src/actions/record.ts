/** One run as it is shown and kept: what was asked, sent, answered, logged and changed. Pure: plain data, no secrets. */
import { plainText } from '../platform/plain-text.ts';
import { isObject, parseJson, type JsonObject } from '../platform/json.ts';

/** How far a run is. `queued`: handed to the transport, its first byte not yet written. */
export type Phase = 'preparing' | 'queued' | 'sending' | 'following' | 'ended';

/** Where the reason of a failure was found. The contract has reasons on steps and batches only. */
export type ReasonSource = 'step' | 'batch' | 'log';

/**
 * What became of it, said only as far as it is known:
 * `notSent` nothing left this machine · `refused` the platform answered that it did not accept the request · `failed` a
 * step, the action log or the batch says failed · `completed` the action log says completed · `unfinished` accepted, but
 * the last status seen was neither · `unknown` sent, and no trustworthy answer came back.
 */
export type Outcome = (typeof outcomes)[number];

export const outcomes = ['completed', 'failed', 'refused', 'unfinished', 'unknown', 'notSent'] as const;

export interface Step {
  readonly action: string;
  readonly error?: string;
  /** JSON text */
  readonly output?: string;
}

/** The note on an object that the platform does not find afterwards. */
export const GONE = 'does not exist any more';

export interface AffectedObject {
  readonly id: string;
  readonly templateId?: string;
  readonly previousRoot?: string;
  readonly nextRoot?: string;
  /** the action made it */
  readonly created?: boolean;
  /** the object as read before sending and after completion, pretty JSON, masked */
  readonly before?: string;
  readonly after?: string;
  /** why one of the two is missing */
  readonly note?: string;
}

/** A log that may be of a run whose outcome is unknown; never presented as its outcome. */
export interface PossibleLog {
  readonly id: string;
  readonly status?: string;
  readonly signer?: string;
  readonly when?: string;
  /** its parameters equal the request's */
  readonly sameParams: boolean;
  /** pretty JSON */
  readonly text: string;
}

export interface RunRecord {
  readonly id: string;
  /** what `${run:NAME…}` calls it */
  readonly name: string;
  /** URI of the file, where there is one */
  readonly file?: string;
  readonly connection: string;
  readonly environment?: string;
  readonly origin: string;
  /** milliseconds since the epoch */
  readonly started: number;
  readonly sentAt?: number;
  readonly answeredAt?: number;
  readonly ended?: number;
  readonly phase: Phase;
  readonly outcome?: Outcome;
  /** the outcome rests on a log that was matched by kind and parameters: the platform names no id that proves it */
  readonly probable?: boolean;
  /** a sentence on the outcome, plain text */
  readonly reason?: string;
  /** of a failure; absent where the platform gives no reason */
  readonly reasonFrom?: ReasonSource;
  readonly effect: string;
  /** the action file's text with placeholders, never their values */
  readonly source: string;
  readonly kind?: string;
  /** HTTP status of the answer */
  readonly status?: number;
  /** milliseconds that a 429 or 503 asks to wait */
  readonly retryAfter?: number;
  readonly requestId?: string;
  readonly actionId?: string;
  /** the answer, a refusal too: pretty JSON where it was JSON, masked */
  readonly response?: string;
  readonly steps: readonly Step[];
  readonly logStatus?: string;
  readonly logId?: string;
  readonly log?: string;
  readonly batchId?: string;
  readonly batchStatus?: string;
  readonly batch?: string;
  readonly transaction?: string;
  /** where following stands or stopped */
  readonly note?: string;
  readonly affected: readonly AffectedObject[];
  readonly possible: readonly PossibleLog[];
  /** an earlier window ended before this run did */
  readonly interrupted?: boolean;
}

const LONGEST = 300_000;

/** Pretty JSON of a raw value, numbers to the digit; cut where it would fill the disk. Never throws. */
export function prettyOf(raw: unknown): string {
  return cutText(jsonText(raw, 2));
}

/** `JSON.stringify` that never throws: a value nested too deeply, or none at all, becomes a JSON string that says so. */
export function jsonText(raw: unknown, indent = 0): string {
  try {
    return raw === undefined ? 'null' : JSON.stringify(raw, null, indent);
  } catch {
    return JSON.stringify(TOO_DEEP);
  }
}

const TOO_DEEP = '(nested too deeply to be shown)';

export function cutText(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… (cut: ${String(text.length)} characters)\n` : text;
}

/** One line of server text, safe to show. */
export function lineOf(text: string, longest = 200): string {
  return plainText(text, longest);
}

/** A kept text as a value, numbers to the digit; `broken` where it was cut. */
export function parsedText(text: string | undefined, broken?: string): unknown {
  if (text === undefined) return undefined;
  try {
    return parseJson(text);
  } catch {
    return broken;
  }
}

/** What `${run:NAME.…}` reaches of a run. */
export function resultOf(run: RunRecord): JsonObject {
  const response = parsedText(run.response);
  return {
    ...(isObject(response) ? response : {}),
    ...(run.actionId !== undefined && { action_id: run.actionId }),
    status: run.outcome,
    log: parsedText(run.log),
    batch: parsedText(run.batch),
    affected: run.affected.map(({ id, templateId }) => ({ id, template_id: templateId })),
  };
}

/** Seconds with the unit that reads best. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${String(Math.max(0, Math.round(milliseconds)))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${String(Math.floor(seconds / 60))} min ${String(Math.round(seconds % 60))} s`;
}

const words: Readonly<Record<Outcome, string>> = {
  notSent: 'not sent',
  refused: 'refused',
  failed: 'failed',
  completed: 'completed',
  unfinished: 'not finished',
  unknown: 'outcome unknown',
};

/** The outcome as far as it is decided, whether or not the run is still followed; else the state. */
export function outcomeText(run: RunRecord): string {
  if (run.outcome === undefined) return stateText(run);
  return run.probable === true ? `probably ${words[run.outcome]}` : words[run.outcome];
}

/** The state of a run in a word or two. */
export function stateText(run: RunRecord): string {
  if (run.outcome !== undefined && run.phase === 'ended') return outcomeText(run);
  if (run.interrupted === true) return 'interrupted';
  if (run.phase === 'preparing' || run.phase === 'queued' || run.phase === 'sending') return run.phase;
  if (run.outcome === 'failed') return words.failed;
  if (run.logStatus === undefined) return `${run.actionId === undefined ? 'looking' : 'waiting'} for its action log`;
  const log = `log ${lineOf(run.logStatus, 30)}`;
  if (run.batchStatus !== undefined) return `${log}, batch ${lineOf(run.batchStatus, 30)}`;
  return run.logStatus === 'completed' ? `${log}, waiting for its batch` : log;
}
