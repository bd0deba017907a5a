/** Registers the authentication provider; responds without loading services until something else loads them. */
import * as vscode from 'vscode';
import type { FeatureContext, Services } from '../../commands/context.ts';
import type { Accounts } from './account-sessions.ts';

type SessionsChange = vscode.AuthenticationProviderAuthenticationSessionsChangeEvent;

/** Registers the provider `smartObjects` for the Accounts menu and other extensions. */
export function registerAccountProvider(features: FeatureContext): void {
  const changed = features.addDisposable(new vscode.EventEmitter<SessionsChange>());
  let loaded = false;
  let knownSessions: readonly vscode.AuthenticationSession[] = [];
  const refresh = async (services: Services): Promise<void> => {
    const accounts = await loadAccounts(services);
    const previous = knownSessions;
    const current = accounts.list(undefined);
    knownSessions = current;
    const ids = (list: readonly vscode.AuthenticationSession[]): ReadonlySet<string> =>
      new Set(list.map(({ id }) => id));
    const change: SessionsChange = {
      added: current.filter(({ id }) => !ids(previous).has(id)),
      removed: previous.filter(({ id }) => !ids(current).has(id)),
      changed: current.filter(({ id, accessToken }) =>
        previous.some((previousSession) => previousSession.id === id && previousSession.accessToken !== accessToken),
      ),
    };
    if ([change.added, change.removed, change.changed].some((list) => list !== undefined && list.length > 0))
      changed.fire(change);
  };
  features.onServicesLoaded((services) => {
    loaded = true;
    features.addDisposable(services.sessions.onDidChange(() => void refresh(services)));
    features.addDisposable(
      services.sessions.onDidChangeSession(({ type }) => {
        if (type === 'credential' || type === 'state') void refresh(services);
      }),
    );
    void refresh(services);
  });
  const provider: vscode.AuthenticationProvider = {
    onDidChangeSessions: changed.event,
    async getSessions(scopes, { account }) {
      // VS Code lists all accounts when a provider is registered. Loading waits; the list is updated once the services
      // are loaded.
      if (!loaded && (scopes === undefined || scopes.length === 0)) return [];
      const all = (await loadAccounts(await features.services())).list(scopes);
      return account === undefined ? all : all.filter((session) => session.account.id === account.id);
    },
    async createSession(scopes, { account }) {
      return (await loadAccounts(await features.services())).create(scopes, account?.id);
    },
    async removeSession(id) {
      await (await loadAccounts(await features.services())).remove(id);
    },
  };
  features.addDisposable(
    vscode.authentication.registerAuthenticationProvider('smartObjects', 'Smart Objects', provider, {
      supportsMultipleAccounts: true,
    }),
  );
}

/** The accounts of the session store; loads what they need. Never rejects. */
export async function loadAccounts(services: Services): Promise<Accounts> {
  const [accounts, { getSessionStore }, { signInTo }] = await Promise.all([
    import('./account-sessions.ts'),
    import('../session/session-store.ts'),
    import('../commands/sign-in.ts'),
  ]);
  const store = getSessionStore(services);
  return new accounts.Accounts(store, (session) => signInTo(store, session));
}
