/** Which connection and organization the window works with, remembered for the workspace. */
import type * as vscode from 'vscode';

export interface ActiveChoice {
  readonly connection: string | undefined;
  readonly organization: string | undefined;
  /** `undefined`: none, as before the first choice */
  choose(connection: string | undefined, organization?: string): Promise<void>;
}

export function activeChoice(memory: vscode.Memento): ActiveChoice {
  let connection = memory.get<string>('active.connection');
  let organization = memory.get<string>('active.organization');
  return {
    get connection() {
      return connection;
    },
    get organization() {
      return organization;
    },
    async choose(name, id) {
      connection = name;
      organization = id;
      await memory.update('active.connection', name);
      await memory.update('active.organization', id);
    },
  };
}
