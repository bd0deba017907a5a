/** Unauthenticated GET requests: bytes or headers, no redirects, and the restriction to public addresses. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import dns from 'node:dns';
import {
  getUnauthenticated,
  type UnauthenticatedGetOptions,
} from '../../../../src/platform/http/unauthenticated-get.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { assertPublicHost, isPrivateAddress, publicLookup } from '../../../../src/platform/http/public-address.ts';
import type { NetworkSettings, Transport, TransportResponse } from '../../../../src/platform/http/transport.ts';
import { createTransport } from '../../../../src/platform/http/undici-transport.ts';
import { getTestCertificateAuthority } from '../../../support/http/certificate-authority.ts';
import { startProxy } from '../../../support/http/proxy-server.ts';
import { assertFails, post } from '../../../support/http/requests.ts';
import { Servers } from '../../../support/http/servers.ts';

const MOST = 100_000;

/** Replaces the lookup of host names while `run` runs. */
async function withLookup(find: () => readonly object[], run: () => Promise<void>): Promise<void> {
  const { lookup } = dns;
  dns.lookup = Object.assign(
    (...parameters: readonly unknown[]) => {
      const callback = parameters.at(-1);
      assert.ok(typeof callback === 'function');
      Reflect.apply(callback, undefined, [null, find()]);
    },
    { __promisify__: lookup.__promisify__ },
  );
  try {
    await run();
  } finally {
    dns.lookup = lookup;
  }
}

suite('unauthenticated requests', () => {
  const servers = new Servers();
  let opened: Transport[] = [];
  const { signal } = new AbortController();
  const get = (
    url: string,
    more: Partial<UnauthenticatedGetOptions> = {},
    settings: NetworkSettings = {},
  ): Promise<TransportResponse> => {
    const transport = createTransport({ environment: {}, ...settings });
    opened.push(transport);
    const options = { accept: 'image/*', timeout: 60_000, signal, ...more };
    return getUnauthenticated((request) => transport.send(request), new URL(url), options);
  };
  teardown(async () => {
    await Promise.all(opened.map((transport) => transport.close()));
    opened = [];
    servers.close();
  });

  test('bytes are unchanged, and the headers do not identify the user', async () => {
    const bytes = randomBytes(50_000);
    const server = await servers.http((_request, response) => response.end(bytes));
    const { text } = await get(`http://me:secret@127.0.0.1:${String(server.port)}/a.png?x=1#y`, { maxBytes: MOST });
    assert.ok(Buffer.from(text, 'base64').equals(bytes));
    const [received] = server.received;
    assert.equal(received?.url, '/a.png?x=1');
    assert.deepEqual(Object.keys(received.headers).sort(), [
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    await assert.rejects(get(server.origin, { maxBytes: 49_999 }), { code: 'tooLarge' });
  });

  test('only the headers of a page are read, however long it is', async () => {
    const server = await servers.http((_request, response) => {
      response.writeHead(200, { 'x-frame-options': 'DENY', 'content-type': 'text/html' });
      response.write('<p>this never ends');
    });
    const { status, headers, text } = await get(server.origin);
    assert.deepEqual([status, headers['x-frame-options'], text], [200, 'DENY', '']);
  });

  test('a redirect is the response and is not followed', async () => {
    const server = await servers.http((_request, response) =>
      response.writeHead(302, { location: `/next`, 'x-frame-options': 'DENY' }).end('moved'),
    );
    assert.equal((await get(server.origin, { maxBytes: MOST })).status, 302);
    assert.equal((await get(server.origin)).headers['x-frame-options'], 'DENY');
    assert.equal(server.received.length, 2);
  });

  test('an authority of the settings is trusted', async () => {
    const authority = await getTestCertificateAuthority();
    const keys = await authority.issue(['127.0.0.1']);
    const server = await servers.http((_request, response) => response.end('picture'), keys);
    await assert.rejects(get(server.origin, { maxBytes: MOST }), /certificate/);
    assert.equal(server.received.length, 0);
    const { text } = await get(server.origin, { maxBytes: MOST }, { certificates: [authority.certificate] });
    assert.equal(Buffer.from(text, 'base64').toString(), 'picture');
  });

  test('the proxy of the settings is used', async () => {
    const proxy = await startProxy(servers);
    const server = await servers.http((_request, response) => response.end('picture'));
    const url = `http://files.example.test:${String(server.port)}/a.png`;
    assert.equal((await get(url, { maxBytes: MOST }, { proxy: proxy.origin })).status, 200);
    assert.deepEqual(proxy.targets, [`GET ${url}`]);
  });

  test('publicOnly: private addresses are not connected to, nor by a proxy', async () => {
    const server = await servers.http((_request, response) => response.end());
    const proxy = await startProxy(servers);
    const port = String(server.port);
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `a.localhost:${port}`, `[::ffff:127.0.0.1]:${port}`];
    for (const host of [...hosts, `2130706433:${port}`, '10.0.0.1', '[fd00::1]', '169.254.169.254'])
      for (const settings of [{}, { proxy: proxy.origin }])
        await assert.rejects(get(`http://${host}/`, { publicOnly: true }, settings), (error: unknown) => {
          assert.ok(error instanceof PlatformError);
          assert.match(error.message, /is on a private address/);
          assert.equal(error.detail.sent, false);
          return true;
        });
    assert.deepEqual([server.connections(), proxy.targets], [0, []]);
    // An unknown name is not passed to the proxy, which may resolve it to a private address.
    await assert.rejects(get('http://inside.example.test/', { publicOnly: true }, { proxy: proxy.origin }), {
      code: 'network',
    });
    assert.deepEqual(proxy.targets, []);
  });

  test('publicOnly: a name that resolves to a private address only for the socket is not connected to', async () => {
    const server = await servers.http((_request, response) => response.end());
    const addresses = ['1.1.1.1', '127.0.0.1'];
    const url = `http://rebound.example.test:${String(server.port)}/`;
    await withLookup(
      () => [{ address: addresses.shift(), family: 4 }],
      () => assert.rejects(get(url, { publicOnly: true }), /is on a private address/),
    );
    assert.deepEqual([addresses, server.connections()], [[], 0]);
  });

  test('publicOnly: one private address among those of a name is enough to refuse it', async () => {
    const [near, far] = [
      { address: '10.0.0.1', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ];
    const find = async (found: readonly object[], all: boolean): Promise<unknown> => {
      let result: unknown;
      await withLookup(
        () => found,
        async () => {
          publicLookup('any.example.test', { all }, (error, ...addresses) => {
            result = error === null ? addresses : error.code;
          });
          return Promise.resolve();
        },
      );
      return result;
    };
    assert.deepEqual([await find([far], true), await find([far], false)], [[[far]], [far.address, 6]]);
    for (const found of [[far, near], [near], []])
      for (const all of [true, false]) assert.equal(await find(found, all), 'EPRIVATE');
  });

  test('a proxy, and what need not be public, may have a name of this computer', async () => {
    const server = await servers.http((_request, response) => response.end('picture'));
    assert.equal((await get(`http://localhost:${String(server.port)}/`)).status, 200);
    const proxy = await startProxy(servers);
    const settings = { proxy: proxy.origin.replace('127.0.0.1', 'localhost') };
    assert.equal((await get(`http://1.1.1.1:${String(server.port)}/`, { publicOnly: true }, settings)).status, 200);
    const transport = createTransport({ environment: {} });
    opened.push(transport);
    await assertFails(transport, post('http://10.0.0.1/', { publicOnly: true }), {
      code: 'network',
      sent: false,
      message: /is on a private address/,
    });
  });

  test('a lookup that never ends is left at the time limit and on cancellation', async () => {
    const { lookup } = dns;
    const controller = new AbortController();
    dns.lookup = Object.assign(
      () => {
        controller.abort();
      },
      { __promisify__: lookup.__promisify__ },
    );
    try {
      const url = 'http://slow.example.test/';
      await assert.rejects(get(url, { publicOnly: true, signal: controller.signal }), (error: unknown) => {
        assert.ok(error instanceof PlatformError);
        assert.deepEqual([error.code, error.detail.sent], ['cancelled', false]);
        return true;
      });
      await assert.rejects(assertPublicHost(new URL(url), 10, undefined), { code: 'ETIMEDOUT' });
    } finally {
      dns.lookup = lookup;
    }
  });

  test('private addresses in every spelling', () => {
    const hidden = [
      '127.0.0.1',
      '10.1.2.3',
      '172.31.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
      '::1',
      '::',
      'fe80::1',
      'fd00::1',
      '::ffff:10.0.0.1',
      '::ffff:a00:1',
      '::ffff:7f00:1',
      '::10.0.0.1',
      '0:0:0:0:0:ffff:192.168.0.1',
      'fe80::1%eth0',
      '[fd00::1]',
      '64:ff9b::a00:1',
      '2002:a00:1::',
      '198.19.255.255',
      '203.0.113.9',
      'not-an-ip',
    ];
    for (const address of hidden) assert.ok(isPrivateAddress(address), address);
    for (const address of [
      '1.1.1.1',
      '8.8.8.8',
      '172.32.0.1',
      '100.128.0.1',
      '::ffff:1.1.1.1',
      '198.20.0.1',
      '2606:4700::1111',
    ])
      assert.ok(!isPrivateAddress(address), address);
  });
});
