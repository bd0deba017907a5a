import { readIdentity } from '../../connections/credentials/identity.ts';
import { isGranted, readGrants } from '../../connections/session/permissions.ts';
import type { PlatformClient } from '../../platform/client.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';
import { executeAction } from '../../platform/resources/actions.ts';
import { OWN_ROLE } from '../../platform/resources/roles.ts';

/** Milliseconds to wait for the role: an execution does not depend on it. */
const TIMEOUT = 5000;

/**
 * Whether the role in the organization of the token may execute; `undefined` if that is not known: the token names no
 * organization, there is an API key too, or the role cannot be read. Never rejects.
 */
export async function readExecutePermission(
  client: Pick<PlatformClient, 'read'>,
  { apiKey = '', accessToken = '' }: Credential,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const organization = readIdentity(accessToken)?.organization;
  const needed = executeAction.permission;
  if (organization === undefined || apiKey !== '' || needed === undefined) return undefined;
  try {
    const timedSignal = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]);
    const { item } = await client.read('roles', [organization, OWN_ROLE], { signal: timedSignal });
    const grants = readGrants(item.raw);
    return grants === undefined ? undefined : isGranted(grants, needed.resource, needed.verb);
  } catch {
    return undefined;
  }
}

/** Returns a sentence if the role is known to lack the permission to execute. Never rejects. */
export async function findMissingPermission(
  client: Pick<PlatformClient, 'read'>,
  credential: Credential,
  signal: AbortSignal,
): Promise<string | undefined> {
  if ((await readExecutePermission(client, credential, signal)) !== false) return undefined;
  const { resource = '', verb = '' } = executeAction.permission ?? {};
  const organization = readIdentity(credential.accessToken)?.organization ?? '';
  return `Your role in ${organization} lacks the permission ${resource}: ${verb}`;
}
