/**
 * Sessions of the authentication provider: one for each connection that is signed in. Other extensions obtain sessions by
 * scopes, and only those with an access token; API keys are never exposed.
 */
import type * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { signInTo } from '../commands/sign-in.ts';
import { getSessionStore } from '../session/session-store.ts';
import type { ConnectionSession } from '../session/connection-session.ts';
import { requireSession } from '../../model/require-session.ts';

/**
 * Lists the sessions that another extension may obtain: those with an access token, for no scopes or the connection's
 * name as the only scope. Without `scopes`, as VS Code lists accounts, those signed in by API key are included, without a
 * token.
 */
export function listAccounts(
  services: Services,
  scopes: readonly string[] | undefined,
): vscode.AuthenticationSession[] {
  return services.sessions.all.flatMap(({ profile }) => {
    if (scopes !== undefined && scopes.length > 0 && (scopes.length !== 1 || scopes[0] !== profile.name)) return [];
    const session = getSessionStore(services).get(profile.name);
    if (session === undefined) return [];
    return createTokenAccount(session) ?? (scopes === undefined ? (createApiKeyAccount(session) ?? []) : []);
  });
}

/**
 * Signs in for another extension or the Accounts menu; VS Code has obtained consent. Rejects with an Error where no
 * token results.
 */
export async function createAccount(
  services: Services,
  scopes: readonly string[],
): Promise<vscode.AuthenticationSession> {
  const store = getSessionStore(services);
  const [name] = scopes;
  if (name === undefined || scopes.length !== 1) throw new Error('Ask with one scope: the name of a connection');
  const session = requireSession(store, name);
  const now = createTokenAccount(session);
  if (now !== undefined && !session.expired) return now;
  await signInTo(store, session);
  const signedIn = store.get(name);
  const account = signedIn === undefined ? undefined : createTokenAccount(signedIn);
  if (account === undefined) throw new Error(`${name} is not signed in with an access token`);
  return account;
}

/** Signs out from the Accounts menu. Rejects where the secret store fails. */
export async function removeAccount(services: Services, id: string): Promise<void> {
  const found = listAccounts(services, undefined).find((account) => account.id === id);
  const name = found?.scopes[0];
  if (name !== undefined) await getSessionStore(services).signOut(name);
}

function createTokenAccount(session: ConnectionSession): vscode.AuthenticationSession | undefined {
  const accessToken = session.credential?.accessToken;
  if (accessToken === undefined) return undefined;
  const { name } = session.profile;
  const subject = session.identity?.subject;
  return {
    id: `${name}/${subject ?? ''}`,
    accessToken,
    account: {
      id: `${name}/${subject ?? ''}`,
      label: subject === undefined ? name : `${name}: ${subject.slice(0, 60)}`,
    },
    scopes: [name],
  };
}

/** For the Accounts menu only, which shows the label and offers Sign Out; its token is empty. */
function createApiKeyAccount({
  profile,
  credentialKinds,
}: ConnectionSession): vscode.AuthenticationSession | undefined {
  if (!credentialKinds.has('apiKey')) return undefined;
  const { name } = profile;
  return { id: `${name}/`, accessToken: '', account: { id: `${name}/`, label: `${name}: API key` }, scopes: [name] };
}
