/** The client against a local server: requests and what it makes of responses. */
import assert from 'node:assert/strict';
import { MASK } from '../../../src/platform/json/secrets.ts';
import { statisticsSeries } from '../../../src/platform/resources/statistics.ts';
import { defaultCredentialHeaderNames } from '../../../src/platform/http/credential-headers.ts';
import type { Transport } from '../../../src/platform/http/transport.ts';
import type { Handler } from '../../support/http/servers.ts';
import { SECRET, createTestTarget, failsWith, json, useClients, useServers } from '../../support/platform-client.ts';

suite('client', () => {
  const { servers, transport, createClient } = useServers();
  const { records, start } = useClients();

  const startWithPageSize = async (handler: Handler) => {
    const server = await servers.http(handler);
    return { server, client: createClient(server, { target: { ...createTestTarget(server.origin), pageSize: 7 } }) };
  };

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

  test('an execution sends its text unchanged', async () => {
    const { server, client } = await start(json({ action_id: 'a', steps: null }));
    const body = '{"action":{"mint":{"num":12345678901234567890}},"nonce":1.10}';
    const result = await client.execute(body);
    assert.equal(server.received[0]?.body, body);
    assert.equal(server.received[0].headers['content-type'], 'application/json');
    assert.equal(result.view.action_id, 'a');
    assert.equal(result.view.steps, undefined);
  });

  test('the text of one item of a list is the server’s own', async () => {
    const answer = '{"faces":[{"id":"x"},{"id":"f1","config":{"2":1,"1":12345678901234567890}}]}';
    const { server, client } = await start((_request, response) => response.end(answer));
    const reading = await client.read('faces', ['f1']);
    assert.equal(reading.text, '{\n  "id": "f1",\n  "config": {\n    "2": 1,\n    "1": 12345678901234567890\n  }\n}\n');
    assert.equal(server.received[0]?.url, '/v1/faces?id=f1');
    await assert.rejects(client.read('faces', ['f2']), failsWith('notFound'));
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
    const { server, client } = await startWithPageSize(json({ faces: [] }));
    await client.listPage('faces');
    await client.listPage('faces', { limit: 3 });
    assert.deepEqual(
      server.received.map(({ url }) => url),
      ['/faces?limit=7', '/faces?limit=3'],
    );
  });

  test('the next page of a whole list is sent before the caller works on one, even if that takes the whole turn', async () => {
    const server = await servers.http(({ url }, response) => {
      const page = Number(new URL(url, 'http://localhost').searchParams.get('next'));
      response.end(
        JSON.stringify({ faces: [{ id: `f${String(page)}` }], ...(page < 2 && { next: String(page + 1) }) }),
      );
    });
    const events: string[] = [];
    const send: Transport['send'] = (request) =>
      transport.send({ ...request, onSent: () => events.push(`sent ${request.url.searchParams.get('next') ?? '0'}`) });
    const client = createClient(server, { transport: { ...transport, send } });
    for await (const { items } of client.listPages('faces', {}, { largest: true }))
      events.push(`used ${String(items[0]?.id)}`);
    assert.deepEqual(events, ['sent 0', 'sent 1', 'used f0', 'sent 2', 'used f1', 'used f2']);
  });

  test('a whole list is read in the largest pages, or in those of the connection if the platform refuses them', async () => {
    let refuses = false;
    const { server, client } = await startWithPageSize(({ url }, response) => {
      response.statusCode = refuses && url.includes('limit=100') ? 400 : 200;
      response.end('{"faces":[]}');
    });
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

  for (const [how, refuse] of [
    ['422', { status: 422, body: '{"code":"limit","message":"limit must be at most 50"}' }],
    ['an error in a 200', { status: 200, body: '{"success":false,"error":"limit must be at most 50"}' }],
  ] as const)
    test(`a platform that refuses large pages with ${how} sends smaller ones to all that reads lists`, async () => {
      const { server, client } = await start(({ url }, response) => {
        const { searchParams } = new URL(url, 'http://localhost');
        const isRefused = Number(searchParams.get('limit')) > 50;
        response.statusCode = isRefused ? refuse.status : 200;
        response.end(isRefused ? refuse.body : '{"action_logs":[{"id":"l"}],"keys":[{"id":"k"}],"data":[]}');
      });
      const read = async (query: { readonly limit?: number }, options = {}): Promise<readonly (string | null)[]> => {
        const before = server.received.length;
        const { items } = await client.listPage('action-logs', query, options);
        assert.equal(items.length, 1);
        return server.received
          .slice(before)
          .map(({ url }) => new URL(url, 'http://localhost').searchParams.get('limit'));
      };
      assert.deepEqual(await read({ limit: 100 }), ['100', null]);
      assert.deepEqual(await read({ limit: 100 }), [null], 'requested once');
      assert.deepEqual(await read({}, { largest: true }), [null]);
      assert.deepEqual(await read({ limit: 50 }), ['50']);
      assert.equal((await client.read('api-keys', ['k'])).item.id, 'k');
      assert.deepEqual((await client.statistics(statisticsSeries[0], { limit: 100 })).items, []);
    });

  test('reading a wallet sends no request', async () => {
    const { server, client } = await start(json({}));
    await assert.rejects(client.read('wallets', ['w']), failsWith('notFound'));
    assert.equal(server.received.length, 0);
  });
});
