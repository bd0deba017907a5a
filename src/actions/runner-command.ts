/** A file and a connection as a command of the terminal runner. No vscode; the credential stays outside. */
import type { Profile } from '../connections/types.ts';
import { commandLine, platformShell } from '../platform/shell.ts';
import { defaultPresentation } from '../platform/target.ts';

type Target = Pick<Profile, 'name' | 'baseUrl' | 'environment' | 'presentation'>;

/** `cli`: path of the runner; `file`: as the terminal finds it. Throws where the shell cannot pass a name on. */
export function runnerCommand(cli: string, file: string, target?: Target, shell = platformShell): string {
  const { name, baseUrl, environment, presentation = defaultPresentation } = target ?? {};
  const { apiKeyHeader, tokenHeader, tokenPrefix } = presentation;
  const options: readonly (readonly [string, string | undefined])[] = [
    ['--base-url', baseUrl ?? 'https://…'],
    ['--name', name],
    ['--environment', environment],
    ['--api-key-header', apiKeyHeader === defaultPresentation.apiKeyHeader ? undefined : apiKeyHeader],
    ['--token-header', tokenHeader === defaultPresentation.tokenHeader ? undefined : tokenHeader],
    ['--token-prefix', tokenPrefix === defaultPresentation.tokenPrefix ? undefined : tokenPrefix],
  ];
  const words = options.flatMap(([option, value]) => {
    if (value === undefined) return [];
    // An empty word is lost on its way from PowerShell, and one with a dash would be taken for an option.
    return value === '' || value.startsWith('-') ? [`${option}=${value}`] : [option, value];
  });
  return commandLine(['node', cli, file.startsWith('-') ? `./${file}` : file, ...words], shell);
}
