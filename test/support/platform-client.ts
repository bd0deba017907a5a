/** A client for a test server. */
import assert from 'node:assert/strict';
import type { Profile } from '../../src/model/session/session.ts';
import { PlatformClient, type ClientOptions, type RequestRecord } from '../../src/platform/client.ts';
import { PlatformError, type ErrorCode } from '../../src/platform/errors.ts';
import { defaultCredentialHeaderNames } from '../../src/platform/http/credential-headers.ts';
import type { Timeouts, Transport } from '../../src/platform/http/transport.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';
import { defaultQueryFormat, type Target } from '../../src/platform/target.ts';
import { Servers, type Handler, type LocalServer } from './http/servers.ts';

/** Time limits for local servers: a response that takes longer hangs, also on a busy machine. */
export const PATIENT: Timeouts = { connect: 60_000, headers: 60_000, body: 60_000 };

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

/** By default it sends the API key `key`. */
export function createTestClient(
  baseUrl: string,
  transport: Transport,
  options: Partial<ClientOptions> = {},
): PlatformClient {
  return new PlatformClient({
    target: createTestTarget(baseUrl),
    transport,
    timeouts: PATIENT,
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

/** Appears in no record of a request. */
export const SECRET = 'canary-secret-0123456789';

export interface ClientFixture {
  readonly transport: Transport;
  /** A server, and a client of it that signs in with `SECRET` and retries at once. */
  readonly start: (
    handler: Handler,
    options?: Partial<ClientOptions>,
  ) => Promise<{ readonly server: LocalServer; readonly client: PlatformClient }>;
  /** The records of the requests of the present test. */
  readonly records: RequestRecord[];
}

/** Clients that record their requests. Fails a test whose records contain `SECRET`. */
export function useClients(): ClientFixture {
  const { servers, transport } = useServers();
  const records: RequestRecord[] = [];
  teardown(() => {
    assert.equal(JSON.stringify(records.splice(0)).includes(SECRET), false);
  });
  return {
    transport,
    records,
    start: async (handler, options = {}) => {
      const server = await servers.http(handler);
      const client = createTestClient(`${server.origin}/v1`, transport, {
        credential: () => Promise.resolve({ apiKey: SECRET }),
        secrets: () => [SECRET],
        record: (record) => records.push(record),
        sleep: () => Promise.resolve(),
        ...options,
      });
      return { server, client };
    },
  };
}

/** Responds with JSON. */
export function json(body: unknown, status = 200): Handler {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

/** For `assert.rejects`: a PlatformError with the code that passes the check. */
export function failsWith(
  code: ErrorCode,
  check: (error: PlatformError) => boolean = () => true,
): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof PlatformError, String(error));
    assert.equal(error.code, code, error.message);
    return check(error);
  };
}
