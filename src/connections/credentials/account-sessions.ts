/**
 * Sessions of the authentication provider: one for each connection with an access token. API keys are never exposed.
 */
import type * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { signInTo } from '../commands/sign-in.ts';
import { getSessionStore } from '../session/session-store.ts';
import type { ConnectionSession } from '../session/connection-session.ts';

/** Lists all accounts, or those with exactly these scopes: the connection's name. */
export function listAccounts(
  services: Services,
  scopes: readonly string[] | undefined,
): vscode.AuthenticationSession[] {
  return services.sessions.all.flatMap(({ profile }) => {
    if (scopes !== undefined && scopes.length > 0 && (scopes.length !== 1 || scopes[0] !== profile.name)) return [];
    const session = getSessionStore(services).get(profile.name);
    const account = session === undefined ? undefined : createAccountSession(session);
    return account === undefined ? [] : [account];
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
  const session = store.get(name);
  if (session === undefined) throw new Error(`There is no connection named ${name}`);
  const now = createAccountSession(session);
  if (now !== undefined && !session.expired) return now;
  await signInTo(store, session);
  const signedIn = store.get(name);
  const account = signedIn === undefined ? undefined : createAccountSession(signedIn);
  if (account === undefined) throw new Error(`${name} is not signed in with an access token`);
  return account;
}

/** Signs out from the Accounts menu. Rejects where the secret store fails. */
export async function removeAccount(services: Services, id: string): Promise<void> {
  const found = listAccounts(services, undefined).find((account) => account.id === id);
  const name = found?.scopes[0];
  if (name !== undefined) await getSessionStore(services).signOut(name);
}

function createAccountSession(session: ConnectionSession): vscode.AuthenticationSession | undefined {
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
