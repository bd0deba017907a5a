/** Sessions: renewing access tokens, and outages. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { ConnectionSession } from '../../../../src/connections/session/connection-session.ts';
import { formatSessionProblem, formatWait } from '../../../../src/model/text/heading.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import type { Credential } from '../../../../src/platform/http/credential-headers.ts';
import { createTestProfile, useServers } from '../../../support/platform-client.ts';
import { createTestSession } from '../support.ts';

/** A token that expired in 2020. */
const EXPIRED = ['{"alg":"none"}', '{"exp":1577836800}', 'x']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');

suite('sessions of a connection', () => {
  const { servers, transport } = useServers();

  const createSession = (
    origin: string,
    credential: Credential,
    onChange: (session: ConnectionSession, type: string) => void,
  ): ConnectionSession =>
    createTestSession({
      profile: { ...createTestProfile(origin), refreshPath: '/auth/refresh' },
      credential,
      transport,
      secrets: () => ['refresh-token-1'],
      onChange,
    });

  test('a platform that cannot be reached is offline until it answers', async () => {
    let isDown = true;
    const server = await servers.http((_request, response) => {
      if (isDown) response.destroy();
      else response.writeHead(403).end();
    });
    const changes: string[] = [];
    const session = createSession(server.origin, { apiKey: 'key-1' }, (one, type) => {
      changes.push(`${type} ${String(one.offline)} ${formatSessionProblem(one) ?? ''}`.trim());
    });
    await assert.rejects(session.client.listPage('objects'), { code: 'network' });
    isDown = false;
    await assert.rejects(session.client.listPage('objects'), { code: 'forbidden' });
    assert.deepEqual(changes, ['reachability true offline', 'reachability false']);
  });

  test('a wait that the platform asked for is announced until it ends', async () => {
    let count = 0;
    const server = await servers.http((_request, response) => {
      if (++count === 1) response.writeHead(429, { 'retry-after': '1' }).end('{}');
      else response.end('{"objects":[]}');
    });
    const changes: string[] = [];
    const session = createSession(server.origin, { apiKey: 'key-1' }, (one, type) => {
      const { waitingUntil } = one;
      changes.push(`${type} ${formatWait({ waitingUntil }, Date.now()) ?? ''}`.trim());
    });
    await session.client.listPage('objects');
    assert.deepEqual([changes[0], changes.at(-1)], ['reachability waiting 1 s, asked by the platform', 'reachability']);
    assert.equal(session.waitingUntil, undefined);
  });

  test('a wait does not get longer if the clock is set back', async () => {
    let count = 0;
    const server = await servers.http((_request, response) => {
      if (++count === 1) response.writeHead(429, { 'retry-after': '2' }).end('{}');
      else response.end('{"objects":[]}');
    });
    let ahead = 0;
    mock.method(Date, 'now', () => new Date().getTime() + ahead);
    const session = createSession(server.origin, { apiKey: 'key-1' }, ({ waitingUntil }) => {
      if (waitingUntil !== undefined) ahead = -3_600_000;
    });
    try {
      await session.client.listPage('objects');
      assert.equal(session.waitingUntil, undefined);
    } finally {
      mock.restoreAll();
    }
  });

  test('a role that the platform failed to send is read again after a minute, and the one before is kept', async () => {
    // 0: the connection is lost, which the client repeats.
    const statuses = [501, 0, 0, 0, 501, 200, 501, 200];
    const permissions = [{ resource: 'objects', crud: { read: true, create: false, update: false, delete: false } }];
    const server = await servers.http((_request, response) => {
      const status = statuses.shift() ?? 404;
      if (status === 0) response.destroy();
      else response.writeHead(status).end(JSON.stringify({ id: 'role_1', permissions }));
    });
    let now = 0;
    mock.method(performance, 'now', () => now);
    const session = createTestSession({
      profile: { ...createTestProfile(server.origin), organizations: [{ id: 'org_1', source: 'settings' }] },
      credential: { apiKey: 'key-1' },
      transport,
    });
    const read = async (minutes: number, reload = false): Promise<unknown> => {
      now = minutes * 60_000;
      await session.loadPermissions(undefined, reload);
      return [server.received.length, session.hasPermission('objects', 'read')];
    };
    try {
      assert.deepEqual(await read(0), [1, undefined]);
      assert.deepEqual(await read(0.9), [1, undefined]);
      assert.deepEqual(await read(1), [4, undefined]);
      assert.deepEqual(await read(1), [5, undefined]);
      assert.deepEqual(await read(2), [6, true]);
      assert.deepEqual(await read(9), [6, true]);
      assert.deepEqual(await read(9, true), [7, true]);
      assert.deepEqual(await read(10), [8, true]);
    } finally {
      mock.restoreAll();
    }
  });

  for (const accessToken of [EXPIRED, 'opaque'])
    test(`a refresh path that responds with a web page is requested once, and its reason is shown: ${accessToken.slice(0, 6)}`, async () => {
      const server = await servers.http(({ method }, response) => {
        if (method === 'POST') response.end('<!doctype html><title>Log in</title>');
        else response.writeHead(401).end();
      });
      const session = createSession(server.origin, { accessToken, refreshToken: 'refresh-token-1' }, () => undefined);
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
