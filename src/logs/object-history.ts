/** Pure: reads all logs of an object and the object itself, and makes the history that a view shows. */
import type { Session } from '../connections/types.ts';
import { isObject } from '../platform/json.ts';
import { isEndless, MAX_IDLE_PAGES } from '../platform/paginate.ts';
import { actionLogs } from '../platform/resources/action-logs.ts';
import { plainText } from '../platform/plain-text.ts';
import type { History } from '../webviews/protocol-logs.ts';
import { entryOf, type LogEntry } from './entry.ts';
import { chainOf, changesBetween, linkOf, type Link, type Step } from './history.ts';

/** Logs of one object that are read at most, until the user reads further. */
export const MOST = 5000;

/** Where reading stops. */
export interface HistoryLimits {
  readonly logs: number;
  /** pages in a row without a new log; default: as for any list */
  readonly idlePages?: number;
}
/** A state of the object that was seen, by its root. */
export type StateOf = (root: string) => unknown;

export interface ReadHistory {
  readonly history: History;
  readonly entries: readonly LogEntry[];
  readonly steps: readonly Step[];
  /** limits that read further, where there may be more logs */
  readonly further?: HistoryLimits;
}

/** Throws PlatformError where the logs cannot be read. */
export async function readHistory(
  session: Session,
  object: string,
  state: StateOf,
  signal: AbortSignal,
  { logs: most, idlePages }: HistoryLimits = { logs: MOST },
): Promise<ReadHistory> {
  const { client, profile } = session;
  const entries = new Map<string, LogEntry>();
  const links = new Map<string, Link>();
  let cut = '';
  try {
    for await (const { items } of client.pagesOf(
      actionLogs,
      { object_id: object, limit: profile.pageSize ?? 100 },
      { signal, ...(idlePages !== undefined && { maxIdlePages: idlePages }) },
    )) {
      for (const { raw } of items) {
        const entry = entryOf(profile.name, raw, 0);
        if (entry === undefined) continue;
        entries.set(entry.id, entry);
        const link = linkOf(object, entry, raw);
        if (link !== undefined) links.set(entry.id, link);
      }
      if (entries.size >= most) {
        cut = ` Only ${entries.size.toLocaleString('en')} logs were read: Read again reads further.`;
        break;
      }
    }
  } catch (error) {
    if (!isEndless(error)) throw error;
    cut = ` ${error.message}: Read again reads further.`;
  }
  const now = await currentOf(session, object, signal);
  const chain = chainOf([...links.values()], now.root);
  return {
    entries: [...entries.values()],
    steps: chain.steps,
    ...(cut !== '' && { further: { logs: most * 2, idlePages: (idlePages ?? MAX_IDLE_PAGES) * 5 } }),
    history: {
      connection: profile.name,
      object,
      title: now.name,
      busy: false,
      ...(now.problem !== undefined && { problem: now.problem }),
      steps: chain.steps.map((step) => rowOf(step, state)),
      verdict: chain.verdict + cut,
      tone: chain.tone,
    },
  };
}

async function currentOf(
  session: Session,
  object: string,
  signal: AbortSignal,
): Promise<{ readonly root: string | undefined; readonly name: string; readonly problem?: string }> {
  try {
    const { item } = await session.client.read('objects', [object], { signal });
    const { view, raw } = item;
    const other = isObject(raw) ? raw['state_hash'] : undefined;
    const root = view?.state_root ?? (typeof other === 'string' ? other : undefined);
    return { root, name: plainText(view?.metadata?.name ?? object, 80) };
  } catch (error) {
    if (signal.aborted) throw error;
    const why = error instanceof Error ? error.message : 'unknown error';
    return {
      root: undefined,
      name: plainText(object, 80),
      problem: `Read object: ${why}. Its logs are shown all the same.`,
    };
  }
}

function rowOf({ entry, prev, next, created, mark, note }: Step, state: StateOf): History['steps'][number] {
  const before = prev === '' ? undefined : state(prev);
  const after = next === '' ? undefined : state(next);
  const { row } = entry;
  return {
    key: entry.key,
    id: row.id,
    time: row.time,
    action: row.alias === '' ? row.action : row.alias,
    status: row.status,
    signer: row.signer,
    prev: plainText(prev, 200),
    next: plainText(next, 200),
    ...(created && { created }),
    ...(mark !== undefined && { mark }),
    ...(note !== undefined && { note }),
    snapshot: before !== undefined ? (after !== undefined ? 'both' : 'prev') : after !== undefined ? 'next' : 'none',
    changes:
      before === undefined || after === undefined
        ? []
        : changesBetween(before, after).map((line) => plainText(line, 300)),
  };
}
