/** Whether a change of settings or credential continues a session or starts another. */
import { NOT_SIGNED_IN } from '../../model/text/heading.ts';
import type { Profile, Session } from '../../model/session/session.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';
import { getBinding } from '../credentials/credential.ts';
import { readIdentity } from '../credentials/identity.ts';

/** Whether a session can continue with the changed profile; a change of the credential's binding ends it. */
export function canContinueSession(one: Profile, other: Profile): boolean {
  const format = (profile: Profile): string =>
    JSON.stringify([getBinding(profile), profile.queryFormat, profile.pageSize]);
  return format(one) === format(other);
}

/** Same subject, organization and API key: a renewal, not another identity. */
export function isSameIdentity(one: Credential | undefined, other: Credential | undefined): boolean {
  if (one === undefined || other === undefined || one.apiKey !== other.apiKey) return false;
  const [before, after] = [readIdentity(one.accessToken), readIdentity(other.accessToken)];
  return (
    before?.subject !== undefined &&
    before.subject === after?.subject &&
    before.organization === after.organization &&
    before.fqdn === after.fqdn
  );
}

/** Whether the next session of an identity is signed out, or signed in as another than `previous` was. */
export function isOtherIdentity(
  previous: Credential,
  next:
    { readonly credential: Credential | undefined; readonly signedOutReason: Session['signedOutReason'] } | undefined,
): boolean {
  const now = next?.credential;
  // An unreadable store is not a sign-out, and another address is not another identity.
  if (now === undefined) return next?.signedOutReason === NOT_SIGNED_IN;
  return JSON.stringify(now) !== JSON.stringify(previous) && !isSameIdentity(previous, now);
}
