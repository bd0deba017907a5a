/** The sessions of our account provider: one for each connection that holds an access token; API keys are never handed out. */
import type * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import { signInTo } from './commands/sign-in.ts';
import { storeOf } from './services.ts';
import type { ConnectionSession } from './session.ts';

/** All, or those of exactly these scopes: the connection's name. */
export function accounts(services: Services, scopes: readonly string[] | undefined): vscode.AuthenticationSession[] {
  return services.sessions.all.flatMap(({ profile }) => {
    if (scopes !== undefined && scopes.length > 0 && (scopes.length !== 1 || scopes[0] !== profile.name)) return [];
    const session = storeOf(services).get(profile.name);
    const account = session === undefined ? undefined : accountOf(session);
    return account === undefined ? [] : [account];
  });
}

/** Another extension, or the Accounts menu, asks for a sign-in; VS Code has asked the person for leave to share it. */
export async function createAccount(
  services: Services,
  scopes: readonly string[],
): Promise<vscode.AuthenticationSession> {
  const store = storeOf(services);
  const [name] = scopes;
  if (name === undefined || scopes.length !== 1) throw new Error('Ask with one scope: the name of a connection');
  const session = store.get(name);
  if (session === undefined) throw new Error(`There is no connection named ${name}`);
  const now = accountOf(session);
  if (now !== undefined && !session.expired) return now;
  await signInTo(store, session);
  const signedIn = store.get(name);
  const account = signedIn === undefined ? undefined : accountOf(signedIn);
  if (account === undefined) throw new Error(`${name} is not signed in with an access token`);
  return account;
}

/** The person chose Sign Out in the Accounts menu. */
export async function removeAccount(services: Services, id: string): Promise<void> {
  const found = accounts(services, undefined).find((account) => account.id === id);
  const name = found?.scopes[0];
  if (name !== undefined) await storeOf(services).signOut(name);
}

function accountOf(session: ConnectionSession): vscode.AuthenticationSession | undefined {
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
