import { createTitleLookup } from '../../cache/title-lookup.ts';
import type { Services } from '../../commands/context.ts';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { isFinalLogStatus, readStatus } from '../../platform/resources/action-log-fields.ts';
import type { LogDetails, logsProtocol } from '../../webviews/protocol/logs.ts';
import type { WebviewHost } from '../../webviews/webview-host.ts';
import { formatDetails } from './details.ts';
import { parseEntry, parseRaw } from '../entry.ts';
import type { FailureReasons } from './failure-reasons.ts';
import type { LogReader } from './log-reader.ts';
import type { LogsModel } from './logs-model.ts';

/** Milliseconds after which an unsettled batch is read again. */
const BATCH_REFRESH_INTERVAL = 10_000;

interface DetailsControllerOptions {
  readonly services: Services;
  readonly model: LogsModel;
  readonly reader: LogReader;
  readonly reasons: FailureReasons;
  readonly host: Pick<WebviewHost<typeof logsProtocol.toView>, 'visible' | 'post'>;
}

/**
 * Posts the details of the selected entry: what is loaded at once, its batch and JSON that was not stored after reading
 * them.
 */
export class DetailsController {
  readonly #options: DetailsControllerOptions;
  /** batch of the shown entry */
  #batch: { readonly key: string; readonly value: JsonObject | string; readonly at: number } | undefined;

  #details: LogDetails | undefined;
  #requestedKey = '';

  constructor(options: DetailsControllerOptions) {
    this.#options = options;
  }

  get details(): LogDetails | undefined {
    return this.#details;
  }

  /** Reads the batch again if it has not settled, or the entry if it is missing. */
  refresh(): void {
    const { key, value, at } = this.#batch ?? { key: '', value: '', at: Infinity };
    const settled =
      typeof value === 'object' && (isFinalLogStatus(readStatus(value)) || value['when_completed'] !== undefined);
    if (!settled && performance.now() - at > BATCH_REFRESH_INTERVAL && this.#options.model.selected?.key === key)
      void this.show();
    else void this.#fetchMissing();
  }

  /** Reads a selected entry that is not loaded, once: one from a link, or older than what is loaded. */
  async #fetchMissing(): Promise<void> {
    const { model, reader, host } = this.#options;
    const { id, connections } = model.missing ?? { id: '', connections: [] };
    const requestKey = [id, ...connections].join('\n');
    if (connections.length === 0 || requestKey === this.#requestedKey || !host.visible) return;
    this.#requestedKey = requestKey;
    for (const connection of connections) {
      const raw = await reader.readRaw({ id, row: { connection } }).catch(() => undefined);
      const entry = parseEntry(connection, raw, Date.now());
      const now = model.missing;
      if (entry?.id !== id || now?.id !== id || !now.connections.includes(connection)) continue;
      model.fetchedEntry = entry;
      await this.show();
      return;
    }
  }

  /** Posts the details, again after reading what is missing. Never rejects: what cannot be read is left out. */
  async show(): Promise<void> {
    const { services, model, reader, reasons, host } = this.#options;
    const entry = model.selected;
    if (entry === undefined) return;
    const { key, row } = entry;
    const session = services.sessions.get(row.connection);
    const getTitle = createTitleLookup(services, [row.connection]);
    const postDetails = (raw: unknown, batch: JsonObject | string | undefined, busy: boolean): void => {
      if (model.selected?.key !== key || !isObject(raw)) return;
      const links = session?.profile.links ?? {};
      const { message: text, reasonSource: from } = reasons.withReason(row);
      const reason = from === undefined ? undefined : { text, from };
      this.#details = formatDetails({
        key,
        raw,
        reason,
        connection: row.connection,
        batch,
        links,
        busy,
        getLabel: (value) => getTitle(undefined, value) ?? getIdentityName(services, row.connection, value),
      });
      host.post('details', this.#details);
    };
    const loadedRaw = parseRaw(entry);
    const summary = { id: row.id, status: row.status };
    const known = this.#batch?.key === key ? this.#batch.value : undefined;
    postDetails(loadedRaw ?? summary, known, session !== undefined && row.batch !== '' && known === undefined);
    if (session === undefined || session.signedOutReason !== undefined || !host.visible) return;
    const raw = loadedRaw ?? (await reader.readRaw(entry).catch(() => undefined));
    const value = row.batch === '' ? undefined : await reader.readBatch(session, row.batch);
    this.#batch = value === undefined ? undefined : { key, value, at: performance.now() };
    postDetails(raw ?? summary, value, false);
  }
}

/** The name of the identity that is signed in as a wallet; `undefined` if the connection has one identity. */
function getIdentityName({ sessions }: Services, connection: string, wallet: string): string | undefined {
  return sessions.getIdentities(connection).find(({ identity }) => identity?.subject === wallet)?.identityName;
}
