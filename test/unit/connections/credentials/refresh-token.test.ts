/** One POST that renews an access token: what is sent, what is used of the response, and what each failure is. */
import assert from 'node:assert/strict';
import { refreshAccessToken } from '../../../../src/connections/credentials/refresh-token.ts';
import { readProfiles } from '../../../../src/connections/profiles/read-profiles.ts';
import type { Credential } from '../../../../src/platform/http/credential-headers.ts';
import type { Handler } from '../../../support/http/servers.ts';
import { failsWith, json, PATIENT, useServers } from '../../../support/platform-client.ts';

const SECRET = 'refresh-1-refresh-1';

suite('refresh of an access token', () => {
  const { servers, transport } = useServers();

  const renew = async (
    handler: Handler,
    options: { readonly auth?: object; readonly onSent?: () => void } = {},
  ): Promise<{ readonly credential: Credential; readonly clockAhead: number }> => {
    const { origin } = await servers.http(handler);
    const [profile] = readProfiles(
      [{ name: 'Test', baseUrl: `${origin}/v1`, auth: options.auth ?? {} }],
      undefined,
    ).profiles;
    assert.ok(profile);
    return refreshAccessToken({
      transport,
      profile: { ...profile, refreshPath: '/auth/refresh' },
      credential: { accessToken: 'old', refreshToken: SECRET, apiKey: 'k' },
      timeouts: PATIENT,
      secrets: [SECRET],
      ...(options.onSent !== undefined && { onSent: options.onSent }),
    });
  };

  test('sends one POST without a body, and only the refresh token', async () => {
    const requests: unknown[] = [];
    let sent = 0;
    const auth = { tokenHeader: 'X-Token', tokenPrefix: 'Token ' };
    await renew(
      (request, response) => {
        const { method, url, headers, body } = request;
        requests.push([
          method,
          url,
          headers['x-token'],
          headers.accept,
          headers.authorization,
          headers['x-api-key'],
          body,
        ]);
        json({ access_token: 'new' })(request, response);
      },
      { auth, onSent: () => sent++ },
    );
    assert.deepEqual(requests, [
      ['POST', '/v1/auth/refresh', `Token ${SECRET}`, 'application/json', undefined, undefined, ''],
    ]);
    assert.equal(sent, 1);
    const cancel = (): never => {
      throw new Error('signed out');
    };
    await assert.rejects(renew(() => assert.fail('sent'), { onSent: cancel }));
  });

  test('keeps what the response does not replace, and reads tokens beside or inside `data`', async () => {
    const other = { refreshToken: SECRET, apiKey: 'k' };
    const read = async (body: unknown, status?: number): Promise<Credential> =>
      (await renew(json(body, status))).credential;
    assert.deepEqual(await read({ access_token: 'new' }), { ...other, accessToken: 'new' });
    assert.deepEqual(await read({ access_token: 'new' }, 299), { ...other, accessToken: 'new' });
    assert.deepEqual(await read({ access_token: 'new', refresh_token: 7 }), { ...other, accessToken: 'new' });
    const both = { access_token: 'new', refresh_token: 'refresh-2' };
    const expected = { accessToken: 'new', refreshToken: 'refresh-2', apiKey: 'k' };
    assert.deepEqual(await read(both), expected);
    assert.deepEqual(await read({ success: true, data: both }), expected);
    assert.deepEqual(await read({ ...both, data: { access_token: 'inner' } }), expected);
  });

  test('tells how far the clock of the platform is ahead', async () => {
    const getAhead = async (date: string): Promise<number> =>
      (
        await renew((request, response) => {
          response.setHeader('date', date);
          json({ access_token: 'new' })(request, response);
        })
      ).clockAhead;
    const hour = 3_600_000;
    const ahead = await getAhead(new Date(Date.now() + hour).toUTCString());
    assert.ok(Math.abs(ahead - hour) < hour / 2, String(ahead));
    assert.equal(await getAhead('some time'), 0);
  });

  for (const [status, body, code, message] of [
    [401, '{}', 'unauthenticated', undefined],
    [400, `{"message":"${SECRET} is over"}`, 'unauthenticated', /^\S+ is over$/],
    [499, '', 'unauthenticated', undefined],
    [408, '', 'server', undefined],
    [429, '', 'server', undefined],
    [500, 'down', 'server', /^down$/],
    [302, '', 'contract', undefined],
    [300, '{"access_token":"new"}', 'server', undefined],
    [200, 'hello', 'contract', undefined],
    [200, '<html><title>Sign in</title></html>', 'contract', /Sign in/],
    [200, 'null', 'contract', undefined],
    [200, '{"data":null}', 'contract', undefined],
    [200, '{"access_token":7}', 'contract', undefined],
    [200, '{"refresh_token":"r"}', 'contract', undefined],
    [200, '{"access_token":"a\\nb"}', 'contract', undefined],
  ] as const) {
    test(`a response ${String(status)} ${body} is ${code}, and is not retried`, async () => {
      let requestCount = 0;
      const handler: Handler = (_request, response) => {
        requestCount++;
        response.writeHead(status, status === 302 ? { location: 'https://evil.example/' } : {}).end(body);
      };
      await assert.rejects(
        renew(handler),
        failsWith(code, (error) => {
          assert.equal(error.detail.status, status);
          if (message === undefined) assert.ok(!('serverMessage' in error.detail));
          else assert.match(error.detail.serverMessage ?? '', message);
          assert.ok(!JSON.stringify([error.message, error.detail]).includes(SECRET));
          return true;
        }),
      );
      assert.equal(requestCount, 1);
    });
  }
});
