/** Redirects: followed, refused, and without credentials for other origins. */
import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { createTransport } from '../../../../src/platform/http/undici-transport.ts';
import { getTestCertificateAuthority } from '../../../support/http/certificate-authority.ts';
import { CANARY, assertFails, get, post } from '../../../support/http/requests.ts';
import type { Handler } from '../../../support/http/servers.ts';
import { PATIENT, useServers } from '../../../support/platform-client.ts';

const SECRET_HEADERS = {
  'X-Api-Key': CANARY,
  Authorization: `Bearer ${CANARY}`,
  Cookie: `session=${CANARY}`,
  accept: 'application/json',
};

/** Redirects `/to?location=…` to that URL, answers anything else. */
const follow: Handler = (request, response) => {
  const location = new URL(request.url, 'http://any').searchParams.get('location');
  if (location === null) response.end('arrived');
  else response.writeHead(302, { location }).end('moved');
};

const to = (origin: string, target: string): string => `${origin}/to?location=${encodeURIComponent(target)}`;

suite('transport: redirects', () => {
  const { servers, transport } = useServers();

  for (const status of [301, 302, 303, 307, 308]) {
    test(`${status} is followed by a GET and an error for a POST`, async () => {
      const server = await servers.http((request, response) => {
        if (request.url.startsWith('/old')) response.writeHead(status, { location: '../new?page=2#part' }).end('moved');
        else response.end('arrived');
      });
      const answer = await transport.send(get(`${server.origin}/old/list`, { headers: SECRET_HEADERS }));
      assert.deepEqual([answer.text, answer.url.href], ['arrived', `${server.origin}/new?page=2`]);
      assert.equal(server.received[1]?.headers['x-api-key'], CANARY);
      assert.equal(server.received[1].headers.authorization, `Bearer ${CANARY}`);
      assert.equal(server.connections(), 1);
      for (const redirect of ['error', 'follow'] as const) {
        const error = await assertFails(transport, post(`${server.origin}/old/list`, { redirect }), {
          code: 'contract',
          sent: true,
          message: /redirect \(\d+\) to http:\/\/127\.0\.0\.1:\d+, which is not followed/,
        });
        assert.equal(error.detail.status, status);
      }
      assert.deepEqual(
        server.received.map((request) => request.method),
        ['GET', 'GET', 'POST', 'POST'],
      );
    });
  }

  test('a refused redirect names the origin of the target, not its path or query', async () => {
    const server = await servers.http(follow);
    const error = await assertFails(
      transport,
      get(to(server.origin, 'https://login.example/in?code=1234'), { redirect: 'error' }),
      { code: 'contract', sent: true, message: /to https:\/\/login\.example, which/ },
    );
    assert.doesNotMatch(error.message, /1234|\/in/);
    const other = await servers.http((_request, response) => response.writeHead(304).end());
    assert.equal((await transport.send(get(other.origin, { redirect: 'error' }))).status, 304);
  });

  test('another origin gets no credential, nor does a later hop to the first origin', async () => {
    const first = await servers.http(follow);
    const second = await servers.http(follow);
    const back = to(second.origin, `${first.origin}/end`);
    const answer = await transport.send(get(to(first.origin, back), { headers: SECRET_HEADERS }));
    assert.equal(answer.url.href, `${first.origin}/end`);
    for (const request of [second.received[0], first.received[1]]) {
      assert.equal(request?.headers.accept, 'application/json');
      assert.doesNotMatch(JSON.stringify(request.headers), new RegExp(CANARY));
    }
  });

  test('https on the same host and port is another origin, and gets no credential', async () => {
    const authority = await getTestCertificateAuthority();
    const received: http.IncomingHttpHeaders[] = [];
    const listener: http.RequestListener = (request, response) => {
      received.push(request.headers);
      const isPlain = !(request.socket instanceof tls.TLSSocket);
      if (isPlain) response.writeHead(301, { location: `https://${request.headers.host ?? ''}/end` }).end();
      else response.end('arrived');
    };
    const plain = http.createServer(listener);
    const secure = https.createServer(await authority.issue(['127.0.0.1']), listener);
    // The first byte of TLS is 22.
    const both = net.createServer((socket) =>
      socket.once('data', (chunk) => {
        socket.pause();
        socket.unshift(chunk);
        (chunk[0] === 22 ? secure : plain).emit('connection', socket);
        process.nextTick(() => socket.resume());
      }),
    );
    const { origin } = await servers.add(both);
    const trusting = createTransport({ environment: {}, certificates: [authority.certificate] });
    const answer = await trusting.send(get(`${origin}/list`, { headers: SECRET_HEADERS }));
    assert.equal(answer.url.href, `${origin.replace('http:', 'https:')}/end`);
    assert.equal(received[0]?.['x-api-key'], CANARY);
    assert.doesNotMatch(JSON.stringify(received[1]), new RegExp(CANARY));
    await trusting.close();
  });

  test('a POST to another origin is not sent there, and asks for the other base URL', async () => {
    const server = await servers.http(follow);
    for (const target of ['https://new.example/api', 'http://127.0.0.1:1/api']) {
      const error = await assertFails(transport, post(to(server.origin, target)), {
        code: 'contract',
        sent: true,
        message: /^127\.0\.0\.1:\d+ redirects to https?:\/\/[\w.:]+: change the base URL\?$/,
      });
      assert.equal(error.detail.redirect, new URL(target).origin);
    }
  });

  test('userinfo in a location is not sent', async () => {
    const server = await servers.http(follow);
    const target = server.origin.replace('//', '//user:secret@');
    const answer = await transport.send(get(to(server.origin, `${target}/end`)));
    assert.equal(answer.url.href, `${server.origin}/end`);
    assert.equal(server.received[1]?.headers.authorization, undefined);
  });

  test('five are followed, a sixth is refused, and a loop ends', async () => {
    const server = await servers.http((request, response) => {
      const left = Number(/^\/(\d)/.exec(request.url)?.[1] ?? 0);
      if (left === 0) response.end('arrived');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    assert.equal((await transport.send(get(`${server.origin}/5`))).text, 'arrived');
    await assertFails(transport, get(`${server.origin}/6`), {
      code: 'contract',
      sent: true,
      message: /after 5 other redirects/,
    });
    const loop = await servers.http((_request, response) => response.writeHead(302, { location: '/' }).end());
    await assertFails(transport, get(loop.origin), {
      code: 'contract',
      sent: true,
      message: /after 5 other redirects/,
    });
    assert.equal(loop.received.length, 6);
  });

  const refused: readonly [string, RegExp][] = [
    ['ftp://files.example/x', /to ftp:, which is not a web address/],
    ['file:///etc/passwd', /to file:, which is not/],
    ['data:text/plain,x', /to data:, which is not/],
    ['javascript:alert(1)', /to javascript:, which is not/],
    ['http://', /without an address/],
  ];
  for (const [location, message] of refused) {
    test(`refused: ${location}`, async () => {
      const server = await servers.http(follow);
      await assertFails(transport, get(to(server.origin, location)), { code: 'contract', sent: true, message });
    });
  }

  test('a redirect without location, and one whose body never ends', async () => {
    const server = await servers.http((_request, response) => response.writeHead(302).end());
    await assertFails(transport, get(server.origin), { code: 'contract', sent: true, message: /without an address/ });
    const endless = await servers.raw((_text, socket) =>
      socket.write('HTTP/1.1 302 Found\r\nlocation: ftp://x\r\n\r\nmore'),
    );
    await assertFails(transport, get(endless.origin, { timeouts: { ...PATIENT, body: 150 } }), {
      code: 'contract',
      sent: true,
      message: /ftp:/,
    });
  });

  test('https never falls back to http', async () => {
    const authority = await getTestCertificateAuthority();
    const plain = await servers.http(follow);
    const secure = await servers.http(follow, await authority.issue(['127.0.0.1']));
    const trusting = createTransport({ environment: {}, certificates: [authority.certificate] });
    await assertFails(trusting, get(to(secure.origin, plain.origin)), {
      code: 'contract',
      sent: true,
      message: /from https to http:\/\/127\.0\.0\.1:\d+, which is not encrypted/,
    });
    assert.equal(plain.received.length, 0);
    const up = await trusting.send(get(to(plain.origin, `${secure.origin}/end`), { headers: SECRET_HEADERS }));
    assert.equal(up.url.href, `${secure.origin}/end`);
    assert.equal(secure.received[1]?.headers['x-api-key'], undefined);
    const within = await trusting.send(get(to(secure.origin, `${secure.origin}/end`)));
    assert.equal(within.url.href, `${secure.origin}/end`);
    await trusting.close();
  });
});
