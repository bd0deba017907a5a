/** The details of the chosen entry: what is held at once; its batch, and a JSON that is not held, when they have been read. */
import type { Services } from '../commands/entry.ts';
import { isObject, type JsonObject } from '../platform/json.ts';
import { isFinal, type Details, type LogRow } from '../webviews/protocol-logs.ts';
import { detailsOf } from './details.ts';
import { entryOf, type LogEntry } from './entry.ts';
import type { Errands } from './errands.ts';
import { rawOf } from './history.ts';

/** Milliseconds after which a batch that has not settled is read again. */
const AGAIN = 10_000;

export interface DetailsParts {
  readonly services: Services;
  readonly errands: Errands;
  /** the entry, where it is held */
  readonly chosen: () => LogEntry | undefined;
  /** its id, where it is not held and nothing more that could bring it is being read */
  readonly missing: () => { readonly id: string; readonly connections: readonly string[] } | undefined;
  /** a row with the best reason that is known */
  readonly shown: (row: LogRow) => LogRow;
  readonly visible: () => boolean;
  readonly post: (details: Details) => void;
}

export class DetailsSide {
  readonly #parts: DetailsParts;
  #outside: readonly string[] = [];
  /** of the entry that is shown */
  #batch: { readonly key: string; readonly value: JsonObject | string; readonly at: number } | undefined;

  #shown: Details | undefined;
  #found: LogEntry | undefined;
  #sought = '';

  constructor(parts: DetailsParts) {
    this.#parts = parts;
  }

  get shown(): Details | undefined {
    return this.#shown;
  }

  /** One that is not held: it was read by its id. */
  get found(): LogEntry | undefined {
    return this.#found;
  }

  /** An outside address of what is shown. */
  outside(index: number): string | undefined {
    return this.#outside[index];
  }

  /** A batch that has not settled is read again now and then. */
  refresh(): void {
    const { key, value, at } = this.#batch ?? { key: '', value: '', at: Infinity };
    const settled =
      typeof value === 'object' && (isFinal(String(value['status'])) || value['when_completed'] !== undefined);
    if (!settled && Date.now() - at > AGAIN && this.#parts.chosen()?.key === key) void this.show();
    else void this.#seek();
  }

  /** Once for each: of a link, or older than what is loaded. */
  async #seek(): Promise<void> {
    const { missing, visible, errands } = this.#parts;
    const { id, connections } = missing() ?? { id: '', connections: [] };
    const sought = [id, ...connections].join('\n');
    if (connections.length === 0 || sought === this.#sought || !visible()) return;
    this.#sought = sought;
    for (const connection of connections) {
      const raw = await errands.readRaw({ id, row: { connection } }).catch(() => undefined);
      const entry = entryOf(connection, raw, Date.now());
      const now = missing();
      if (entry?.id !== id || now?.id !== id || !now.connections.includes(connection)) continue;
      this.#found = entry;
      await this.show();
      return;
    }
  }

  async show(): Promise<void> {
    const { services, errands, chosen, shown, visible, post } = this.#parts;
    const entry = chosen();
    if (entry === undefined) return;
    const { key, row } = entry;
    const session = services.sessions.get(row.connection);
    const tell = (raw: unknown, batch: JsonObject | string | undefined, busy: boolean): void => {
      if (chosen()?.key !== key || !isObject(raw)) return;
      const links = session?.profile.links ?? {};
      const { message: text, reasonFrom: from } = shown(row);
      const reason = from === undefined ? undefined : { text, from };
      const page = detailsOf({ key, raw, reason, connection: row.connection, batch, links, busy });
      this.#outside = page.outside;
      post((this.#shown = page.details));
    };
    const held = rawOf(entry);
    const little = { id: row.id, status: row.status };
    const known = this.#batch?.key === key ? this.#batch.value : undefined;
    tell(held ?? little, known, session !== undefined && row.batch !== '' && known === undefined);
    if (session === undefined || session.signedOutBecause !== undefined || !visible()) return;
    const raw = held ?? (await errands.readRaw(entry).catch(() => undefined));
    const value = row.batch === '' ? undefined : await errands.readBatch(session, row.batch);
    this.#batch = value === undefined ? undefined : { key, value, at: Date.now() };
    tell(raw ?? little, value, false);
  }
}
