/** Cleans up after connections that were deleted from the user's settings. */
import * as vscode from 'vscode';
import type { Log } from '../../ui/log.ts';
import type { CredentialStore } from '../credentials/credential-store.ts';

interface ForgetRemovedOptions {
  /** every name in the user's settings now */
  readonly names: ReadonlySet<string>;
  /** remembers the names of earlier windows */
  readonly globalState: vscode.Memento;
  readonly credentialStore: CredentialStore;
  /** removes cached data of a connection */
  readonly forget: (name: string) => Promise<void>;
  readonly log: Log;
  /** false: records the names only */
  readonly isStartup: boolean;
}

/**
 * Removes secrets and data of connections that this installation knows from the user's settings and that were deleted
 * there. Only at startup: while editing, an entry may be removed and restored. Entries of workspaces and other machines
 * are not touched. Rejects if the secret store fails.
 */
export async function forgetRemovedConnections(options: ForgetRemovedOptions): Promise<void> {
  const { names, globalState, credentialStore } = options;
  const key = `seen/${vscode.env.remoteName ?? 'local'}`;
  const knownNames = globalState.get<readonly string[]>(key, []);
  const removedNames = options.isStartup ? knownNames.filter((name) => !names.has(name)) : [];
  for (const name of removedNames) {
    await options.forget(name);
    await credentialStore.forgetVariableSecrets(name);
  }
  for (const name of await credentialStore.removeOrphans(removedNames))
    options.log.info(`${name} is no longer in the settings: its credential was removed.`);
  const current = [...new Set([...knownNames.filter((name) => !removedNames.includes(name)), ...names])];
  if (JSON.stringify(current) !== JSON.stringify(knownNames)) await globalState.update(key, current);
}
