/** Opens the connection of a command: its profile, credential and client. */
import path from 'node:path';
import type { Readable } from 'node:stream';
import { createTransport } from '../../platform/http/undici-transport.ts';
import type { Transport } from '../../platform/http/transport.ts';
import { PlatformClient, type ClientOptions } from '../../platform/client.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';
import type { Labels } from '../../model/text/labels.ts';
import { markProduction } from '../../model/session/production.ts';
import { DEFAULT_IDENTITY, type Profile } from '../../model/session/session.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import { replaceFile, requireReplaceable } from '../../model/files/write-file.ts';
import { maskText } from '../../platform/json/secrets.ts';
import { formatHar } from '../../model/requests/har.ts';
import { RequestHistory } from '../../model/requests/request-history.ts';
import { redactText } from '../../actions/run/redact-variables.ts';
import { formatRequest } from '../../connections/session/request-log.ts';
import { parseSeconds } from '../options.ts';
import { UsageError } from '../usage-error.ts';
import { getCredentialVariables, readCredentialVariables } from './credential-variables.ts';
import { readKeyring } from './keyring.ts';
import { readLabelsFile } from './labels-file.ts';
import { findContext, readContextProfiles, readContexts } from './contexts.ts';
import type { ConnectionValues } from './connection-options.ts';
import { readConnectionProfile } from './read-connection.ts';

export interface Connection {
  readonly profile: Profile;
  /** name of the identity that the files call it by; absent for the default one */
  readonly identity?: string;
  readonly credential: Credential;
  /** that the credential is read from */
  readonly variables: ReturnType<typeof getCredentialVariables>;
  readonly client: PlatformClient;
  readonly transport: Transport;
  /** of `--labels` */
  readonly labels: Pick<Labels, 'get' | 'all'>;
  /** milliseconds to wait for each response */
  readonly timeout: number;
  /** values that are masked in responses and errors; a run adds those of its variables */
  readonly secrets: string[];
  /** The connection as another identity, with its credential of the environment. Throws Error if there is none. */
  withIdentity(name: string): Connection;
  close(): Promise<void>;
}

export interface ConnectionInput {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** in the names of the variables of the credential; default: the context */
  readonly credentialName?: string;
  /** of the program */
  readonly version?: string;
  /** prints one line on standard error */
  readonly printError: (line: string) => void;
  /** see `ClientOptions`, with the name of the connection */
  readonly observe?: (connection: string, ...call: Parameters<NonNullable<ClientOptions['observe']>>) => void;
}

/** Longest credential, in characters. */
const MAX_CREDENTIAL = 65_536;

/** True if the options or the environment name a platform. */
export function hasConnection(
  values: ConnectionValues,
  { environment }: Pick<ConnectionInput, 'environment'>,
): boolean {
  const { baseUrl = '', connection = '' } = values;
  const named = baseUrl + connection + (environment['SMART_OBJECTS_BASE_URL'] ?? '');
  return named !== '' || findContext(values, environment) !== undefined;
}

/**
 * Opens the connection that the options describe. `maxConcurrent`: requests with an effect that may be sent at once. Sends
 * nothing. Rejects with UsageError.
 */
export async function openConnection(
  values: ConnectionValues,
  input: ConnectionInput,
  maxConcurrent?: number,
): Promise<Connection> {
  const named = await readConnectionProfile(values, input.environment, input.cwd);
  const profile = markProduction(named, readContextProfiles(input.environment));
  const timeout = parseSeconds('--timeout', values.timeout);
  const labels = await readLabelsFile(values.labels, input.cwd);
  const harFile = values.har === undefined ? undefined : await requireHarFile(values.har, input.cwd);
  const credentialName = input.credentialName ?? findContext(values, input.environment)?.name;
  const credential = await readCredential(values, input, credentialName);
  const secrets = Object.values(credential).filter((secret) => typeof secret === 'string');
  const transport = createTransport(
    { environment: input.environment },
    maxConcurrent === undefined ? {} : { connections: Math.max(8, maxConcurrent) },
  );
  const requests = new RequestHistory();
  const { name, baseUrl, credentialHeaderNames, queryFormat, pageSize } = profile;
  const createClient = (credential: Credential): PlatformClient =>
    new PlatformClient({
      target: {
        name,
        baseUrl,
        credentialHeaderNames,
        queryFormat,
        ...(pageSize !== undefined && { pageSize }),
      },
      transport,
      timeouts: { connect: Math.min(timeout, 30_000), headers: timeout, body: timeout },
      credential: () => Promise.resolve(credential),
      secrets: () => secrets,
      ...(input.observe && { observe: input.observe.bind(undefined, name) }),
      record: (record) => {
        if (values.verbose === true) input.printError(redactText(formatRequest(name, record), secrets));
        if (harFile !== undefined) requests.add(record.getTrace());
      },
      ...(maxConcurrent !== undefined && { maxConcurrent: Math.max(6, maxConcurrent) }),
    });
  const identities = new Map<string, Connection>();
  const withIdentity = (identity: string): Connection => {
    const found = identities.get(identity);
    if (found !== undefined) return found;
    const others = readContexts(input.environment).connections.map((one) => one.name);
    const own = readIdentityCredential(input.environment, identity, [...identities.keys(), ...others]);
    secrets.push(...Object.values(own).filter((secret) => typeof secret === 'string'));
    const variables = getCredentialVariables(identity);
    const opened = { ...connection, identity, credential: own, variables, client: createClient(own) };
    identities.set(identity, opened);
    return opened;
  };
  const connection: Connection = {
    profile,
    credential,
    variables: getCredentialVariables(credentialName),
    client: createClient(credential),
    transport,
    labels,
    timeout,
    secrets,
    withIdentity: (identity) => (identity === DEFAULT_IDENTITY ? connection : withIdentity(identity)),
    close: async () => {
      await transport.close();
      if (harFile === undefined) return;
      const traces = requests.requests.map(({ trace }) => trace);
      // Some secrets became known after the first requests.
      await replaceFile(harFile, maskText(formatHar(traces, input.version ?? 'unknown'), secrets));
    },
  };
  return connection;
}

/** Resolves to the path of the file. Rejects with UsageError if it can't be written. */
async function requireHarFile(file: string, cwd: string): Promise<string> {
  const resolved = path.resolve(cwd, file);
  await requireReplaceable(resolved).catch((error: unknown) => {
    throw new UsageError(`The HAR file ${file} cannot be written: ${getErrorMessage(error)}`);
  });
  return resolved;
}

/** Throws Error if the environment has no credential, or the same one for another name: `others` are identities and contexts. */
function readIdentityCredential(
  environment: ConnectionInput['environment'],
  identity: string,
  others: readonly string[],
): Credential {
  const { apiKey, accessToken } = getCredentialVariables(identity);
  const same = others.find((other) => getCredentialVariables(other).apiKey === apiKey);
  if (same !== undefined)
    throw new Error(`the identity ${identity} has the same variable ${apiKey} as ${same}: rename one of them`);
  const credential = readCredentialVariables(environment, identity);
  if (Object.keys(credential).length === 0)
    throw new Error(`the identity ${identity} has no credential: set ${apiKey} or ${accessToken}`);
  return credential;
}

/** The credential of the environment or the keyring, with what standard input replaces. Rejects with UsageError. */
async function readCredential(
  values: ConnectionValues,
  { environment, stdin }: ConnectionInput,
  name: string | undefined,
): Promise<Credential> {
  const given = await readInputCredential(values, stdin);
  const context = findContext(values, environment);
  // The credential of one context never reaches the platform of another.
  const own = { ...readCredentialVariables(environment, name), ...given };
  return context === undefined || Object.keys(own).length > 0 ? own : readKeyring(context, environment);
}

/** The credential on standard input; empty without an option for it. Rejects with UsageError. */
export async function readInputCredential(
  { apiKeyStdin, accessTokenStdin }: ConnectionValues,
  stdin: ConnectionInput['stdin'],
): Promise<Credential> {
  if (apiKeyStdin === true && accessTokenStdin === true)
    throw new UsageError(
      '--api-key-stdin and --access-token-stdin cannot be used together: standard input can contain only one of them',
    );
  if (apiKeyStdin === true) return { apiKey: await readSecret(stdin) };
  return accessTokenStdin === true ? { accessToken: await readSecret(stdin) } : {};
}

async function readSecret(stdin: ConnectionInput['stdin']): Promise<string> {
  if (stdin.isTTY === true)
    throw new UsageError(
      'Standard input is a terminal, which would show the credential: pipe it in from a file or a program',
    );
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MAX_CREDENTIAL) throw new UsageError('Standard input is too long for a credential');
  }
  const secret = text.trim();
  if (secret === '' || !/^[\x21-\x7e]+$/.test(secret))
    throw new UsageError('Standard input contains no credential: one line without spaces is expected');
  return secret;
}
