/** The environment variables that credentials come from. */
import { DEFAULT_IDENTITY } from '../../model/session/session.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';

/** The names of the variables with the credential of an identity: `SMART_OBJECTS_API_KEY_BUYER` for `buyer`. */
export function getCredentialVariables(
  identity = DEFAULT_IDENTITY,
): Readonly<Record<'apiKey' | 'accessToken', string>> {
  const suffix = identity === DEFAULT_IDENTITY ? '' : `_${identity.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
  return { apiKey: `SMART_OBJECTS_API_KEY${suffix}`, accessToken: `SMART_OBJECTS_ACCESS_TOKEN${suffix}` };
}

/** Reads the credential of an identity; empty if no variable is set. */
export function readCredentialVariables(
  environment: Readonly<Record<string, string | undefined>>,
  identity?: string,
): Credential {
  const variables = getCredentialVariables(identity);
  const apiKey = environment[variables.apiKey] ?? '';
  const accessToken = environment[variables.accessToken] ?? '';
  return { ...(apiKey !== '' && { apiKey }), ...(accessToken !== '' && { accessToken }) };
}
