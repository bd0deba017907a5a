/** Opens the connection of a command: its profile, credential and client. */
import type { Readable } from 'node:stream';
import { createTransport } from '../../platform/http/undici-transport.ts';
import type { Transport } from '../../platform/http/transport.ts';
import { PlatformClient } from '../../platform/client.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';
import type { Profile } from '../../model/session.ts';
import { parseSeconds } from '../options.ts';
import { UsageError } from '../usage-error.ts';
import { readConnectionProfile, type ConnectionValues } from './connection-options.ts';

export interface Connection {
  readonly profile: Profile;
  readonly credential: Credential;
  readonly client: PlatformClient;
  readonly transport: Transport;
  /** milliseconds to wait for each answer */
  readonly timeout: number;
  /** values that are masked in responses and errors; a run adds those of its variables */
  readonly secrets: string[];
  close(): Promise<void>;
}

export interface ConnectionInput {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
}

/** Longest credential, in characters. */
const MAX_CREDENTIAL = 65_536;

/** Opens the connection that the options describe. Sends nothing. Rejects with UsageError. */
export async function openConnection(values: ConnectionValues, input: ConnectionInput): Promise<Connection> {
  const profile = await readConnectionProfile(values, input.environment, input.cwd);
  const timeout = parseSeconds('--timeout', values.timeout);
  const credential = await readCredential(values, input);
  const secrets = Object.values(credential).filter((secret) => typeof secret === 'string');
  const transport = createTransport({ environment: input.environment });
  const { name, baseUrl, credentialHeaderNames, queryFormat, pageSize } = profile;
  const client = new PlatformClient({
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
  });
  return { profile, credential, client, transport, timeout, secrets, close: () => transport.close() };
}

/** The credential of the environment, with what standard input replaces. Rejects with UsageError. */
async function readCredential(values: ConnectionValues, { environment, stdin }: ConnectionInput): Promise<Credential> {
  const fromInput = values.apiKeyStdin === true || values.accessTokenStdin === true;
  if (values.apiKeyStdin === true && values.accessTokenStdin === true)
    throw new UsageError(
      '--api-key-stdin and --access-token-stdin exclude each other: standard input holds one of them',
    );
  const secret = fromInput ? await readSecret(stdin) : undefined;
  const apiKey = values.apiKeyStdin === true ? secret : environment['SMART_OBJECTS_API_KEY'];
  const accessToken = values.accessTokenStdin === true ? secret : environment['SMART_OBJECTS_ACCESS_TOKEN'];
  return {
    ...(apiKey !== undefined && apiKey !== '' && { apiKey }),
    ...(accessToken !== undefined && accessToken !== '' && { accessToken }),
  };
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
    throw new UsageError('Standard input holds no credential: one line without spaces is expected');
  return secret;
}
