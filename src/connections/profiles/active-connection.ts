/** The active connection and organization, stored for the workspace. */
import type * as vscode from 'vscode';

export interface ActiveConnection {
  readonly connection: string | undefined;
  readonly organization: string | undefined;
  /** `undefined` before the first choice */
  select(connection: string | undefined, organization?: string): Promise<void>;
}

/** Reads and writes the choice in `memory`. */
export function createActiveConnection(memory: vscode.Memento): ActiveConnection {
  let connection = memory.get<string>('active.connection');
  let organization = memory.get<string>('active.organization');
  return {
    get connection() {
      return connection;
    },
    get organization() {
      return organization;
    },
    async select(name, id) {
      connection = name;
      organization = id;
      await memory.update('active.connection', name);
      await memory.update('active.organization', id);
    },
  };
}
