import type { ToolSession } from '../../agents/tool.ts';
import { getCredentialKinds } from '../../connections/credentials/credential.ts';
import { readIdentity } from '../../connections/credentials/identity.ts';
import { executeAction } from '../../platform/resources/actions.ts';
import { readExecutePermission } from '../run/execute-permission.ts';
import type { Connection } from './open-connection.ts';

/** The connection of a command as the session of its tools. `ended`: aborted when the command ends. */
export function createToolSession(
  { profile, client, credential, identity }: Pick<Connection, 'profile' | 'client' | 'credential' | 'identity'>,
  ended: AbortSignal,
): ToolSession {
  let mayExecute: boolean | undefined;
  return {
    client,
    profile,
    organizations: profile.organizations,
    signedOutReason: Object.keys(credential).length === 0 ? 'No credential was provided' : undefined,
    objectStates: { get: () => undefined },
    credentialKinds: getCredentialKinds(credential),
    identity: readIdentity(credential.accessToken),
    identityName: identity,
    issuedResources: new Map(),
    ended,
    hasPermission: (resource, verb) =>
      resource === executeAction.permission?.resource && verb === executeAction.permission.verb
        ? mayExecute
        : undefined,
    loadPermissions: async (signal = ended) => {
      mayExecute = await readExecutePermission(client, credential, signal);
    },
  };
}
