/** Renewing access tokens in a session. */
import assert from 'node:assert/strict';
import { ConnectionSession } from '../../../../src/connections/session/connection-session.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { createTestProfile, useServers } from '../../../support/platform-client.ts';

/** A token that expired in 2020. */
const EXPIRED = ['{"alg":"none"}', '{"exp":1577836800}', 'x']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');

suite('sessions with a refresh path', () => {
  const { servers, transport } = useServers();

  for (const accessToken of [EXPIRED, 'opaque'])
    test(`a refresh path that responds with a web page is requested once, and its reason is shown: ${accessToken.slice(0, 6)}`, async () => {
      const server = await servers.http(({ method }, response) => {
        if (method === 'POST') response.end('<!doctype html><title>Log in</title>');
        else response.writeHead(401).end();
      });
      const session = new ConnectionSession({
        profile: { ...createTestProfile(server.origin), refreshPath: '/auth/refresh' },
        identity: 'default',
        hasOtherIdentities: () => false,
        credential: { accessToken, refreshToken: 'refresh-token-1' },
        signedOutReason: undefined,
        transport,
        timeouts: () => ({ connect: 5000, headers: 5000, body: 5000 }),
        executeTimeouts: () => ({ connect: 5000, headers: 5000, body: 5000 }),
        maxConcurrent: 2,
        secrets: () => ['refresh-token-1'],
        onRequest: () => undefined,
        onChange: () => undefined,
        isPlainHttpAllowed: () => Promise.resolve(true),
        storeRenewed: () => assert.fail('nothing was renewed'),
        signInAgain: () => Promise.resolve(false),
      });
      for (let read = 0; read < 3; read++)
        await assert.rejects(session.client.listPage('objects'), (error: unknown) => {
          assert.ok(error instanceof PlatformError);
          assert.equal(error.code, 'unauthenticated');
          assert.equal(
            error.message,
            'The access token of Test could not be renewed: The response from auth.refreshPath contains no access token — “web page “Log in””',
          );
          return true;
        });
      assert.equal(server.received.filter(({ method }) => method === 'POST').length, 1);
    });
});
