/** Sees to a sign-in before anything is confirmed, from every door alike. Pure: over an injected Ui and command. */
import type { Session, Sessions } from '../connections/types.ts';
import type { Ui } from '../ui/ui.ts';

/**
 * The session to go on with: signing in replaces it. `undefined` where the person stays signed out; nothing is sent then.
 * `signIn` asks for the credential and resolves when that is over, however it ended.
 */
export async function signedIn(
  { sessions, ui }: { readonly sessions: Pick<Sessions, 'get'>; readonly ui: Pick<Ui, 'confirm'> },
  session: Session,
  signIn: (connection: string) => PromiseLike<unknown>,
  then = 'the execution goes on to its confirmation',
): Promise<Session | undefined> {
  if (!isSignedOut(session)) return session;
  const { profile, heading } = session;
  const yes = await ui.confirm({
    message: `Not signed in to ${heading}`,
    detail: `Nothing was sent to ${profile.baseUrl}. Sign in, and ${then}.`,
    action: 'Sign In…',
  });
  if (!yes) return undefined;
  await signIn(profile.name);
  const now = sessions.get(profile.name);
  return now === undefined || isSignedOut(now) ? undefined : now;
}

export function isSignedOut({ holds, signedOutBecause }: Pick<Session, 'holds' | 'signedOutBecause'>): boolean {
  return holds.size === 0 && signedOutBecause !== undefined;
}
