/** A row of the log table: what it has, and how it is made of an action log. */
import { parseDateTime } from '../../model/text/time-format.ts';
import type { JsonObject } from '../../platform/json/json.ts';
import {
  formatFee,
  getSigner,
  readAffectedObjects,
  readFailureReason,
  readLogVersion,
  readStatus,
} from '../../platform/resources/action-log-fields.ts';
import { actionLog } from '../../platform/resources/action-logs.ts';
import { createView } from '../../platform/schema.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';

const MAX_OBJECTS = 8;

/** Where the reason of a failure was found: a step of a run, the batch, or a field of the log. */
export type ReasonSource = 'step' | 'batch' | 'log';

/** One entry as the table shows it; texts are sanitized and truncated. */
export interface LogRow {
  /** connection and id, unique in a view */
  readonly key: string;
  readonly id: string;
  readonly connection: string;
  /** position in the order: milliseconds since the epoch */
  readonly time: number;
  /** the server sent no readable `when_created` */
  readonly withoutTime?: true;
  /** as the server sends it */
  readonly status: string;
  /** of a failed one that was modified later than `time`: milliseconds since the epoch */
  readonly failedAt?: number;
  readonly action: string;
  readonly alias: string;
  readonly signer: string;
  /** the user's label of the signer */
  readonly signerLabel?: string;
  /** the first few */
  readonly objects: readonly string[];
  readonly objectCount: number;
  /** title of the first object, if it is known */
  readonly objectName?: string;
  /** ids of the templates of its objects, each once; absent if none is known */
  readonly templates?: readonly string[];
  /** title of the first template, if it is known */
  readonly templateName?: string;
  readonly fee: string;
  readonly batch: string;
  /** why it failed; empty if unknown */
  readonly message: string;
  /** absent without a reason */
  readonly reasonSource?: ReasonSource;
  /** its batch may name a reason, but was not read */
  readonly reasonUnread?: true;
  /** the run of this workspace that it belongs to; `label`: file and commit */
  readonly run?: { readonly id: string; readonly label: string };
  /** a failure since the user last looked, of a group that is not known */
  readonly isNew?: boolean;
  /** a failure of a group that the user marked as known */
  readonly isKnown?: boolean;
}

/**
 * Creates the row of an action log. `fallback`: the time of one without a readable date, in milliseconds since the epoch.
 */
export function createLogRow(
  raw: JsonObject,
  { key, id, connection, fallback }: Pick<LogRow, 'key' | 'id' | 'connection'> & { readonly fallback: number },
): LogRow {
  const view = createView(actionLog, raw);
  const created = parseDateTime(view?.when_created ?? '');
  const time = created ?? parseDateTime(view?.when_modified ?? '') ?? fallback;
  const { modified } = readLogVersion(raw);
  const affected = readAffectedObjects(raw);
  const status = readStatus(raw) ?? '';
  const templates = [...new Set(affected.map(({ templateId }) => toPlainText(templateId, 160)))].filter(
    (id) => id !== '',
  );
  const message = toPlainText(readFailureReason(raw)?.text ?? '', 400);
  return {
    key,
    id: toPlainText(id, 200),
    connection,
    time,
    ...(created === undefined && { withoutTime: true as const }),
    status: toPlainText(status, 40),
    ...(status === 'failed' && modified !== undefined && modified > time && { failedAt: modified }),
    action: toPlainText(view?.action_name ?? readText(raw, 'name'), 80),
    alias: toPlainText(view?.action_alias ?? readText(raw, 'alias'), 80),
    signer: toPlainText(getSigner(raw), 160),
    objects: affected.slice(0, MAX_OBJECTS).map(({ id }) => toPlainText(id, 160)),
    objectCount: affected.length,
    ...(templates.length > 0 && { templates: templates.slice(0, MAX_OBJECTS) }),
    fee: toPlainText(formatFee(raw), 80),
    batch: toPlainText(view?.batch_id ?? '', 160),
    message,
    ...(message !== '' && { reasonSource: 'log' as const }),
  };
}

function readText(raw: JsonObject, name: string): string {
  const value = raw[name];
  return typeof value === 'string' ? value : '';
}
