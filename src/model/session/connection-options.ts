import { defaultCredentialHeaderNames } from '../../platform/http/credential-headers.ts';
import type { Profile } from './session.ts';

/** The options of the program that lead to a connection, without its credential. */
export function formatConnectionOptions(
  target: Partial<Pick<Profile, 'name' | 'baseUrl' | 'environment' | 'credentialHeaderNames'>>,
): readonly string[] {
  const { name, baseUrl, environment, credentialHeaderNames = defaultCredentialHeaderNames } = target;
  const { apiKeyHeader, tokenHeader, tokenPrefix } = credentialHeaderNames;
  const options: readonly (readonly [string, string | undefined])[] = [
    ['--base-url', baseUrl ?? 'https://…'],
    ['--name', name],
    ['--environment', environment],
    ['--api-key-header', apiKeyHeader === defaultCredentialHeaderNames.apiKeyHeader ? undefined : apiKeyHeader],
    ['--token-header', tokenHeader === defaultCredentialHeaderNames.tokenHeader ? undefined : tokenHeader],
    ['--token-prefix', tokenPrefix === defaultCredentialHeaderNames.tokenPrefix ? undefined : tokenPrefix],
  ];
  return options.flatMap(([option, value]) => {
    if (value === undefined) return [];
    // PowerShell drops an empty argument; one with a dash is parsed as an option.
    return value === '' || value.startsWith('-') ? [`${option}=${value}`] : [option, value];
  });
}
