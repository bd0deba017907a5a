/** Credentials and permissions, registration, invites, token refresh, and refused hosts and origins. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { isObject } from '../../../../src/platform/json/json.ts';
import { confirmInvite } from '../../../../src/platform/resources/invites.ts';
import { registry } from '../../../../src/platform/registry.ts';
import { findDrift } from '../../../../src/platform/schema.ts';
import { readAllPages, toJsonObjects, useSandbox } from '../sandbox-client.ts';

function parseClaims(token: string): Readonly<Record<string, unknown>> {
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  assert(isObject(claims));
  return claims;
}

suite('sandbox: credentials', () => {
  const { sandbox, ask } = useSandbox({ objects: 60 });
  const mint = async (body: object): Promise<string> => {
    const { status, body: answer, text } = await ask('/__sandbox/tokens', { body });
    assert.equal(status, 200, text);
    return String(answer['token']);
  };

  test('only registration and invites need no credential', async () => {
    for (const path of [
      '/objects',
      '/public/templates',
      '/support',
      '/api-keys',
      '/batches/x',
      '/organizations/x/myrole',
    ])
      assert.equal((await ask(path, { key: null })).status, 401, path);
    assert.equal((await ask('/ebus/execute', { key: null, body: {} })).status, 401);
    assert.equal((await ask('/wallets', { key: null, body: {} })).status, 200);
    assert.equal((await ask('/organizations/x/invite', { key: null })).status, 400);
  });

  test('unknown, expired and misplaced credentials are a 401', async () => {
    assert.equal((await ask('/objects', { key: 'sok_wrong' })).status, 401);
    assert.equal((await ask('/objects', { token: 'a.b.c' })).status, 401);
    assert.equal((await ask('/objects', { token: sandbox().refreshToken })).status, 401);
    assert.equal((await ask('/objects', { token: `${sandbox().accessToken}x` })).status, 401);
    assert.equal((await ask('/objects', { key: null, headers: { authorization: sandbox().accessToken } })).status, 401);
    const expired = await ask('/objects', { token: await mint({ lifetime: -1000 }) });
    assert.equal(expired.status, 401);
    assert.match(String(expired.body['message']), /expired/);
    assert.equal((await ask('/objects', { key: sandbox().apiKey, token: 'a.b.c' })).status, 401, 'both must be good');
    const keys = await readAllPages(ask, '/api-keys', 'keys');
    const over = keys.find((key) => Date.parse(String(key['expires_at'])) < sandbox().world.clock.now());
    assert.equal((await ask('/objects', { key: String(over?.['key']) })).status, 401);
  });

  test('access tokens are JSON web tokens with the claims that deployments use', () => {
    const claims = parseClaims(sandbox().accessToken);
    assert(typeof claims['exp'] === 'number' && claims['exp'] * 1000 > Date.now());
    assert.equal(claims['sub'], sandbox().walletId);
    assert.equal(claims['org_id'], sandbox().organizations[0]?.id);
    assert(typeof claims['fqdn'] === 'string');
  });

  test('a missing permission is a 403 that names it', async () => {
    const { status, body } = await ask('/ebus/execute', {
      key: sandbox().readOnlyApiKey,
      body: { action: { mint: { template_id: sandbox().world.templates.source.idAt(0) } } },
    });
    assert.equal(status, 403);
    assert.match(String(body['message']), /ebus\.actions/);
    assert.deepEqual(body['details'], { resource: 'ebus.actions', verb: 'create' });
    assert.equal((await ask('/objects', { key: sandbox().readOnlyApiKey })).status, 200);
  });

  for (const [kind, definition] of Object.entries(registry)) {
    const operations = [
      'list' in definition ? definition.list.operation : undefined,
      'operation' in definition.read ? definition.read.operation : undefined,
    ];
    for (const operation of operations) {
      if (operation === undefined || !('permission' in operation)) continue;
      const { resource, verb } = operation.permission;
      test(`${kind}: ${operation.path} needs ${resource}`, async () => {
        const path = operation.path.replaceAll(/\{\w+\}/g, 'x');
        const crud = { read: false, create: false, update: false, delete: false };
        const with_ = await mint({ permissions: [{ resource, crud: { ...crud, [verb]: true } }] });
        assert.notEqual((await ask(path, { token: with_ })).status, 403);
        assert.equal((await ask(path, { token: await mint({ permissions: [] }) })).status, 403);
      });
    }
  }

  test('roles differ by organization, and myrole returns the caller’s', async () => {
    const token = sandbox().accessToken;
    const names: unknown[] = [];
    for (const { id } of sandbox().organizations)
      names.push((await ask(`/organizations/${id}/myrole`, { token })).body['name']);
    assert.deepEqual(names, ['Administrator', 'Viewer', 'Field agent', 'Field agent']);
    const [, , third] = sandbox().organizations;
    assert.equal((await ask(`/organizations/${third?.id}/roles/default`, { token })).status, 403);
    assert.equal((await ask('/organizations/unknown/myrole', { token })).status, 404);
    assert.equal((await ask(`/organizations/${third?.id}/roles/unknown`)).status, 400);
    assert.equal((await ask('/organizations/unknown/roles/default')).status, 400);
  });

  test('a token of the scope "system" sees no objects, without an error', async () => {
    const token = sandbox().systemToken;
    const { status, body } = await ask('/objects', { token });
    assert.equal(status, 200);
    assert.deepEqual(body['objects'], []);
    const [object] = await readAllPages(ask, '/objects', 'objects');
    assert.equal((await ask(`/objects/${String(object?.['id'])}`, { token })).status, 404);
    assert.equal((await ask('/objects', { token: await mint({ fqdn: 'system' }) })).body['next'], undefined);
  });

  test('a key of one organization sees only that one', async () => {
    const keys = await readAllPages(ask, '/api-keys', 'keys');
    const mobile = keys.find((key) => key['name'] === 'Mobile app');
    const { body } = await ask('/objects?limit=100', { key: String(mobile?.['key']) });
    const organizations = new Set(toJsonObjects(body['objects']).map((object) => object['org_id']));
    assert.deepEqual(organizations, new Set([mobile?.['org_id']]));
  });

  test('a member with an application key may do what either may', async () => {
    const { accessToken, apiKey, organizations } = sandbox();
    const path = `/organizations/${organizations[2]?.id}/roles/default`;
    assert.equal((await ask(path, { token: accessToken })).status, 403);
    assert.equal((await ask(path, { token: accessToken, key: apiKey })).status, 200);
    assert.deepEqual((await ask('/objects', { token: sandbox().systemToken, key: apiKey })).body['objects'], []);
  });

  test('a wallet is registered, and its tokens work', async () => {
    const body = {
      nickname: 'Ada99',
      email: 'ada@example.org',
      phone_number: '+4791234567',
      language: 'de',
      password: 'hunter2',
    };
    const { status, body: answer, text } = await ask('/wallets', { key: null, body });
    assert.equal(status, 200);
    assert(!text.includes('hunter2'));
    assert.deepEqual(findDrift(registry.wallets.schema, answer['wallet']), []);
    const token = String(answer['access_token']);
    assert.equal((await ask('/objects', { token })).status, 200);
    assert.equal(
      (await ask(`/organizations/${sandbox().organizations[0]?.id}/myrole`, { token })).body['name'],
      'Viewer',
    );
    const again = await ask('/wallets', { key: null, body });
    assert.notDeepEqual(again.body['wallet'], answer['wallet']);
  });

  test('an invalid registration names the field', async () => {
    const cases: readonly (readonly [string, unknown])[] = [
      ['nickname', 'no blanks'], ['nickname', 'x'.repeat(256)], ['nickname', 7], ['email', 'nobody'], ['phone_number', '0791234567'],
      ['phone_number', '+0'], ['language', 'tlh'], ['password', ''], ['avatar.url', undefined],
    ]; // prettier-ignore
    for (const [field, value] of cases) {
      const sent = field === 'avatar.url' ? { avatar: { id: 'x' } } : { [field]: value };
      const { status, body } = await ask('/wallets', { key: null, body: sent });
      assert.equal(status, 400, field);
      assert(isObject(body['details']) && Object.keys(body['details']).join() === field, field);
    }
    assert.equal((await ask('/wallets', { key: null, method: 'POST' })).status, 400);
    assert.equal((await ask('/wallets', { key: null, body: [] })).status, 400);
  });

  test('an invite is valid once', async () => {
    const [, invite] = sandbox().invites;
    assert(invite !== undefined);
    const path = (token: string): string =>
      `${confirmInvite.path.replace('{organizationId}', invite.organizationId)}?token=${token}&member_id=${invite.memberId}`;
    assert.equal((await ask(path('wrong'), { key: null })).status, 400);
    const { status, body } = await ask(path(invite.token), { key: null });
    assert.equal(status, 200);
    const token = String(body['access_token']);
    assert.equal((await ask(`/organizations/${invite.organizationId}/myrole`, { token })).status, 200);
    assert.equal((await ask(`/organizations/${sandbox().organizations[0]?.id}/myrole`, { token })).status, 404);
    assert.equal((await ask(path(invite.token), { key: null })).status, 400);
  });

  test('a refresh token as Bearer, without a body, gets a new access token', async () => {
    const { status, body } = await ask('/auth/refresh', { method: 'POST', token: sandbox().refreshToken });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['access_token']);
    const token = String(body['access_token']);
    assert.notEqual(token, sandbox().accessToken);
    assert.equal((await ask('/objects', { token })).status, 200);
    assert.equal((await ask('/auth/refresh', { method: 'POST', token })).status, 401);
    assert.equal((await ask('/auth/refresh', { token: sandbox().refreshToken })).status, 405);
  });

  test('only 404s of the contract are 404s', async () => {
    assert.equal((await ask('/objects/unknown')).status, 404);
    assert.equal((await ask('/templates/unknown')).status, 404);
    assert.equal((await ask('/batches/unknown')).status, 400);
    assert.equal((await ask('/nowhere')).status, 404);
    assert.equal((await ask('/objects', { method: 'DELETE' })).status, 405);
    assert.equal((await ask('/objects', { method: 'OPTIONS' })).status, 405);
    const error = await ask('/objects/unknown');
    assert.deepEqual(Object.keys(error.body), ['code', 'message', 'details']);
    assert.match(error.headers.get('x-request-id') ?? '', /^req_/);
  });

  /** Sends a request line and headers that `fetch` does not allow. */
  const raw = (path: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(sandbox().baseUrl);
      const request = http.request(
        { hostname, port, path, headers: { 'x-api-key': sandbox().apiKey, ...headers } },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      request.on('error', reject).end();
    });

  test('another host name, another origin and another site are refused', async () => {
    const { port } = new URL(sandbox().baseUrl);
    assert.equal(await raw('/objects', {}), 200);
    assert.equal(await raw('/objects', { host: `localhost:${port}` }), 200);
    assert.equal(await raw('/objects', { host: `[::1]:${port}` }), 200);
    for (const host of ['evil.example', `127.0.0.1.evil.example:${port}`, 'localhost.evil'])
      assert.notEqual(await raw('/objects', { host }), 200, host);
    assert.equal(await raw('/objects', { origin: `http://127.0.0.1:${port}` }), 200);
    for (const origin of [
      'https://evil.example',
      'null',
      'vscode-webview://x',
      `http://127.0.0.1:${Number(port) + 1}`,
    ]) {
      assert.equal(await raw('/objects', { origin }), 403, origin);
      assert.equal(await raw('/__sandbox/faults', { origin }), 403, origin);
    }
    assert.equal(await raw('/objects', { 'sec-fetch-site': 'cross-site' }), 403);
    assert.equal(await raw('/pages/map?object_id=x', { 'sec-fetch-site': 'cross-site' }), 200);
  });

  test('dots and slashes, escaped or not, stay within their segment', async () => {
    for (const path of [
      '/objects/..%2f..%2fetc',
      '/objects/%2e%2e',
      '/objects/..',
      '/files/../api-keys',
      '/files/%2e%2e/%2e%2e',
      '/pages/..%5c..',
    ])
      assert.equal(await raw(path, {}), 404, path);
    assert.equal(await raw('/objects/%zz', {}), 400);
    assert.equal(await raw('/batches/%2e%2e%2fobjects', {}), 400);
  });
});

suite('sandbox: settings of a connection', () => {
  const { sandbox, ask } = useSandbox({
    objects: 5,
    basePath: '/api/v2',
    headers: { apiKey: 'x-platform-key', token: 'x-session', tokenPrefix: 'Token ' },
  });

  test('a base path, other header names and another prefix', async () => {
    const { baseUrl, apiKey, accessToken } = sandbox();
    assert(baseUrl.endsWith('/api/v2'));
    assert.equal((await ask('/objects')).status, 401);
    assert.equal((await ask('/objects', { key: null, headers: { 'x-platform-key': apiKey } })).status, 200);
    assert.equal((await ask('/objects', { key: null, headers: { 'x-session': `Token ${accessToken}` } })).status, 200);
    const outside = await fetch(new URL('/objects', baseUrl), { headers: { 'x-platform-key': apiKey } });
    await outside.arrayBuffer();
    assert.equal(outside.status, 404);
    assert.equal((await ask('/__sandbox/stats', { headers: { 'x-sandbox-key': apiKey } })).status, 200);
  });
});

suite('sandbox: a wallet requires a credential', () => {
  const { sandbox, ask } = useSandbox({ objects: 10, walletCredential: true });

  test('registration and invites without one are a 401, with one they succeed', async () => {
    const [invite] = sandbox().invites;
    assert(invite !== undefined);
    const { organizationId, token, memberId } = invite;
    const confirm = `/organizations/${organizationId}/invite?token=${token}&member_id=${memberId}`;
    assert.equal((await ask('/wallets', { key: null, body: {} })).status, 401);
    assert.equal((await ask(confirm, { key: null })).status, 401);
    assert.equal((await ask('/wallets', { body: {} })).status, 200);
    assert.equal((await ask(confirm)).status, 200);
  });
});
