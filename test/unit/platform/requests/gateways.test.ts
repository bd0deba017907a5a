/** What stands between the client and the platform: redirects to another origin, firewalls, and cut messages. */
import assert from 'node:assert/strict';
import { probe } from '../../../../src/connections/check/probe.ts';
import { summarizeProbe } from '../../../../src/connections/check/format-probe.ts';
import { formatError } from '../../../../src/model/text/error-message.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { readServerMessage } from '../../../../src/platform/requests/server-message.ts';
import { createTestProfile, useServers } from '../../../support/platform-client.ts';

suite('gateways', () => {
  const { servers, transport, createClient } = useServers();
  const fail = async (result: Promise<unknown>): Promise<PlatformError> =>
    result.then(
      () => assert.fail('resolved'),
      (error: unknown) => (error instanceof PlatformError ? error : assert.fail(String(error))),
    );

  test('a redirect to another origin, which gets no credential, asks for the other base URL, not for a sign-in', async () => {
    const other = await servers.http((_request, response) => response.writeHead(401).end('{"message":"no token"}'));
    const first = await servers.http((request, response) =>
      response.writeHead(308, { location: `${other.origin}${request.url}` }).end(),
    );
    let renewals = 0;
    const renew = (): Promise<boolean> => Promise.resolve(++renewals > 0);
    const error = await fail(createClient(first, { renew }).listPage('objects'));
    const { host } = new URL(first.origin);
    assert.equal(error.message, `${host} redirects to ${other.origin}: change the base URL?`);
    assert.deepEqual(
      [error.code, error.detail.redirect, error.detail.connection],
      ['contract', other.origin, undefined],
    );
    assert.deepEqual([renewals, first.received.length, other.received.length], [0, 1, 1]);
    assert.equal(other.received[0]?.headers['x-api-key'], undefined);

    const profile = createTestProfile(first.origin);
    const found = await probe({ profile, credential: { apiKey: 'key' }, transport, secrets: () => [] });
    assert.deepEqual(summarizeProbe(found, {}, 0), { ok: false, text: `${error.message}.`, fault: 'baseUrl' });
  });

  test('the web page of a firewall is not a missing permission', async () => {
    const page = '<!DOCTYPE html><html><head><title>Access Denied</title></head></html>';
    const server = await servers.http((_request, response) => response.writeHead(403).end(page));
    const error = await fail(createClient(server).listPage('objects'));
    assert.equal(
      formatError('List objects', error),
      'List objects: A firewall or gateway refused the request (HTTP 403) — “web page “Access Denied””. Check the base URL, or ask the administrator of the network.',
    );
    const profile = createTestProfile(server.origin);
    const found = await probe({ profile, credential: { apiKey: 'key' }, transport, secrets: () => [] });
    assert.notEqual(found.credential, 'accepted');
    assert.match(summarizeProbe(found, {}, 0).text, /^A firewall or gateway refused the request/);
    const platform = await servers.http((_request, response) => response.writeHead(403).end('{"message":"role"}'));
    assert.equal((await fail(createClient(platform).listPage('objects'))).code, 'forbidden');
  });

  test('a secret in a message is masked before the message is cut, at whatever place the cut is', () => {
    const secret = 'SECRET-opaque-0123456789';
    for (const body of [(text: string) => JSON.stringify({ message: text }), (text: string) => text])
      for (let length = 440; length <= 510; length++) {
        const { message = '' } = readServerMessage(body(`${'x'.repeat(length)} ${secret} end`), [secret]);
        assert.ok(message.length <= 500);
        assert.doesNotMatch(message, /SECRET|opaque/, String(length));
      }
  });
});
