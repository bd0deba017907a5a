/** The record of one run as it is used: changes, results and the words of its state. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod/mini';
import { formatNumber } from '../../platform/text/localization.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import { stored, formatSentence, formatText, type Message, type StoredText } from '../../platform/text/message.ts';
import { formatStatus } from '../text/status.ts';
import type { RunOutcome } from './run-outcome.ts';
import type { RunStep, runRecordSchema } from './run-record-schema.ts';

export type { AffectedObject, PossibleLog, RunStep } from './run-record-schema.ts';

type StoredRun = z.infer<typeof runRecordSchema>;

/** Where the reason of a failure was found. The contract has reasons only on steps and batches. */
export type ReasonSource = NonNullable<StoredRun['reasonFrom']>;

/** Stored action of a step that the platform does not name; expectations compare it, so it is the same in all languages. */
export const UNNAMED_STEP = 'step';

/** Stored note on an object that the platform does not find after the run. */
export const OBJECT_DELETED = 'does not exist any more';

/** Texts about a run, as they are stored. */
type RunTexts = Partial<Pick<StoredRun, 'reason' | 'effect' | 'note'>>;

/** The record of one run, with its texts in the display language. */
export type RunRecord = Omit<StoredRun, keyof RunTexts> & {
  readonly reason?: string;
  readonly effect: string;
  readonly note?: string;
  /** its `reason`, `effect` and `note` as far as they depend on the display language; see `changeRun` */
  readonly texts?: RunTexts;
};

/** A change of a record. */
export type RunChange = Omit<Partial<RunRecord>, keyof RunTexts | 'texts'> & RunTexts;

/** Changes a record, and formats its texts in the display language. */
export function changeRun(run: RunRecord, { reason, effect, note, ...change }: RunChange): RunRecord {
  const changed = Object.entries({ reason, effect, note }).filter(([, text]) => text !== undefined);
  const { texts: former, ...rest } = run;
  const texts = Object.entries({ ...former, ...Object.fromEntries(changed) }).filter(
    ([, text]) => typeof text !== 'string',
  );
  return {
    ...rest,
    ...change,
    ...Object.fromEntries(changed.map(([name, text = '']) => [name, formatSentence(text, MAX_SENTENCE_LENGTH)])),
    ...(texts.length > 0 && { texts: Object.fromEntries(texts) }),
  };
}

/** The record as it is stored: its texts have no language. `parseRunRecord` reads it. */
export function toStoredRun({ texts, ...run }: RunRecord): object {
  return { ...run, ...texts };
}

/** The record of a run that starts now. Its id sorts by time. */
export function createRunRecord(
  facts: Pick<RunRecord, 'name' | 'connection' | 'origin' | 'effect' | 'source'> & Partial<RunRecord>,
): RunRecord {
  const started = Date.now();
  return {
    id: `${new Date(started).toISOString().replace(/\D/g, '').slice(0, 17)}-${crypto.randomUUID().slice(0, 8)}`,
    started,
    phase: 'preparing',
    steps: [],
    affected: [],
    possible: [],
    ...facts,
  };
}

/** The ids by which the action log of a run is known. */
export interface LogIds {
  readonly logId?: string | undefined;
  readonly actionId?: string | undefined;
}

/** Ids of the action logs and actions of runs, so that no other run is matched with them. */
export function collectLogIds(runs: Iterable<LogIds>): ReadonlySet<string> {
  return new Set([...runs].flatMap(({ logId, actionId }) => [logId, actionId]).filter((id) => id !== undefined));
}

const MAX_TEXT_LENGTH = 300_000;
const MAX_SENTENCE_LENGTH = 1000;

/** Pretty JSON of a value, numbers to the digit; truncated to limit the size on disk. Never throws. */
export function formatJson(raw: unknown): string {
  return truncateText(stringifyJson(raw, 2));
}

/** `JSON.stringify` that never throws: returns a JSON string as a note for a value that is nested too deeply. */
export function stringifyJson(raw: unknown, indent = 0): string {
  try {
    return raw === undefined ? 'null' : JSON.stringify(raw, null, indent);
  } catch {
    return JSON.stringify(l10n.t('(nested too deeply to be shown)'));
  }
}

/** Truncates a text that is too long to store. */
export function truncateText(text: string): string {
  return text.length > MAX_TEXT_LENGTH
    ? `${text.slice(0, MAX_TEXT_LENGTH)}\n${l10n.t('… (truncated: {0} characters)', formatNumber(text.length))}\n`
    : text;
}

/** One line of server text, sanitized. */
export function formatLine(text: string, maxLength = 200): string {
  return toPlainText(text, maxLength);
}

/** Parses a stored text, numbers to the digit; `fallback` if it was truncated. */
export function parseStoredJson(text: string | undefined, fallback?: string): unknown {
  if (text === undefined) return undefined;
  try {
    return parseJson(text);
  } catch {
    return fallback;
  }
}

/** The values that `${run:NAME.…}` can refer to. */
export function getRunResult(run: RunRecord): JsonObject {
  // The response of a run whose outcome is unknown may be that of another one.
  const response = run.outcome === 'unknown' ? undefined : parseStoredJson(run.response);
  return {
    ...(isObject(response) ? response : {}),
    ...(run.actionId !== undefined && { action_id: run.actionId }),
    status: run.outcome,
    log: parseStoredJson(run.log),
    batch: parseStoredJson(run.batch),
    affected: run.affected.map(({ id, templateId }) => ({ id, template_id: templateId })),
  };
}

/** A duration with a readable unit. */
export function formatDuration(milliseconds: number): string {
  return formatText(describeDuration(milliseconds));
}

/** As `formatDuration`, for what is stored. */
export function describeDuration(milliseconds: number): Message {
  if (milliseconds < 1000) return stored('{0} ms', Math.max(0, Math.round(milliseconds)));
  if (milliseconds < 59_950) return stored('{0} s', Math.round(milliseconds / 100) / 10);
  const seconds = Math.round(milliseconds / 1000);
  return stored('{0} min {1} s', Math.floor(seconds / 60), seconds % 60);
}

const outcomeLabels: Readonly<Record<RunOutcome, string>> = {
  notSent: l10n.t('not sent'),
  refused: l10n.t('refused'),
  failed: l10n.t('failed'),
  completed: l10n.t('completed'),
  unfinished: l10n.t('not finished'),
  unknown: l10n.t('outcome unknown'),
};

/** The action of a step, for display: a stand-in in the display language if the platform names none. */
export function formatStepAction(step: RunStep): string {
  return formatText(getStepAction(step));
}

/** As `formatStepAction`, for what is stored. */
export function getStepAction({ action }: RunStep): StoredText {
  return action === UNNAMED_STEP ? stored('step') : action;
}

/** The outcome if it is decided, also while the run is followed; else the state. */
export function formatOutcome(run: RunRecord): string {
  if (run.outcome === undefined) return formatRunState(run);
  const label = outcomeLabels[run.outcome];
  return run.probable === true ? l10n.t('probably {0}', label) : label;
}

/** The state of a run in a few words. */
export function formatRunState(run: RunRecord): string {
  if (run.outcome !== undefined && run.phase === 'ended') return formatOutcome(run);
  if (run.interrupted === true) return l10n.t('interrupted');
  if (run.phase === 'preparing') return l10n.t('preparing');
  if (run.phase === 'queued') return l10n.t('queued');
  if (run.phase === 'sending') return l10n.t('sending');
  if (run.outcome === 'failed') return outcomeLabels.failed;
  if (run.logStatus === undefined)
    return run.actionId === undefined ? l10n.t('searching for its action log') : l10n.t('waiting for its action log');
  const logStatus = formatLine(formatStatus(run.logStatus), 30);
  if (run.batchStatus !== undefined)
    return l10n.t('log {0}, batch {1}', logStatus, formatLine(formatStatus(run.batchStatus), 30));
  return run.logStatus === 'completed'
    ? l10n.t('log {0}, waiting for its batch', logStatus)
    : l10n.t('log {0}', logStatus);
}
