import { isOlderVersion, readLogVersion, type LogVersion } from '../platform/resources/action-log-fields.ts';
import { escapeFormula } from '../model/export/export-writer.ts';
import { isObject } from '../platform/json/json.ts';
import { parseJson } from '../platform/json/parse-json.ts';
import { getItemId } from '../platform/page.ts';
import { createLogRow, type LogRow } from '../webviews/protocol/log-row.ts';
import type { TimedItem } from '../model/ordered-list.ts';

/** One action log: a row for the table, and the server's own JSON. */
export interface LogEntry extends TimedItem, LogVersion {
  readonly row: LogRow;
  /** the raw item as JSON; `undefined` if it is too long to store (it can be read again by its id) */
  readonly text: string | undefined;
}

/** Longest JSON stored of one entry, in characters. */
const MAX_ENTRY_LENGTH = 32_768;

/** Key of an entry in a view that may follow several connections. */
export function getEntryKey(connection: string, id: string): string {
  return `${connection}\n${id}`;
}

/**
 * Parses a raw item; `undefined` if it has no id. `fallback`: time of an entry without a readable date, in milliseconds
 * since the epoch. `findKnown`: finds a loaded entry by its key, which is returned if the item is unchanged or an
 * older state.
 */
export function parseEntry(
  connection: string,
  raw: unknown,
  fallback: number,
  findKnown?: (key: string) => LogEntry | undefined,
): LogEntry | undefined {
  const id = getItemId(raw);
  if (id === undefined || !isObject(raw)) return undefined;
  const text = JSON.stringify(raw);
  const key = getEntryKey(connection, id);
  const known = findKnown?.(key);
  const version = readLogVersion(raw);
  if (known !== undefined && (known.text === text || isOlderVersion(version, known))) return known;
  const row = createLogRow(raw, { key, id, connection, fallback });
  return {
    key,
    id,
    time: row.time,
    row,
    text: text.length > MAX_ENTRY_LENGTH ? undefined : text,
    ...version,
  };
}

/** The raw JSON of an entry; `undefined` if its text was dropped. */
export function parseRaw(entry: LogEntry): unknown {
  return entry.text === undefined ? undefined : parseJson(entry.text);
}

/** Formats a row for a spreadsheet: tab-separated, formulas escaped, no time if the server sent none. */
export function formatRow({
  withoutTime,
  time,
  status,
  alias,
  action,
  signer,
  objects,
  fee,
  batch,
  message,
}: LogRow): string {
  const created = withoutTime === true ? '' : new Date(time).toISOString();
  return [created, status, alias || action, signer, objects.join(' '), fee, batch, message]
    .map(escapeFormula)
    .join('\t');
}

/** The object id in the action's parameters: a failed action may list no affected objects. */
export function getParamsObjectId(raw: unknown): string | undefined {
  const params = isObject(raw) ? raw['params'] : undefined;
  const first: unknown = Array.isArray(params) ? params[0] : params;
  const id = isObject(first) ? (first['id'] ?? first['object_id']) : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
