/** The active connection, stored for the workspace. */
import type * as vscode from 'vscode';

export interface ActiveConnection {
  /** its name; `undefined` before the first choice */
  readonly connection: string | undefined;
  select(connection: string | undefined): Promise<void>;
}

/** Reads and writes the choice in `memory`. */
export function createActiveConnection(memory: vscode.Memento): ActiveConnection {
  let connection = memory.get<string>('active.connection');
  return {
    get connection() {
      return connection;
    },
    async select(name) {
      connection = name;
      await memory.update('active.connection', name);
    },
  };
}
