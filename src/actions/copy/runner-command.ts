import type { Profile } from '../../model/session.ts';
import { formatCommandLine, defaultShell } from '../../model/shell.ts';
import { defaultCredentialHeaderNames } from '../../platform/http/credential-headers.ts';

type Target = Pick<Profile, 'name' | 'baseUrl' | 'environment' | 'credentialHeaderNames'>;

/**
 * The command that runs a file in a terminal, without the credential. `cli`: path of the runner; `file`: path relative
 * to the folder of the terminal. Throws for a name that the shell cannot pass on.
 */
export function formatRunnerCommand(cli: string, file: string, target?: Target, shell = defaultShell): string {
  const { name, baseUrl, environment, credentialHeaderNames = defaultCredentialHeaderNames } = target ?? {};
  const { apiKeyHeader, tokenHeader, tokenPrefix } = credentialHeaderNames;
  const options: readonly (readonly [string, string | undefined])[] = [
    ['--base-url', baseUrl ?? 'https://…'],
    ['--name', name],
    ['--environment', environment],
    ['--api-key-header', apiKeyHeader === defaultCredentialHeaderNames.apiKeyHeader ? undefined : apiKeyHeader],
    ['--token-header', tokenHeader === defaultCredentialHeaderNames.tokenHeader ? undefined : tokenHeader],
    ['--token-prefix', tokenPrefix === defaultCredentialHeaderNames.tokenPrefix ? undefined : tokenPrefix],
  ];
  const flags = options.flatMap(([option, value]) => {
    if (value === undefined) return [];
    // PowerShell drops an empty argument; one with a dash is parsed as an option.
    return value === '' || value.startsWith('-') ? [`${option}=${value}`] : [option, value];
  });
  return formatCommandLine(['node', cli, file.startsWith('-') ? `./${file}` : file, ...flags], shell);
}
