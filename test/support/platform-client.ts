/** A client for a test server. */
import type { Profile } from '../../src/model/session/session.ts';
import { PlatformClient, type ClientOptions } from '../../src/platform/client.ts';
import { defaultCredentialHeaderNames } from '../../src/platform/http/credential-headers.ts';
import type { Transport } from '../../src/platform/http/transport.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';
import { defaultQueryFormat, type Target } from '../../src/platform/target.ts';
import { Servers, type LocalServer } from './http/servers.ts';

/** A target named “Test” with the default headers. */
export function createTestTarget(baseUrl: string): Target {
  return {
    name: 'Test',
    baseUrl,
    credentialHeaderNames: defaultCredentialHeaderNames,
    queryFormat: defaultQueryFormat,
  };
}

/** A connection to it in the user's settings. */
export function createTestProfile(baseUrl: string): Profile {
  return { ...createTestTarget(baseUrl), organizations: [], links: {}, source: 'user' };
}

/** By default it sends the API key `key` and waits 10 s for an answer. */
export function createTestClient(
  baseUrl: string,
  transport: Transport,
  options: Partial<ClientOptions> = {},
): PlatformClient {
  return new PlatformClient({
    target: createTestTarget(baseUrl),
    transport,
    timeouts: { connect: 5000, headers: 10_000, body: 10_000 },
    credential: () => Promise.resolve({ apiKey: 'key' }),
    ...options,
  });
}

export interface ServersFixture {
  readonly servers: Servers;
  readonly transport: Transport;
  readonly createClient: (server: Pick<LocalServer, 'origin'>, options?: Partial<ClientOptions>) => PlatformClient;
}

/** Servers and a transport for the tests of a suite, which are closed after each test. */
export function useServers(): ServersFixture {
  const servers = new Servers();
  let current = createTransport({ environment: {} });
  const transport: Transport = { send: (request) => current.send(request), close: () => current.close() };
  setup(() => {
    current = createTransport({ environment: {} });
  });
  teardown(async () => {
    await current.close();
    servers.close();
  });
  return {
    servers,
    transport,
    createClient: ({ origin }, options) => createTestClient(origin, transport, options),
  };
}
