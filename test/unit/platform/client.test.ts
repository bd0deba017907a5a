/** The client against a local server: requests, retries and responses. */
import assert from 'node:assert/strict';
import { PlatformClient, type ClientOptions, type RequestRecord } from '../../../src/platform/client.ts';
import { PlatformError, type ErrorCode } from '../../../src/platform/errors.ts';
import { formatError } from '../../../src/model/text/error-message.ts';
import { MASK } from '../../../src/platform/json/secrets.ts';
import { statisticsSeries } from '../../../src/platform/resources/statistics.ts';
import { defaultCredentialHeaderNames, type Credential } from '../../../src/platform/http/credential-headers.ts';
import { defaultQueryFormat } from '../../../src/platform/target.ts';
import type { Handler, LocalServer } from '../../support/http/servers.ts';
import { createTestClient, useServers } from '../../support/platform-client.ts';

const SECRET = 'canary-secret-0123456789';
const timeouts = { connect: 200, headers: 200, body: 200 };

function failsWith(
  code: ErrorCode,
  check: (error: PlatformError) => boolean = () => true,
): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof PlatformError, String(error));
    assert.equal(error.code, code, error.message);
    return check(error);
  };
}

suite('client', () => {
  const { servers, transport } = useServers();
  let records: RequestRecord[];

  setup(() => {
    records = [];
  });
  teardown(() => {
    // No record of any test contains the credential.
    assert.equal(JSON.stringify(records).includes(SECRET), false);
  });

  async function start(
    handler: Handler,
    options: Partial<ClientOptions> = {},
  ): Promise<{ readonly server: LocalServer; readonly client: PlatformClient }> {
    const server = await servers.http(handler);
    const client = createTestClient(`${server.origin}/v1`, transport, {
      timeouts,
      credential: () => Promise.resolve({ apiKey: SECRET }),
      secrets: () => [SECRET],
      record: (record) => records.push(record),
      sleep: () => Promise.resolve(),
      ...options,
    });
    return { server, client };
  }

  const json =
    (body: unknown, status = 200): Handler =>
    (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };

  test('presents the credential as configured', async () => {
    const credentialHeaderNames = { tokenHeader: 'X-Token', tokenPrefix: 'T ', apiKeyHeader: 'X-Key' };
    const both: Credential = { apiKey: SECRET, accessToken: 'token-0123456789' };
    const { server, client } = await start(json({ objects: [] }), { credential: () => Promise.resolve(both) });
    await client.listPage('objects');
    assert.equal(server.received[0]?.headers['x-api-key'], SECRET);
    assert.equal(server.received[0].headers.authorization, 'Bearer token-0123456789');
    const other = new PlatformClient({
      target: {
        name: 'Other',
        baseUrl: server.origin,
        credentialHeaderNames,
        queryFormat: defaultQueryFormat,
      },
      transport,
      timeouts,
      credential: () => Promise.resolve(both),
    });
    await other.listPage('objects');
    assert.equal(server.received[1]?.headers['x-token'], 'T token-0123456789');
    assert.equal(server.received[1].headers['x-key'], SECRET);
    assert.equal(server.received[1].headers.authorization, undefined);
  });

  test('equal reads in flight share one request, later ones send another', async () => {
    const { server, client } = await start(json({ id: 'a' }));
    const [first, second] = await Promise.all([client.read('objects', ['a']), client.read('objects', ['a'])]);
    assert.equal(first.text, second.text);
    assert.equal(server.received.length, 1);
    await client.read('objects', ['a']);
    assert.equal(server.received.length, 2);
  });

  test('different credentials never share a response', async () => {
    let key = 'identity-one';
    const { server, client } = await start(json({ id: 'a' }), { credential: () => Promise.resolve({ apiKey: key }) });
    const first = client.read('objects', ['a']);
    key = 'identity-two';
    await Promise.all([first, client.read('objects', ['a'])]);
    assert.equal(server.received.length, 2);
  });

  test('a read is attempted three times, an execution once, for any failure', async () => {
    for (const status of [429, 500, 502, 503, 504]) {
      const { server, client } = await start(json({ message: 'no' }, status));
      const code = status === 429 ? 'rateLimited' : 'server';
      await assert.rejects(client.listPage('objects'), failsWith(code));
      assert.equal(server.received.length, 3, String(status));
      await assert.rejects(client.execute('{}'), failsWith(code));
      assert.equal(server.received.length, 4, String(status));
    }
  });

  test('other refusals are not retried', async () => {
    const codes: [number, ErrorCode][] = [
      [400, 'badRequest'],
      [401, 'unauthenticated'],
      [403, 'forbidden'],
      [404, 'notFound'],
      [405, 'badRequest'],
      [409, 'badRequest'],
      [422, 'badRequest'],
    ];
    for (const [status, code] of codes) {
      const { server, client } = await start(json({ error: { message: `key ${SECRET}` }, x_request_id: 'r1' }, status));
      await assert.rejects(
        client.listPage('objects'),
        failsWith(code, ({ message, detail }) => {
          assert.equal(detail.status, status);
          assert.equal(detail.serverMessage, `key ${MASK}`);
          assert.equal(detail.requestId, 'r1');
          assert.equal(message.includes(SECRET), false);
          return true;
        }),
      );
      assert.equal(server.received.length, 1);
    }
  });

  test('POST and the invite follow no redirect', async () => {
    const redirect: Handler = (_request, response) => response.writeHead(307, { location: '/elsewhere' }).end();
    const { server, client } = await start(redirect);
    await assert.rejects(client.execute('{}'), failsWith('contract'));
    await assert.rejects(client.registerWallet({}), failsWith('contract'));
    await assert.rejects(
      client.confirmInvite({ organizationId: 'o' }, { token: SECRET, member_id: 'm' }),
      failsWith('contract'),
    );
    assert.equal(server.received.length, 3);
  });

  test('a refused credential is renewed once; for an execution, which was not executed, without asking the user', async () => {
    const renewals: boolean[] = [];
    let token = 'old-token-0123456789';
    let next = 'new-token-0123456789';
    const { server, client } = await start(
      (request, response) => {
        json(
          { objects: [], action_id: 'a', steps: [] },
          request.headers.authorization === 'Bearer new-token-0123456789' ? 200 : 401,
        )(request, response);
      },
      {
        credential: () => Promise.resolve({ accessToken: token }),
        renew: (_refused, { mayAsk }) => {
          renewals.push(mayAsk);
          token = next;
          return Promise.resolve(true);
        },
      },
    );
    await client.listPage('objects');
    assert.deepEqual([renewals, server.received.length], [[true], 2]);
    token = 'old-token-0123456789';
    assert.equal((await client.execute('{}')).status, 200);
    assert.deepEqual([renewals, server.received.length], [[true, false], 4]);
    token = 'old-token-0123456789';
    next = 'bad-token-0123456789';
    await assert.rejects(client.execute('{}'), failsWith('unauthenticated'));
    assert.deepEqual([renewals, server.received.length], [[true, false, false], 6]);
  });

  test('registration and invite present no credential, return tokens unmasked and the wallet masked', async () => {
    const access_token = 'issued-access-0123456789';
    const refresh_token = 'issued-refresh-0123456789';
    const { server, client } = await start(
      json({ wallet: { id: 'w', nickname: access_token }, access_token, refresh_token }),
    );
    const issued = await client.registerWallet({ nickname: 'ann', password: SECRET });
    assert.deepEqual([issued.accessToken, issued.refreshToken], [access_token, refresh_token]);
    assert.equal(issued.item.view?.nickname, MASK);
    assert.equal(issued.text.includes(access_token), false);
    assert.equal(server.received[0]?.headers['x-api-key'], undefined);
    assert.deepEqual(JSON.parse(server.received[0]?.body ?? ''), { nickname: 'ann', password: SECRET });
    await client.confirmInvite({ organizationId: 'o/1' }, { token: 'invite-secret', member_id: 'member-secret' });
    assert.equal(server.received[1]?.url, '/v1/organizations/o%2F1/invite?token=invite-secret&member_id=member-secret');
    assert.equal(JSON.stringify(records).includes('invite-secret'), false);
    assert.equal(JSON.stringify(records).includes('member-secret'), false);
  });

  test('registration and invite present the credential if configured', async () => {
    const credentialHeaderNames = { ...defaultCredentialHeaderNames, apiKeyHeader: 'X-Key' };
    const issued = { wallet: { id: 'w' }, access_token: 'issued-access-0123', refresh_token: 'issued-refresh-0123' };
    const { server, client } = await start(json(issued));
    const target = { ...client.target, credentialHeaderNames, wallets: 'credential' } as const;
    const { client: presenting } = await start(json(issued), { target });
    await presenting.registerWallet({ nickname: 'ann' });
    await presenting.confirmInvite({ organizationId: 'o' }, { token: 't-t-t-t', member_id: 'm-m-m-m' });
    assert.deepEqual(
      server.received.map(({ headers }) => headers['x-key']),
      [SECRET, SECRET],
    );
  });

  test('a 401 without a credential says that none was sent, and what to do', async () => {
    const refused = json({ error: 'credential required' }, 401);
    const { client } = await start(refused);
    const none = /requires a credential, and none was sent \(HTTP 401\)/;
    const set = 'Set auth.wallets of Test to “credential” in the setting smartObjects.connections.';
    for (const send of [
      () => client.registerWallet({}),
      () => client.confirmInvite({ organizationId: 'o' }, { token: 't-t-t-t', member_id: 'm-m-m-m' }),
    ])
      await assert.rejects(send, (error) => {
        assert.ok(error instanceof PlatformError);
        assert.match(error.message, none);
        assert.equal(error.detail.nextStep, set);
        assert.equal(formatError('Register Wallet', error).endsWith(`. ${set}`), true);
        return true;
      });
    const target = { ...client.target, wallets: 'credential' } as const;
    const signedOut = await start(refused, { target, credential: () => Promise.resolve(undefined) });
    for (const send of [() => signedOut.client.registerWallet({}), () => signedOut.client.listPage('objects')])
      await assert.rejects(send, (error) => {
        assert.match(formatError('Do it', error), /none was sent \(HTTP 401\).* Sign in first\.$/);
        return true;
      });
    const signedIn = await start(refused, { target: { ...signedOut.client.target } });
    await assert.rejects(signedIn.client.registerWallet({}), /did not accept the credential \(HTTP 401\)/);
  });

  test('an execution sends its text unchanged', async () => {
    const { server, client } = await start(json({ action_id: 'a', steps: null }));
    const body = '{"action":{"mint":{"num":12345678901234567890}},"nonce":1.10}';
    const result = await client.execute(body);
    assert.equal(server.received[0]?.body, body);
    assert.equal(server.received[0].headers['content-type'], 'application/json');
    assert.equal(result.view.action_id, 'a');
    assert.equal(result.view.steps, undefined);
  });

  test('a web page is named as such', async () => {
    const html: Handler = (_request, response) => response.end('<!doctype html><title>Sign in</title>');
    const { client } = await start(html);
    await assert.rejects(
      client.listPage('objects'),
      failsWith(
        'notJson',
        ({ message, detail }) => message.includes('base URL') && detail.serverMessage === 'web page “Sign in”',
      ),
    );
  });

  test('the text of one item of a list is the server’s own', async () => {
    const answer = '{"faces":[{"id":"x"},{"id":"f1","config":{"2":1,"1":12345678901234567890}}]}';
    const { server, client } = await start((_request, response) => response.end(answer));
    const reading = await client.read('faces', ['f1']);
    assert.equal(reading.text, '{\n  "id": "f1",\n  "config": {\n    "2": 1,\n    "1": 12345678901234567890\n  }\n}\n');
    assert.equal(server.received[0]?.url, '/v1/faces?id=f1');
    await assert.rejects(client.read('faces', ['f2']), failsWith('notFound'));
  });

  test('the clock difference is that of the last response', async () => {
    const { client } = await start((_request, response) => {
      response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
      response.end('{"faces":[]}');
    });
    assert.equal(client.clockAhead, 0);
    await client.listPage('faces');
    assert.equal(Math.round(client.clockAhead / 60_000), -60);
  });

  test('another list in the response is not mistaken for the requested one', async () => {
    const face = '{"id":"face-1","name":"mine"}';
    for (const answer of [
      `{"assets":[{"id":"asset-9"}],"faces":[${face}]}`,
      `{"data":{"assets":[{"id":"asset-9"}],"faces":[${face}]}}`,
      `{"success":true,"data":[${face}]}`,
      `{"items":[${face}]}`,
      `[${face}]`,
    ]) {
      const { client } = await start((_request, response) => response.end(answer));
      const { item, text } = await client.read('faces', ['face-1']);
      assert.equal(JSON.stringify(item.raw), face, answer);
      assert.equal(text, '{\n  "id": "face-1",\n  "name": "mine"\n}\n', answer);
    }
  });

  test('an API key is found by paging, and its key is masked', async () => {
    const { server, client } = await start((request, response) => {
      const second = request.url.includes('next=p2');
      response.end(
        JSON.stringify(second ? { keys: [{ id: 'k2', key: 'the-key-value' }] } : { keys: [{ id: 'k1' }], next: 'p2' }),
      );
    });
    const reading = await client.read('api-keys', ['k2']);
    assert.deepEqual(reading.item.raw, { id: 'k2', key: MASK });
    assert.equal(reading.text.includes('the-key-value'), false);
    assert.equal(server.received.length, 2);
  });

  test('roles by their three forms, and one named like an inherited property', async () => {
    const { server, client } = await start(json({ id: 'r' }));
    for (const role of ['default', 'myrole', 'r/1', 'constructor']) await client.read('roles', ['o', role]);
    assert.deepEqual(
      server.received.map(({ url }) => url),
      ['roles/default', 'myrole', 'roles/r%2F1', 'roles/constructor'].map((end) => `/v1/organizations/o/${end}`),
    );
  });

  test('statistics points may lack any field', async () => {
    const { server, client } = await start((_request, response) =>
      response.end('{"data":[{},{"count":9007199254740993}]}'),
    );
    const page = await client.statistics(statisticsSeries[0], { interval: 'day', action_name: 'mint' });
    assert.deepEqual(
      page.items.map((item) => item.view?.count),
      [undefined, 9007199254740993n],
    );
    assert.equal(server.received[0]?.url, '/v1/stats/actions/execution?interval=day&action_name=mint');
  });

  test('the page size of the connection is sent, unless the caller has its own', async () => {
    const server = await servers.http(json({ faces: [] }));
    const target = {
      name: 'T',
      baseUrl: server.origin,
      credentialHeaderNames: defaultCredentialHeaderNames,
      queryFormat: defaultQueryFormat,
      pageSize: 7,
    };
    const client = new PlatformClient({ target, transport, timeouts, credential: () => Promise.resolve(undefined) });
    await client.listPage('faces');
    await client.listPage('faces', { limit: 3 });
    assert.deepEqual(
      server.received.map(({ url }) => url),
      ['/faces?limit=7', '/faces?limit=3'],
    );
  });

  test('a whole list is read in the largest pages, or in those of the connection if the platform refuses them', async () => {
    let refuses = false;
    const server = await servers.http(({ url }, response) => {
      response.statusCode = refuses && url.includes('limit=100') ? 400 : 200;
      response.end('{"faces":[]}');
    });
    const target = {
      name: 'T',
      baseUrl: server.origin,
      credentialHeaderNames: defaultCredentialHeaderNames,
      queryFormat: defaultQueryFormat,
      pageSize: 7,
    };
    const client = new PlatformClient({ target, transport, timeouts, credential: () => Promise.resolve(undefined) });
    const read = async (query = {}): Promise<readonly (string | undefined)[]> => {
      const before = server.received.length;
      await client.listPage('faces', query, { largest: true });
      return server.received.slice(before).map(({ url }) => url);
    };
    assert.deepEqual(await read(), ['/faces?limit=100']);
    assert.deepEqual(await read({ limit: 3 }), ['/faces?limit=3']);
    refuses = true;
    assert.deepEqual(await read(), ['/faces?limit=100', '/faces?limit=7']);
    assert.deepEqual(await read(), ['/faces?limit=7'], 'requested once');
  });

  test('reading a wallet sends no request', async () => {
    const { server, client } = await start(json({}));
    await assert.rejects(client.read('wallets', ['w']), failsWith('notFound'));
    assert.equal(server.received.length, 0);
  });
});
