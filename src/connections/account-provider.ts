/** Signs our account provider up with VS Code; it answers without loading anything until the connections are there. */
import * as vscode from 'vscode';
import type { Entry, Services } from '../commands/entry.ts';

type Change = vscode.AuthenticationProviderAuthenticationSessionsChangeEvent;

export function registerAccounts(entry: Entry): void {
  const changed = entry.own(new vscode.EventEmitter<Change>());
  let loaded = false;
  let known: readonly vscode.AuthenticationSession[] = [];
  const refresh = async (services: Services): Promise<void> => {
    const { accounts } = await import('./accounts.ts');
    const before = known;
    const now = accounts(services, undefined);
    known = now;
    const ids = (list: readonly vscode.AuthenticationSession[]): ReadonlySet<string> =>
      new Set(list.map(({ id }) => id));
    const change: Change = {
      added: now.filter(({ id }) => !ids(before).has(id)),
      removed: before.filter(({ id }) => !ids(now).has(id)),
      changed: now.filter(({ id, accessToken }) =>
        before.some((one) => one.id === id && one.accessToken !== accessToken),
      ),
    };
    if ([change.added, change.removed, change.changed].some((list) => list !== undefined && list.length > 0))
      changed.fire(change);
  };
  entry.onLoaded((services) => {
    loaded = true;
    entry.own(services.sessions.onDidChange(() => void refresh(services)));
    void refresh(services);
  });
  const provider: vscode.AuthenticationProvider = {
    onDidChangeSessions: changed.event,
    async getSessions(scopes) {
      // VS Code lists all accounts as soon as it hears of us. Then nobody has asked for one, and nothing is loaded;
      // once the connections are there, the list is brought up to date.
      if (!loaded && (scopes === undefined || scopes.length === 0)) return [];
      return (await import('./accounts.ts')).accounts(await entry.services(), scopes);
    },
    async createSession(scopes) {
      return (await import('./accounts.ts')).createAccount(await entry.services(), scopes);
    },
    async removeSession(id) {
      await (await import('./accounts.ts')).removeAccount(await entry.services(), id);
    },
  };
  entry.own(
    vscode.authentication.registerAuthenticationProvider('smartObjects', 'Smart Objects', provider, {
      supportsMultipleAccounts: true,
    }),
  );
}
