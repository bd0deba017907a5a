/** The profile of the platform that a command line describes. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { parse as parseJsonWithComments, type ParseError } from 'jsonc-parser';
import { readProfile } from '../../connections/profiles/read-profiles.ts';
import { parseBaseUrl } from '../../connections/profiles/base-url.ts';
import type { Profile } from '../../model/session/session.ts';
import { isLoopback } from '../../platform/http/proxy.ts';
import { defaultCredentialHeaderNames } from '../../platform/http/credential-headers.ts';
import { defaultQueryFormat } from '../../platform/target.ts';
import type { ConnectionValues } from './connection-options.ts';
import { findContext } from './contexts.ts';
import { UsageError } from '../usage-error.ts';

type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

const MAX_FILE_BYTES = 1024 * 1024;
/** Headers that a connection file may choose for a credential. */
const FILE_HEADERS = [
  ...['authorization', 'x-authorization', 'x-api-key', 'api-key', 'apikey', 'x-api-token', 'x-auth-token'],
  ...['x-access-token', 'x-token'],
];
/** Variables whose values are sent to the platform. */
const CREDENTIAL_VARIABLE = /^SMART_OBJECTS_(?:API_KEY|ACCESS_TOKEN|SECRET_)/;
/** Options whose values are those of the connection file, if there is one. */
const FILE_OPTIONS = ['baseUrl', 'name', 'environment', 'apiKeyHeader', 'tokenHeader', 'tokenPrefix'] as const;

/** The profile that the options describe. `cwd`: the working folder. Rejects with UsageError. */
export async function readConnectionProfile(
  values: ConnectionValues,
  environment: ProcessEnvironment,
  cwd: string,
): Promise<Profile> {
  const { connection } = values;
  const context = findContext(values, environment);
  if (context !== undefined) refuseFileOptions(values, 'context');
  const profile =
    context !== undefined
      ? parseEntry(context, `Context ${context.name}`)
      : connection === undefined
        ? createProfile(values, environment)
        : await readConnectionFile(values, connection, cwd);
  if (connection !== undefined) requireKnownOrigin(connection, profile, values, environment);
  const { protocol, hostname, host, origin } = new URL(profile.baseUrl);
  if (values.origin !== undefined && values.origin.replace(/\/$/, '') !== origin)
    throw new UsageError(`--origin is ${values.origin}, but ${profile.name} is ${origin}`);
  if (protocol === 'http:' && !isLoopback(hostname) && values.allowPlainHttp !== true)
    throw new UsageError(
      `--base-url sends to ${host} over unencrypted HTTP, where anyone in between can read the credential: use https, or specify --allow-plain-http`,
    );
  return profile;
}

function createProfile(values: ConnectionValues, environment: ProcessEnvironment): Profile {
  const text = values.baseUrl ?? environment['SMART_OBJECTS_BASE_URL'];
  if (text === undefined || text === '')
    throw new UsageError(
      '--base-url is missing: specify the base URL of the API, --connection with a file, or --context',
    );
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new UsageError('--base-url is not an http(s) URL');
  if (url.username !== '' || url.password !== '') throw new UsageError('--base-url must not contain a credential');
  const address = parseBaseUrl(text.trim());
  if (!address.ok) throw new UsageError(`--base-url: ${address.reason}`);
  return {
    name: values.name ?? url.host,
    baseUrl: address.url,
    ...(values.environment !== undefined && { environment: values.environment }),
    organizations: [],
    credentialHeaderNames: {
      apiKeyHeader: values.apiKeyHeader ?? defaultCredentialHeaderNames.apiKeyHeader,
      tokenHeader: values.tokenHeader ?? defaultCredentialHeaderNames.tokenHeader,
      tokenPrefix: values.tokenPrefix ?? defaultCredentialHeaderNames.tokenPrefix,
    },
    links: {},
    queryFormat: defaultQueryFormat,
    source: 'memory',
  };
}

async function readConnectionFile(values: ConnectionValues, name: string, cwd: string): Promise<Profile> {
  refuseFileOptions(values, 'connection');
  const file = path.resolve(cwd, name);
  const stat = await fs.stat(file).catch(() => undefined);
  if (stat?.isFile() !== true) throw new UsageError(`--connection: file ${name} was not found`);
  if (stat.size > MAX_FILE_BYTES) throw new UsageError(`--connection: ${name} is larger than 1 MB`);
  const errors: ParseError[] = [];
  const entry: unknown = parseJsonWithComments(await fs.readFile(file, 'utf8'), errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new UsageError(`--connection: ${name} is not JSON`);
  const profile = parseEntry(entry, `--connection: ${name}`);
  const { tokenHeader, apiKeyHeader } = profile.credentialHeaderNames;
  const wrongHeader = [tokenHeader, apiKeyHeader].find((header) => !FILE_HEADERS.includes(header.toLowerCase()));
  if (wrongHeader !== undefined)
    throw new UsageError(
      `--connection: ${name} sends a credential in the header ${wrongHeader}; a file can choose ${FILE_HEADERS.join(', ')}`,
    );
  return profile;
}

/** The profile of an entry of the setting; `place` begins the message. Throws UsageError if it is not valid. */
export function parseEntry(entry: unknown, place: string): Profile {
  const result = readProfile(entry, 'user');
  if ('problem' in result) throw new UsageError(`${place} is not a connection: ${result.problem}`);
  // A misspelt `environment` would let production pass for something else.
  if (result.unknown.length > 0)
    throw new UsageError(
      `${place} has unknown fields (${result.unknown.join(', ')}); credentials come from the environment or standard input`,
    );
  return result.profile;
}

/** Throws UsageError for an option whose value is that of the file or context. */
function refuseFileOptions(values: ConnectionValues, place: 'connection' | 'context'): void {
  const options = place === 'context' ? (['connection', ...FILE_OPTIONS] as const) : FILE_OPTIONS;
  const doubled = options.find((option) => values[option] !== undefined);
  if (doubled !== undefined)
    throw new UsageError(
      `--${place} and ${formatOption(doubled)} cannot be used together: change the ${place === 'context' ? place : 'file'} instead`,
    );
}

/**
 * A file can come from a repository: a credential of the environment is sent only to the origin that stands beside it.
 * Throws UsageError.
 */
function requireKnownOrigin(
  name: string,
  { baseUrl }: Profile,
  values: ConnectionValues,
  environment: ProcessEnvironment,
): void {
  const { origin } = new URL(baseUrl);
  const variable = Object.keys(environment).find((key) => CREDENTIAL_VARIABLE.test(key) && environment[key] !== '');
  const known = environment['SMART_OBJECTS_BASE_URL'] ?? '';
  if (variable === undefined || values.origin !== undefined) return;
  if (URL.canParse(known) && new URL(known).origin === origin) return;
  const beside = URL.canParse(known)
    ? `SMART_OBJECTS_BASE_URL is ${new URL(known).origin}`
    : 'SMART_OBJECTS_BASE_URL is not set';
  throw new UsageError(
    `--connection: ${name} would send ${variable} to ${origin}, but ${beside}: specify --origin ${origin} if that is intended`,
  );
}

function formatOption(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
