/** What the role behind the credential is known to lack, read before anything is sent. */
import { identityOf } from '../connections/identity.ts';
import { granted, grantsOf } from '../connections/permissions.ts';
import type { PlatformClient } from '../platform/client.ts';
import { executeAction } from '../platform/resources/actions.ts';

/** Longest wait, in milliseconds: an execution does not depend on it. */
const PATIENCE = 5000;

export interface Credentials {
  readonly apiKey?: string | undefined;
  readonly accessToken?: string | undefined;
}

/**
 * A sentence where the role in the token's organization lacks the permission to execute; `undefined` where it has it or
 * nothing is known: the token names no organization, an API key beside it may grant more, or the role cannot be read.
 */
export async function deniedExecution(
  client: Pick<PlatformClient, 'read'>,
  { apiKey = '', accessToken = '' }: Credentials,
  signal: AbortSignal,
): Promise<string | undefined> {
  const organization = identityOf(accessToken)?.organization;
  const needed = executeAction.permission;
  if (organization === undefined || apiKey !== '' || needed === undefined) return undefined;
  try {
    const patient = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);
    const { item } = await client.read('roles', [organization, 'myrole'], { signal: patient });
    const grants = grantsOf(item.view);
    if (grants === undefined || granted(grants, needed.resource, needed.verb) !== false) return undefined;
    return `Your role in ${organization} lacks the permission ${needed.resource}: ${needed.verb}`;
  } catch {
    return undefined;
  }
}
