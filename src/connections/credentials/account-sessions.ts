/**
 * Sessions of the authentication provider: one for each identity that is signed in. Other extensions obtain sessions by
 * scopes, and only those with an access token; API keys are never exposed.
 */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { formatIdentity } from '../../model/text/heading.ts';
import { DEFAULT_IDENTITY } from '../../model/session/session.ts';
import type { ConnectionSession } from '../session/connection-session.ts';
import type { SessionStore } from '../session/session-store.ts';
import { requireSession } from '../../model/session/require-session.ts';
import { formatPair } from '../../platform/text/localization.ts';

type AccountStore = Pick<SessionStore, 'all' | 'get' | 'getIdentities' | 'getIdentity' | 'signOut'>;

/** The accounts of all connections, as VS Code and other extensions see them. */
export class Accounts {
  readonly #store: AccountStore;
  readonly #signIn: (session: ConnectionSession) => Promise<unknown>;

  /** `signIn`: prompts for a credential of the session's identity; resolves also if the user cancels. */
  constructor(store: AccountStore, signIn: (session: ConnectionSession) => Promise<unknown>) {
    this.#store = store;
    this.#signIn = signIn;
  }

  /**
   * Lists the sessions that another extension may obtain: those with an access token, for no scopes or the connection's
   * name as the only scope. Without `scopes`, as VS Code lists accounts, those signed in by API key are included, without a
   * token.
   */
  list(scopes: readonly string[] | undefined): vscode.AuthenticationSession[] {
    return this.#sessions
      .filter(
        ({ profile: { name } }) =>
          scopes === undefined || scopes.length === 0 || (scopes.length === 1 && scopes[0] === name),
      )
      .flatMap(
        (session) => createTokenAccount(session) ?? (scopes === undefined ? (createApiKeyAccount(session) ?? []) : []),
      );
  }

  /**
   * Signs in for another extension or the Accounts menu; VS Code has obtained consent. `accountId`: the identity, by
   * default the current one. Rejects with an Error if no token results.
   */
  async create(scopes: readonly string[], accountId?: string): Promise<vscode.AuthenticationSession> {
    const [name] = scopes;
    if (name === undefined || scopes.length !== 1) throw new Error(l10n.t('Use one scope: the name of a connection'));
    const requested = this.#store.getIdentities(name).find((session) => formatAccountId(session) === accountId);
    const session = requested ?? requireSession(this.#store, name);
    const now = createTokenAccount(session);
    if (now !== undefined && !session.expired) return now;
    await this.#signIn(session);
    const signedIn = this.#store.getIdentity(name, session.identityKey);
    const account = signedIn === undefined ? undefined : createTokenAccount(signedIn);
    if (account === undefined) throw new Error(l10n.t('{0} is not signed in with an access token', name));
    return account;
  }

  /** Signs out from the Accounts menu. Rejects if the secret store fails. */
  async remove(id: string): Promise<void> {
    const found = this.#sessions.find((session) => formatAccountId(session) === id);
    if (found !== undefined) await this.#store.signOut(found.profile.name, [found.identityKey]);
  }

  get #sessions(): readonly ConnectionSession[] {
    return this.#store.all.flatMap(({ profile }) => this.#store.getIdentities(profile.name));
  }
}

/** That of the default identity is as in earlier versions. */
function formatAccountId({ profile: { name }, identity, identityKey }: ConnectionSession): string {
  const id = `${name}/${identity?.subject ?? ''}`;
  return identityKey === DEFAULT_IDENTITY ? id : `${id}/${identityKey}`;
}

function createTokenAccount(session: ConnectionSession): vscode.AuthenticationSession | undefined {
  const accessToken = session.credential?.accessToken;
  if (accessToken === undefined) return undefined;
  const { name } = session.profile;
  const subject = session.identity?.subject;
  const label = formatIdentity(name, session.identityName);
  const id = formatAccountId(session);
  return {
    id,
    accessToken,
    account: { id, label: subject === undefined ? label : formatPair(label, subject.slice(0, 60)) },
    scopes: [name],
  };
}

/** For the Accounts menu only, which shows the label and offers Sign Out; its token is empty. */
function createApiKeyAccount(session: ConnectionSession): vscode.AuthenticationSession | undefined {
  if (!session.credentialKinds.has('apiKey')) return undefined;
  const { name } = session.profile;
  const id = formatAccountId(session);
  const label = l10n.t('{0}: API key', formatIdentity(name, session.identityName));
  return { id, accessToken: '', account: { id, label }, scopes: [name] };
}
