import * as l10n from '@vscode/l10n';
import type { Session, Sessions } from '../../../model/session/session.ts';
import type { Ui } from '../../../ui/ui.ts';

/**
 * Offers to sign in if the session is signed out. Resolves with the session to use, which signing in replaces;
 * `undefined` if the user stays signed out. `signIn` resolves when the sign-in dialog has closed. `purpose`: a sentence
 * that says what signing in is for. Rejects as `signIn` does.
 */
export async function ensureSignedIn(
  { sessions, ui }: { readonly sessions: Pick<Sessions, 'getIdentity'>; readonly ui: Pick<Ui, 'confirm'> },
  session: Session,
  signIn: (session: Session) => PromiseLike<unknown>,
  purpose = l10n.t('Sign in to continue to the confirmation.'),
): Promise<Session | undefined> {
  if (!isSignedOut(session)) return session;
  const { profile, heading } = session;
  const yes = await ui.confirm({
    message: l10n.t('Not signed in to {0}', heading),
    detail: `${l10n.t('Nothing was sent to {0}.', profile.baseUrl)} ${purpose}`,
    confirmLabel: l10n.t('Sign In…'),
  });
  if (!yes) return undefined;
  await signIn(session);
  const now = sessions.getIdentity(profile.name, session.identityName);
  return now === undefined || isSignedOut(now) ? undefined : now;
}

/** True if the session has no credential and needs one. */
export function isSignedOut({
  credentialKinds,
  signedOutReason,
}: Pick<Session, 'credentialKinds' | 'signedOutReason'>): boolean {
  return credentialKinds.size === 0 && signedOutReason !== undefined;
}
