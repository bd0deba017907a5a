import type { Profile } from '../../model/session/session.ts';
import { formatConnectionOptions } from '../../model/session/connection-options.ts';
import { formatCommandLine, defaultShell } from '../../model/text/shell.ts';

type Target = Pick<Profile, 'name' | 'baseUrl' | 'environment' | 'credentialHeaderNames'>;

/**
 * The command that runs a file in a terminal, without the credential. `cli`: path of the runner; `file`: path relative
 * to the folder of the terminal. Throws for a name that the shell cannot pass on.
 */
export function formatRunnerCommand(cli: string, file: string, target?: Target, shell = defaultShell): string {
  return formatCommandLine(
    ['node', cli, 'run', file.startsWith('-') ? `./${file}` : file, ...formatConnectionOptions(target ?? {})],
    shell,
  );
}
