/** Requests through a local authenticating proxy: forwarded http, tunnelled https, and the secrets that each server receives. */
import assert from 'node:assert/strict';
import https from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { NetworkSettings, Transport } from '../../../../src/platform/http/transport.ts';
import { createTransport } from '../../../../src/platform/http/undici-transport.ts';
import { getTestCertificateAuthority } from '../../../support/http/certificate-authority.ts';
import { startProxy, type LocalProxy } from '../../../support/http/proxy-server.ts';
import { CANARY, assertFails, get, post } from '../../../support/http/requests.ts';
import { closedPort, Servers, type LocalServer } from '../../../support/http/servers.ts';
import { PATIENT } from '../../../support/platform-client.ts';

const CREDENTIALS = `user:p@ss/${CANARY}`;
/** A name that only the proxy resolves. */
const HOST = 'api.example.test';

suite('transport: proxies', () => {
  const servers = new Servers();
  let opened: Transport[] = [];
  const open = (settings: NetworkSettings): Transport => {
    const transport = createTransport({ environment: {}, ...settings });
    opened.push(transport);
    return transport;
  };
  teardown(async () => {
    await Promise.all(opened.map((transport) => transport.close()));
    opened = [];
    servers.close();
  });

  const plainOrigin = (): Promise<LocalServer> => servers.http((_request, response) => response.end('arrived'));
  const secureOrigin = async (): Promise<LocalServer> =>
    servers.http(
      (_request, response) => response.end('arrived'),
      await (await getTestCertificateAuthority()).issue([HOST]),
    );
  const address = (proxy: LocalProxy, credentials = CREDENTIALS): string => {
    const url = new URL(proxy.origin);
    const [username = '', password = ''] = credentials.split(':');
    url.username = encodeURIComponent(username);
    url.password = encodeURIComponent(password);
    return url.href;
  };

  test('http is forwarded with an absolute address; the credentials of the proxy stop there', async () => {
    const proxy = await startProxy(servers, { credentials: CREDENTIALS });
    const origin = await plainOrigin();
    const transport = open({ proxy: address(proxy) });
    const answer = await transport.send(post(`http://${HOST}:${origin.port}/x`));
    assert.equal(answer.text, 'arrived');
    assert.equal(answer.url.host, `${HOST}:${origin.port}`);
    assert.deepEqual(proxy.targets, [`POST http://${HOST}:${origin.port}/x?token=${CANARY}`]);
    const [request] = origin.received;
    assert.equal(request?.headers.host, `${HOST}:${origin.port}`);
    assert.equal(request.headers['proxy-authorization'], undefined);
    assert.equal(request.headers['x-api-key'], CANARY);
  });

  test('https goes through a tunnel: the proxy sees host and port, the origin no proxy credentials', async () => {
    const proxy = await startProxy(servers, { credentials: 'user:open sesame' });
    const origin = await secureOrigin();
    const transport = open({
      proxy: address(proxy, 'user:open sesame'),
      certificates: [(await getTestCertificateAuthority()).certificate],
    });
    for (const request of [get, post]) {
      assert.equal((await transport.send(request(`https://${HOST}:${origin.port}/x`))).text, 'arrived');
    }
    assert.deepEqual(proxy.targets, [`CONNECT ${HOST}:${origin.port}`]);
    assert.doesNotMatch(proxy.getReceived(), new RegExp(`${CANARY}|x-api-key`));
    assert.match(proxy.getReceived(), /proxy-authorization/);
    assert.equal(origin.received[0]?.headers['proxy-authorization'], undefined);
    assert.equal(origin.received[1]?.headers['x-api-key'], CANARY);
    assert.equal(origin.connections(), 1);
  });

  test('a proxy that itself speaks TLS', async () => {
    const authority = await getTestCertificateAuthority();
    const proxy = await startProxy(servers, { credentials: CREDENTIALS, keys: await authority.issue(['127.0.0.1']) });
    const secure = await secureOrigin();
    const plain = await plainOrigin();
    const transport = open({ proxy: address(proxy), certificates: [authority.certificate] });
    assert.equal((await transport.send(get(`https://${HOST}:${secure.port}`))).text, 'arrived');
    assert.equal((await transport.send(get(`http://${HOST}:${plain.port}`))).text, 'arrived');
    assert.equal((await transport.send(get(`http://other.example.test:${plain.port}`))).text, 'arrived');
    const strangers = open({ proxy: address(proxy) });
    const message = /certificate of the proxy 127\.0\.0\.1:\d+ is signed by an authority.*smartObjects\.caCertificates/;
    for (const url of [`https://${HOST}:${secure.port}`, `http://${HOST}:${plain.port}`]) {
      await assertFails(strangers, post(url), { code: 'network', sent: false, message });
    }
  });

  for (const protocol of ['http', 'https']) {
    test(`${protocol}: a 407 names the proxy and requests credentials, or correct ones`, async () => {
      const proxy = await startProxy(servers, { credentials: CREDENTIALS });
      const url = `${protocol}://${HOST}:1/x`;
      const without = new RegExp(`the proxy 127\\.0\\.0\\.1:${proxy.port} requires credentials \\(407\\)`);
      await assertFails(open({ proxy: proxy.origin }), post(url), { code: 'network', sent: false, message: without });
      const wrong = address(proxy, `user:${CANARY}-wrong`);
      await assertFails(open({ proxy: wrong }), post(url), {
        code: 'network',
        sent: false,
        message: /did not accept the credentials/,
      });
    });
  }

  test('a 407 of an origin is a response', async () => {
    const origin = await servers.http((_request, response) => response.writeHead(407).end());
    assert.equal((await open({}).send(get(origin.origin))).status, 407);
  });

  test('a proxy that refuses the tunnel, breaks, is silent or does not exist', async () => {
    const url = `https://${HOST}:443/`;
    for (const refuse of [300, 403]) {
      const refusing = await startProxy(servers, { refuse });
      await assertFails(open({ proxy: refusing.origin }), post(url), {
        code: 'network',
        sent: false,
        message: new RegExp(`the proxy 127\\.0\\.0\\.1:\\d+ responded ${String(refuse)}`),
      });
    }
    const breaking = await servers.raw((_text, socket) => socket.resetAndDestroy());
    await assertFails(open({ proxy: breaking.origin }), post(url), {
      code: 'network',
      sent: false,
      message: /the proxy 127\.0\.0\.1:\d+ reset the connection/,
    });
    const closing = await servers.raw((_text, socket) => socket.end());
    await assertFails(open({ proxy: closing.origin }), post(url), {
      code: 'network',
      sent: false,
      message: /the proxy 127\.0\.0\.1:\d+ closed the connection/,
    });
    for (const close of ['end', 'destroy', 'resetAndDestroy'] as const) {
      const accepting = await servers.raw((_text, socket) => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n', () => socket[close]());
      });
      await assertFails(open({ proxy: accepting.origin }), post(url), {
        code: 'network',
        sent: false,
        message: /^Could not connect: the proxy 127\.0\.0\.1:\d+ closed the tunnel to api\.example\.test:443\.$/,
      });
    }
    const silent = await servers.raw(() => undefined);
    const soon = { timeouts: { ...PATIENT, connect: 150 } };
    await assertFails(open({ proxy: silent.origin }), post(url, soon), {
      code: 'timeout',
      sent: false,
      message: /the proxy 127\.0\.0\.1:\d+ did not respond in time/,
    });
    const closedHost = `127.0.0.1:${await closedPort()}`;
    for (const target of [url, `http://${HOST}/`]) {
      await assertFails(open({ proxy: closedHost }), post(target), {
        code: 'network',
        sent: false,
        message: /the proxy 127\.0\.0\.1:\d+ refused the connection \(ECONNREFUSED\)/,
      });
    }
  });

  test('the connection of a refused tunnel is closed', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<undefined>();
    const refusing = await servers.raw((_text, socket) => {
      socket.once('close', () => resolve(undefined));
      socket.write('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
    });
    const message = /responded 403/;
    await assertFails(open({ proxy: refusing.origin }), post(`https://${HOST}/`), {
      code: 'network',
      sent: false,
      message,
    });
    await closed;
  });

  test('the address of a tunnel to IPv6 has brackets', async () => {
    const proxy = await startProxy(servers, { refuse: 403 });
    const message = /responded 403/;
    await assertFails(open({ proxy: proxy.origin }), get('https://[2001:db8::1]:8443/'), {
      code: 'network',
      sent: false,
      message,
    });
    assert.deepEqual(proxy.targets, ['CONNECT [2001:db8::1]:8443']);
  });

  test('TLS names the server that is connected to, if it has a name', async () => {
    const authority = await getTestCertificateAuthority();
    const names: unknown[] = [];
    const server = https.createServer(await authority.issue([HOST, '127.0.0.1']), (_request, response) => {
      response.end('arrived');
    });
    server.on('secureConnection', ({ servername }: TLSSocket & { readonly servername?: unknown }) => {
      names.push(servername);
    });
    const { port } = await servers.add(server, 'https');
    const settings = { certificates: [authority.certificate] };
    const proxy = await startProxy(servers);
    await open({ ...settings, proxy: proxy.origin }).send(get(`https://${HOST}:${port}/`));
    await open(settings).send(get(`https://127.0.0.1:${port}/`));
    assert.deepEqual(names, [HOST, false]);
  });

  test('an untrusted origin behind a tunnel is named, not the proxy', async () => {
    const proxy = await startProxy(servers);
    const origin = await secureOrigin();
    const message = new RegExp(`certificate of api\\.example\\.test:${origin.port} is signed by an authority`);
    await assertFails(open({ proxy: proxy.origin }), post(`https://${HOST}:${origin.port}`), {
      code: 'network',
      sent: false,
      message,
    });
    assert.equal(origin.received.length, 0);
  });

  test('the environment is used without settings, and closing ends pending tunnels', async () => {
    const proxy = await startProxy(servers);
    const origin = await plainOrigin();
    const transport = open({ environment: { HTTP_PROXY: proxy.origin } });
    await transport.send(get(`http://${HOST}:${origin.port}`));
    await transport.send(get(origin.origin));
    assert.equal(proxy.targets.length, 1);
    const silent = await servers.raw(() => undefined);
    const waiting = open({ environment: { HTTPS_PROXY: silent.origin } });
    const pending = assertFails(waiting, get(`https://${HOST}`), {
      code: 'cancelled',
      sent: false,
      message: /canceled/,
    });
    while (silent.connections() === 0) await new Promise((resolve) => setImmediate(resolve));
    await waiting.close();
    await pending;
  });

  test('a redirect from a proxied to a direct origin drops credentials', async () => {
    const proxy = await startProxy(servers, { credentials: CREDENTIALS });
    const direct = await plainOrigin();
    const origin = await servers.http((_request, response) =>
      response.writeHead(302, { location: direct.origin }).end(),
    );
    await open({ proxy: address(proxy) }).send(get(`http://${HOST}:${origin.port}`));
    assert.doesNotMatch(JSON.stringify(direct.received), new RegExp(`${CANARY}|authorization`));
  });
});
