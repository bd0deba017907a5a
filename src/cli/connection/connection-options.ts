/** The options by which every command finds its platform. */
import { Option, type Command } from 'commander';
import { ENVIRONMENTS, type Environment } from '../../model/session/session.ts';
import { defaultCredentialHeaderNames } from '../../platform/http/credential-headers.ts';
import { createOptionWithDefault } from '../options.ts';

/** The options as the parser returns them. */
export interface ConnectionValues {
  readonly baseUrl?: string;
  readonly connection?: string;
  readonly context?: string;
  readonly origin?: string;
  readonly name?: string;
  readonly environment?: Environment;
  readonly allowPlainHttp?: true;
  readonly apiKeyHeader?: string;
  readonly tokenHeader?: string;
  readonly tokenPrefix?: string;
  readonly labels?: string;
  readonly timeout: string;
  readonly apiKeyStdin?: true;
  readonly accessTokenStdin?: true;
  readonly verbose?: true;
  readonly har?: string;
}

/** Declares the options of the connection. */
export function addConnectionOptions(command: Command): Command {
  const { apiKeyHeader, tokenHeader, tokenPrefix } = defaultCredentialHeaderNames;
  return command
    .option('--base-url <url>', 'base URL of the API (or SMART_OBJECTS_BASE_URL)')
    .option('--connection <file>', 'JSON file with one entry of the setting smartObjects.connections')
    .option('--context <name>', 'a named connection of the command context (default: the current one)')
    .option('--origin <origin>', 'origin that the file of --connection may send the credential of the environment to')
    .option('--name <name>', 'name of this platform (default: the host of the URL)')
    .addOption(new Option('--environment <environment>', 'environment of this platform').choices(ENVIRONMENTS))
    .option(
      '--allow-plain-http',
      'allow unencrypted HTTP to another computer; anyone in between can read the credential',
    )
    .option('--api-key-header <name>', `header of the API key (default: ${apiKeyHeader})`)
    .option('--token-header <name>', `header of the access token (default: ${tokenHeader})`)
    .option('--token-prefix <text>', `prefix of the access token (default: "${tokenPrefix}")`)
    .option('--api-key-stdin', 'read the API key from standard input')
    .option('--access-token-stdin', 'read the access token from standard input')
    .option('--labels <file>', 'JSON file of labels, shown beside addresses and IDs on a terminal')
    .option('--verbose', 'print each request, with its time, on standard error')
    .option('--har <file>', 'write the last 1,000 requests to a HAR file, secrets masked')
    .addOption(createOptionWithDefault('--timeout <seconds>', 'maximum time for each response', '60'));
}
