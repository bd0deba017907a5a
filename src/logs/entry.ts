/** Pure: one action log as it is held: a row for the table, and the server's own JSON, cut by nobody but the limit. */
import { affectedObjectsOf, feeOf, signerOf } from '../platform/action-log-fields.ts';
import { harmless } from '../platform/export/format.ts';
import { isObject, type JsonObject } from '../platform/json.ts';
import { actionLog } from '../platform/resources/action-logs.ts';
import { viewOf } from '../platform/schema.ts';
import { plainText } from '../platform/plain-text.ts';
import { parseDateTime } from '../ui/times.ts';
import { isFinal, type LogRow } from '../webviews/protocol-logs.ts';
import type { Placed } from '../webviews/client/logs/ordered.ts';

export interface LogEntry extends Placed {
  readonly row: LogRow;
  /** the raw item as JSON; `undefined` where it is too long to be held: it can be read again by its id */
  readonly text: string | undefined;
  readonly final: boolean;
}

/** Longest JSON of one entry that is held, in characters. */
export const LONGEST = 32_768;
const OBJECTS = 8;

export function keyOf(connection: string, id: string): string {
  return `${connection}\n${id}`;
}

/**
 * The entry of a raw item; `undefined` where it has no id. `fallback` is where it stands in time if it does not say:
 * milliseconds since the epoch.
 */
export function entryOf(connection: string, raw: unknown, fallback: number): LogEntry | undefined {
  const view = viewOf(actionLog, raw);
  if (view?.id === undefined || view.id === '' || !isObject(raw)) return undefined;
  const created = parseDateTime(view.when_created ?? '');
  const time = created ?? parseDateTime(view.when_modified ?? '') ?? fallback;
  const text = JSON.stringify(raw);
  const key = keyOf(connection, view.id);
  const affected = affectedObjectsOf(raw);
  const status = view.status ?? '';
  const message = plainText(messageOf(raw), 400);
  const row: LogRow = {
    key,
    id: plainText(view.id, 200),
    connection,
    time,
    ...(created === undefined && { timeless: true as const }),
    status: plainText(status, 40),
    action: plainText(view.action_name ?? text1(raw, 'name'), 80),
    alias: plainText(view.action_alias ?? text1(raw, 'alias'), 80),
    signer: plainText(signerOf(raw), 160),
    objects: affected.slice(0, OBJECTS).map(({ id }) => plainText(id, 160)),
    objectCount: affected.length,
    fee: plainText(feeOf(raw), 80),
    batch: plainText(view.batch_id ?? '', 160),
    message,
    ...(message !== '' && { reasonFrom: 'log' as const }),
  };
  return { key, id: view.id, time, row, text: text.length > LONGEST ? undefined : text, final: isFinal(status) };
}

function text1(raw: JsonObject, name: string): string {
  const value = raw[name];
  return typeof value === 'string' ? value : '';
}

/** A row as it is copied: for a spreadsheet, where no text of the server is run, and no time stands that it did not send. */
export function rowText({
  timeless,
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
  const when = timeless === true ? '' : new Date(time).toISOString();
  return [when, status, alias || action, signer, objects.join(' '), fee, batch, message].map(harmless).join('\t');
}

/** The object that an action was for, by its parameters: what failed may list no affected ones. */
export function objectInParams(raw: unknown): string | undefined {
  const params = isObject(raw) ? raw['params'] : undefined;
  const first: unknown = Array.isArray(params) ? params[0] : params;
  const id = isObject(first) ? (first['id'] ?? first['object_id']) : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Why an action failed, where the server says so: the contract has no field for it, deployments do. */
export function messageOf(raw: JsonObject): string {
  for (const name of ['error', 'error_message', 'message', 'reason']) {
    const value = raw[name];
    if (typeof value === 'string' && value !== '') return value;
    const inner = isObject(value) ? value['message'] : undefined;
    if (typeof inner === 'string' && inner !== '') return inner;
  }
  return '';
}
