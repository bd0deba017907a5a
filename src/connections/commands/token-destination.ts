/** The connection that receives issued tokens: a new or an existing one, chosen before they are requested. */
import * as l10n from '@vscode/l10n';
import { BACK } from '../../ui/ui.ts';
import { getBinding } from '../credentials/credential.ts';
import { formatEnvironment, formatIdentity } from '../../model/text/heading.ts';
import { validateConnectionName } from '../profiles/read-profiles.ts';
import { SessionChangedError } from '../session/session-changed-error.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { Profile, Session } from '../../model/session/session.ts';
import { addProfileEntry, findScopes, removeProfileEntry } from '../profiles/write-profiles.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';
import type { FormStep } from './form.ts';

export interface TokenDestination {
  name: string;
  /** the existing connection; `undefined`: a new one, created when the tokens are issued */
  session: Session | undefined;
}

/** Two form steps: the connection, and the name of a new one. Fills in `destination`. */
export function createDestinationSteps(
  store: SessionStore,
  issuer: Session,
  title: string,
  destination: TokenDestination,
): readonly FormStep[] {
  return [
    async (position) => {
      const candidates = store.all.filter(({ profile }) => profile.baseUrl === issuer.profile.baseUrl);
      const choices = [
        { label: `$(add) ${l10n.t('New Connection')}`, description: issuer.profile.baseUrl, session: undefined },
        ...candidates.map((session) => ({
          label: formatIdentity(session.profile.name, session.identityName),
          description: [
            formatEnvironment(session.profile),
            session.signedOutReason === undefined ? l10n.t('replaces its credential') : l10n.t('not signed in'),
          ].join(' · '),
          session,
        })),
      ];
      const chosen = await store.ui.pickStep(choices, {
        ...position,
        title,
        placeHolder: l10n.t('Select the connection to store the tokens for'),
      });
      if (chosen === undefined || chosen === BACK) return chosen;
      destination.session = chosen.session;
      destination.name = chosen.session?.profile.name ?? '';
      return true;
    },
    async (position) => {
      if (destination.session !== undefined) return 'skip';
      const typed = await store.ui.inputStep({
        ...position,
        title,
        value: destination.name,
        prompt: l10n.t('Name of the new connection'),
        validateInput: (text) => {
          const name = text.trim();
          if (store.get(name) !== undefined || findScopes(name).length > 0)
            return l10n.t('A connection with this name already exists');
          return validateConnectionName(name);
        },
      });
      if (typeof typed !== 'string') return typed;
      destination.name = typed.trim();
      return true;
    },
  ];
}

/** A sentence for confirmations that the credential is sent too; empty if none is. */
export function formatCredentialNotice({ profile, credentialKinds }: Session): readonly string[] {
  return profile.wallets === 'credential' && credentialKinds.size > 0
    ? [l10n.t('The credential of this connection is sent with the request.')]
    : [];
}

/** A sentence for results if VS Code could not store the issued tokens. */
export function formatTokensNotStored(): string {
  return l10n.t('VS Code could not store the tokens. They are available until this window is closed.');
}

/** A sentence for confirmations about where the tokens are stored, and what they replace. */
export function formatDestination({ name, session }: TokenDestination): string {
  const where = formatIdentity(name, session?.identityName);
  return session === undefined || session.credentialKinds.size === 0
    ? l10n.t('The tokens are stored for the connection {0}.', where)
    : l10n.t('The tokens are stored for the connection {0} and replace its credential.', where);
}

/**
 * Requests tokens for a connection that can receive them: a new one is in the settings before anything is sent, since tokens
 * are issued once, and is removed if `request` fails. Rejects as `request` does, or if the connection has changed.
 */
export async function requestForDestination<T>(
  store: SessionStore,
  issuer: Session,
  destination: TokenDestination,
  request: () => Promise<T>,
): Promise<T> {
  const { profile } = issuer;
  if (issuer.ended.aborted) throw new SessionChangedError(profile.name);
  if (destination.session !== undefined) {
    if (destination.session.ended.aborted) throw new SessionChangedError(destination.name);
    return request();
  }
  if (store.get(destination.name) !== undefined || findScopes(destination.name).length > 0)
    throw new Error(l10n.t('Another window added a connection named {0}. Nothing was sent', destination.name));
  if (profile.source === 'memory') return request();
  await addProfileEntry(createProfileEntry({ ...profile, name: destination.name }));
  try {
    return await request();
  } catch (error) {
    await removeProfileEntry(destination.name, 'user').catch(() => undefined);
    await store.reload();
    throw error;
  }
}

/**
 * Stores the tokens as the only credential of their connection; resolves with its session. `from`: the profile that
 * issued them. Rejects with SessionChangedError if the connection has changed.
 */
export async function storeIssuedTokens(
  store: SessionStore,
  issuer: Profile,
  destination: TokenDestination,
  credential: Credential,
  organization?: string,
): Promise<{ readonly session: Session; readonly stored: boolean }> {
  if (destination.session === undefined && issuer.source === 'memory') {
    // Tokens of a stopped sandbox are useless.
    if (!store.inMemoryNames.includes(issuer.name)) throw new SessionChangedError(issuer.name);
    await store.addInMemory({ ...issuer, name: destination.name }, credential);
  } else if (destination.session === undefined) await store.reload();
  const target = destination.session ?? store.get(destination.name);
  const meant = JSON.stringify(getBinding({ ...issuer, name: destination.name }));
  if (
    target === undefined ||
    (destination.session === undefined && JSON.stringify(getBinding(target.profile)) !== meant)
  )
    throw new SessionChangedError(destination.name);
  const { identityName } = target;
  const { stored } = await store.signIn(target, credential);
  const known = store
    .get(destination.name)
    ?.organizations.some(({ id, source }) => id === organization && source !== 'token');
  if (organization !== undefined && known === false) await store.setOrganization(destination.name, organization, {});
  const session = store.getIdentity(destination.name, identityName);
  if (session === undefined)
    throw new Error(l10n.t('The connection {0}, for which the tokens were stored, no longer exists', destination.name));
  return { session, stored };
}

/** Formats a profile as an entry of the settings. */
function createProfileEntry(profile: Profile): Readonly<Record<string, unknown>> {
  const {
    name,
    baseUrl,
    environment,
    organizations,
    credentialHeaderNames,
    refreshPath,
    wallets,
    links,
    queryFormat,
    pageSize,
  } = profile;
  return {
    name,
    baseUrl,
    ...(environment !== undefined && { environment }),
    ...(organizations.length > 0 && {
      organizations: organizations.map(({ id, label }) => (label === undefined ? id : { id, label })),
    }),
    auth: {
      ...credentialHeaderNames,
      ...(refreshPath !== undefined && { refreshPath }),
      ...(wallets !== undefined && { wallets }),
    },
    ...(Object.keys(links).length > 0 && { links }),
    query: queryFormat,
    ...(pageSize !== undefined && { pageSize }),
  };
}
