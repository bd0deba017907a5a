import type { Session, Sessions } from '../../../model/session.ts';
import type { Ui } from '../../../ui/ui.ts';

/**
 * Offers to sign in if the session is signed out. Resolves with the session to use, which signing in replaces;
 * `undefined` if the user stays signed out. `signIn` resolves when the sign-in dialog has closed. Rejects as `signIn`
 * does.
 */
export async function ensureSignedIn(
  { sessions, ui }: { readonly sessions: Pick<Sessions, 'getIdentity'>; readonly ui: Pick<Ui, 'confirm'> },
  session: Session,
  signIn: (session: Session) => PromiseLike<unknown>,
  nextStep = 'the execution goes on to its confirmation',
): Promise<Session | undefined> {
  if (!isSignedOut(session)) return session;
  const { profile, heading } = session;
  const yes = await ui.confirm({
    message: `Not signed in to ${heading}`,
    detail: `Nothing was sent to ${profile.baseUrl}. Sign in, and ${nextStep}.`,
    confirmLabel: 'Sign In…',
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
