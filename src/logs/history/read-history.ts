import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../platform/text/localization.ts';
import type { Session } from '../../model/session/session.ts';
import { defineRecord } from '../../model/export/define-record.ts';
import { isObject } from '../../platform/json/json.ts';
import { isEndlessListError, MAX_IDLE_PAGES } from '../../platform/paginate.ts';
import { actionLogs } from '../../platform/resources/action-logs.ts';
import { smartObject } from '../../platform/resources/objects.ts';
import { nonEmptyStrings } from '../../platform/resource.ts';
import { createView } from '../../platform/schema.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import type { ObjectHistory } from '../../webviews/protocol/logs.ts';
import { parseEntry, type LogEntry } from '../entry.ts';
import { buildChain, getChainLink, type ChainLink, type Step } from './chain.ts';
import { diffValues } from './diff-values.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';

/** Most logs read of one object until the user reads further. */
const MAX_HISTORY_LOGS = 5000;

/** Limits of reading. */
interface HistoryLimits {
  readonly logs: number;
  /** consecutive pages without a new log; default: as for any list */
  readonly idlePages?: number;
}
/** Returns a known state of the object by its root. */
export type GetState = (root: string) => unknown;

export interface HistoryResult {
  readonly history: ObjectHistory;
  readonly entries: readonly LogEntry[];
  readonly steps: readonly Step[];
  /** limits to read further, if there may be more logs */
  readonly nextLimits?: HistoryLimits;
}

/**
 * Reads all logs of an object and the object itself, and builds its history. `readObject` returns its present JSON. Rejects with
 * PlatformError if the logs cannot be read.
 */
export async function readHistory(
  session: Pick<Session, 'client' | 'profile'>,
  object: string,
  getState: GetState,
  signal: AbortSignal,
  { logs: maxLogs, idlePages }: HistoryLimits = { logs: MAX_HISTORY_LOGS },
  readObject = async (): Promise<unknown> => (await session.client.read('objects', [object], { signal })).item.raw,
): Promise<HistoryResult> {
  const { client, profile } = session;
  const entries = new Map<string, LogEntry>();
  const links = new Map<string, ChainLink>();
  let limitNotice = '';
  try {
    for await (const { items } of client.listPagesFor(
      actionLogs,
      { object_id: object },
      { signal, largest: true, ...(idlePages !== undefined && { maxIdlePages: idlePages }) },
    )) {
      for (const { raw } of items) {
        const entry = parseEntry(profile.name, raw, 0, (key) => entries.get(key));
        if (entry === undefined || entries.get(entry.key) === entry) continue;
        entries.set(entry.key, entry);
        const link = getChainLink(object, entry, raw);
        if (link !== undefined) links.set(entry.id, link);
      }
      if (entries.size >= maxLogs) {
        limitNotice = l10n.t('Only the first {0} logs were loaded. Refresh to load more.', formatNumber(entries.size));
        break;
      }
    }
  } catch (error) {
    if (!isEndlessListError(error)) throw error;
    limitNotice = l10n.t('{0}. Refresh to load more.', error.message);
  }
  const current = await readCurrent(readObject, signal);
  const chain = buildChain([...links.values()], current.root);
  return {
    entries: [...entries.values()],
    steps: chain.steps,
    ...(limitNotice !== '' && { nextLimits: { logs: maxLogs * 2, idlePages: (idlePages ?? MAX_IDLE_PAGES) * 5 } }),
    history: {
      object,
      busy: false,
      ...(current.problem !== undefined && {
        problem:
          chain.steps.length === 0
            ? l10n.t('Could not read the object: {0}.', current.problem)
            : l10n.t('Could not read the object: {0}. Its logs are still shown.', current.problem),
      }),
      steps: chain.steps.map((step) => formatStep(step, getState)),
      verdict: nonEmptyStrings(chain.verdict, limitNotice).join(' '),
      tone: chain.tone,
    },
  };
}

async function readCurrent(
  readObject: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<{ readonly root: string | undefined; readonly problem?: string }> {
  try {
    const raw = await readObject();
    const view = createView(smartObject, raw);
    const stateHash = isObject(raw) ? raw['state_hash'] : undefined;
    return { root: view?.state_root ?? (typeof stateHash === 'string' ? stateHash : undefined) };
  } catch (error) {
    if (signal.aborted) throw error;
    return { root: undefined, problem: getErrorMessage(error) };
  }
}

function formatStep(
  { entry, prev, next, created, mark, note }: Step,
  getState: GetState,
): ObjectHistory['steps'][number] {
  const before = prev === '' ? undefined : getState(prev);
  const after = next === '' ? undefined : getState(next);
  const { row } = entry;
  return {
    key: entry.key,
    id: row.id,
    ...(row.withoutTime !== true && { time: row.time }),
    action: row.alias === '' ? row.action : row.alias,
    status: row.status,
    signer: row.signer,
    prev: toPlainText(prev, 200),
    next: toPlainText(next, 200),
    ...(created && { created }),
    ...(mark !== undefined && { mark }),
    ...(note !== undefined && { note }),
    snapshot: before !== undefined ? (after !== undefined ? 'both' : 'prev') : after !== undefined ? 'next' : 'none',
    changes:
      before === undefined || after === undefined
        ? []
        : diffValues(before, after).map((line) => toPlainText(line, 300)),
  };
}

/** A step for programs, its time in ISO 8601. */
export const stepRecord = defineRecord<ObjectHistory['steps'][number]>({
  log: ({ id }) => id,
  time: ({ time }) => (time === undefined ? undefined : new Date(time).toISOString()),
  action: ({ action }) => action,
  status: ({ status }) => status,
  signer: ({ signer }) => signer,
  before: ({ prev }) => prev,
  after: ({ next }) => next,
  created: ({ created }) => created,
  mark: ({ mark }) => mark,
  note: ({ note }) => note,
  changes: ({ changes }) => (changes.length > 0 ? changes : undefined),
});
