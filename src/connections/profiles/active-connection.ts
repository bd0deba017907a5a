/** The active connection and the current identity of each connection, stored for the workspace. */
const CONNECTION_KEY = 'active.connection';
const IDENTITIES_KEY = 'active.identities';

/** The part of `vscode.Memento` that is used. */
interface Memory {
  get<T>(key: string, fallback: T): T;
  update(key: string, value: unknown): PromiseLike<void>;
}

export interface ActiveConnection {
  /** its name; `undefined` before the first choice */
  readonly connection: string | undefined;
  select(connection: string | undefined): Promise<void>;
  /** the name of a connection's current identity; `undefined` before the first choice */
  getIdentity(connection: string): string | undefined;
  selectIdentity(connection: string, identity: string): Promise<void>;
  /** Forgets the choice of a connection that the user signed out of or removed. Rejects if the memento cannot be written. */
  forgetIdentity(connection: string): Promise<void>;
}

/** Reads and writes the choice in `memory`. */
export function createActiveConnection(memory: Memory): ActiveConnection {
  let connection = memory.get<string | undefined>(CONNECTION_KEY, undefined);
  const identities = new Map(Object.entries(memory.get<Readonly<Record<string, string>>>(IDENTITIES_KEY, {})));
  return {
    get connection() {
      return connection;
    },
    async select(name) {
      connection = name;
      await memory.update(CONNECTION_KEY, name);
    },
    getIdentity: (name) => identities.get(name),
    async selectIdentity(name, identity) {
      identities.set(name, identity);
      await memory.update(IDENTITIES_KEY, Object.fromEntries(identities));
    },
    async forgetIdentity(name) {
      if (identities.delete(name)) await memory.update(IDENTITIES_KEY, Object.fromEntries(identities));
    },
  };
}
