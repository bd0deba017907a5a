/** The sessions of all connections, by name and identity. */
import { DEFAULT_IDENTITY } from '../../model/session/session.ts';
import { resolveChoice } from '../../model/session/stored-choice.ts';
import type { ConnectionSession } from './connection-session.ts';

/** The sessions of one connection by identity, the default one first. */
export type IdentitySessions = ReadonlyMap<string, ConnectionSession>;

/** The sessions of all connections, and which of each is the current one. */
export class SessionMap {
  readonly #getChosenIdentity: (connection: string) => string | undefined;
  #sessions: ReadonlyMap<string, IdentitySessions> = new Map();

  /** `getChosenIdentity`: the identity that the user chose for a connection, which may have gone since. */
  constructor(getChosenIdentity: (connection: string) => string | undefined) {
    this.#getChosenIdentity = getChosenIdentity;
  }

  /** The session of the current identity of each connection. */
  get current(): readonly ConnectionSession[] {
    return [...this.#sessions.keys()].flatMap((name) => this.getCurrent(name) ?? []);
  }

  get all(): readonly ConnectionSession[] {
    return [...this.#sessions.values()].flatMap((identities) => [...identities.values()]);
  }

  /** The session of the current identity: the chosen one, or the default one before the first choice. */
  getCurrent(connection: string): ConnectionSession | undefined {
    return resolveChoice(
      this.#getChosenIdentity(connection),
      (identity) => this.get(connection, identity),
      () => this.get(connection),
    );
  }

  get(connection: string, identity = DEFAULT_IDENTITY): ConnectionSession | undefined {
    return this.#sessions.get(connection)?.get(identity);
  }

  getIdentities(connection: string): readonly ConnectionSession[] {
    return [...(this.#sessions.get(connection)?.values() ?? [])];
  }

  /** Replaces the sessions of one connection. Returns those that are no longer used. */
  setConnection(connection: string, identities: IdentitySessions): readonly ConnectionSession[] {
    return this.setAll(new Map(this.#sessions).set(connection, identities));
  }

  /** Replaces all sessions. Returns those that are no longer used. */
  setAll(sessions: ReadonlyMap<string, IdentitySessions>): readonly ConnectionSession[] {
    const previous = this.all;
    this.#sessions = sessions;
    const now = new Set(this.all);
    return previous.filter((session) => !now.has(session));
  }

  /** The current session of a connection and those of its identities, to compare with `isChanged`. */
  getState(connection: string): readonly unknown[] {
    return [this.getCurrent(connection), ...this.getIdentities(connection)];
  }

  /** Whether a connection has other sessions than when `getState` returned `previous`. */
  isChanged(connection: string, previous: readonly unknown[]): boolean {
    const now = this.getState(connection);
    return now.length !== previous.length || now.some((part, index) => part !== previous[index]);
  }
}
