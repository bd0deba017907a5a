/** Which failures are new since the user last looked, and which groups of them are known: stored for all windows. */
import * as z from 'zod/mini';
import type { KeyValueStore } from '../cache/stored-record.ts';
import { getFailureGroup } from '../webviews/protocol/failure-groups.ts';
import type { LogRow } from '../webviews/protocol/logs.ts';
import { Listeners } from '../model/listeners.ts';

const KEY = 'logs.failures';
const connectionSchema = z.object({
  /** failures until then are not new: milliseconds since the epoch */
  lookedAt: z.optional(z.number()),
  /** later failures that the user saw: when they failed, by id */
  shown: z._default(z.record(z.string(), z.number()), {}),
  /** groups of failures, the newest mark last */
  known: z._default(z.array(z.string()), []),
});
const storedSchema = z.record(z.string(), connectionSchema);
type Stored = z.output<typeof storedSchema>;

/** Failures before are not new on a connection whose failures were never looked at: milliseconds since the epoch. */
const STARTED = performance.timeOrigin;
/** Milliseconds after which a failure is taken as seen if the user saw later ones: platforms list some late. */
const MAX_DELAY = 10 * 60_000;
/** Failures of one connection; more end the oldest. */
const MAX_SHOWN = 200;
/** Groups of one connection; more marks end the oldest. */
const MAX_KNOWN = 500;

/** What the user saw of the failures of each connection. */
export class FailureInbox {
  readonly #memento: KeyValueStore;
  readonly #listeners = new Listeners();
  readonly onDidChange = this.#listeners.add;
  #read: { readonly value: unknown; readonly stored: Stored } | undefined;

  constructor(memento: KeyValueStore) {
    this.#memento = memento;
  }

  /** The stored value; parsed again once it changed, also in another window. */
  get #stored(): Stored {
    const value = this.#memento.get(KEY);
    if (this.#read === undefined || this.#read.value !== value)
      this.#read = { value, stored: z.safeParse(storedSchema, value).data ?? {} };
    return this.#read.stored;
  }

  /** Returns a row with its marks. `row`: with the best known reason, by which it is grouped. */
  mark(row: LogRow): LogRow {
    if (row.status !== 'failed') return row;
    const isKnown = this.#stored[row.connection]?.known.includes(getFailureGroup(row)) === true;
    return { ...row, isKnown, isNew: !isKnown && !this.#wasShown(row) };
  }

  #wasShown(row: LogRow): boolean {
    const { lookedAt = STARTED, shown = {} } = this.#stored[row.connection] ?? {};
    return getFailureTime(row) <= lookedAt || Object.hasOwn(shown, row.id);
  }

  /** Records that the user saw these failures, and those long before them. */
  look(rows: readonly LogRow[]): void {
    const added = rows.filter((row) => row.status === 'failed' && !this.#wasShown(row));
    const entries = [...Map.groupBy(added, ({ connection }) => connection)].map(([connection, group]) => {
      const { lookedAt = STARTED, known = [], shown = {} } = this.#stored[connection] ?? {};
      const times = { ...shown, ...Object.fromEntries(group.map((row) => [row.id, getFailureTime(row)])) };
      const newest = Object.entries(times).sort(([, a], [, b]) => b - a);
      const until = Math.max(lookedAt, (newest[0]?.[1] ?? 0) - MAX_DELAY, newest[MAX_SHOWN]?.[1] ?? 0);
      const later = newest.filter(([, time]) => time > until);
      return [connection, { lookedAt: until, known, shown: Object.fromEntries(later) }] as const;
    });
    if (entries.length > 0) this.#write({ ...this.#stored, ...Object.fromEntries(entries) });
  }

  /** Marks a group of failures of connections as known, or no longer. */
  setKnown(connections: readonly string[], group: string, isKnown: boolean): void {
    const entries = connections.map((connection) => {
      const { known = [], shown = {}, ...rest } = this.#stored[connection] ?? {};
      const others = known.filter((other) => other !== group);
      return [connection, { ...rest, shown, known: isKnown ? [...others, group].slice(-MAX_KNOWN) : others }] as const;
    });
    this.#write({ ...this.#stored, ...Object.fromEntries(entries) });
  }

  /** Number of known groups of a connection. */
  count(connection: string): number {
    return this.#stored[connection]?.known.length ?? 0;
  }

  /** Deletes what is stored of a connection. */
  forget(connection: string): void {
    const { [connection]: _removed, ...rest } = this.#stored;
    this.#write(rest);
  }

  #write(stored: Stored): void {
    void this.#memento.update(KEY, stored);
    this.#listeners.fire();
  }
}

/** An action that was pending when the user looked can fail later. */
function getFailureTime({ time, failedAt = time }: LogRow): number {
  return failedAt;
}
