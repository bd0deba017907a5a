import * as l10n from '@vscode/l10n';
import type { Services } from '../../commands/context.ts';
import { requireSession } from '../../model/session/require-session.ts';
import type { Session } from '../../model/session/session.ts';
import { formatError } from '../../model/text/error-message.ts';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { readStatus } from '../../platform/resources/action-log-fields.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import type { LogRow } from '../../webviews/protocol/logs.ts';
import { parseRaw, type LogEntry } from '../entry.ts';

/** Reads single action logs and their batches. */
export class LogReader {
  readonly #services: Services;
  /** batches by id, with when they were read by a clock that is never set back; a session belongs to one identity */
  readonly #batches = new WeakMap<Session, Map<string, { readonly at: number; readonly batch: JsonObject }>>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Reads an entry by its id. Rejects with PlatformError. */
  async readRaw(
    { id, row }: { readonly id: string; readonly row: Pick<LogRow, 'connection'> },
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { item } = await requireSession(this.#services.sessions, row.connection).client.read(
      'action-logs',
      [id],
      signal === undefined ? {} : { signal },
    );
    return item.raw;
  }

  /** Returns the stored JSON of an entry, or reads it again if it was dropped. Rejects with PlatformError. */
  async readFullRaw(entry: LogEntry): Promise<unknown> {
    return parseRaw(entry) ?? (await this.readRaw(entry));
  }

  /** Reads a batch, once if it is completed. Resolves to a message if that fails. Never rejects. */
  async readBatch(session: Session, id: string): Promise<JsonObject | string> {
    const batches = this.#batches.get(session) ?? new Map<string, { at: number; batch: JsonObject }>();
    this.#batches.set(session, batches);
    const known = batches.get(id);
    if (known !== undefined && (readStatus(known.batch) === 'completed' || performance.now() - known.at < 5000))
      return known.batch;
    try {
      const { item } = await session.client.read('batches', [id], { signal: session.ended });
      if (!isObject(item.raw)) return l10n.t('Could not read the batch: the response is not an object.');
      if (batches.size >= 100) batches.clear();
      batches.set(id, { at: performance.now(), batch: item.raw });
      return item.raw;
    } catch (error) {
      return toPlainText(formatError(l10n.t('Read batch'), error), 400);
    }
  }
}
