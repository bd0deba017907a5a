/** Requests that present nobody: bytes or headers alone, no redirect, never a private address where that is asked. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import dns from 'node:dns';
import { plainGet, type PlainGet } from '../../../../src/platform/plain-get.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { demandPublic, isPrivateAddress } from '../../../../src/platform/net/public.ts';
import type { NetworkSettings, Transport, TransportAnswer } from '../../../../src/platform/transport.ts';
import { createTransport } from '../../../../src/platform/undici.ts';
import { testAuthority } from './authority.ts';
import { startProxy } from './proxy-server.ts';
import { Servers } from './servers.ts';

const MOST = 100_000;

suite('plain requests', () => {
  const servers = new Servers();
  let opened: Transport[] = [];
  const { signal } = new AbortController();
  const get = (url: string, more: Partial<PlainGet> = {}, settings: NetworkSettings = {}): Promise<TransportAnswer> => {
    const transport = createTransport({ environment: {}, ...settings });
    opened.push(transport);
    const options = { accept: 'image/*', timeout: 5000, signal, ...more };
    return plainGet((request) => transport.send(request), new URL(url), options);
  };
  teardown(async () => {
    await Promise.all(opened.map((transport) => transport.close()));
    opened = [];
    servers.close();
  });

  test('bytes come as they are, headers without a word of who asks', async () => {
    const bytes = randomBytes(50_000);
    const server = await servers.http((_request, response) => response.end(bytes));
    const { text } = await get(`http://me:secret@127.0.0.1:${String(server.port)}/a.png?x=1#y`, { most: MOST });
    assert.ok(Buffer.from(text, 'base64').equals(bytes));
    const [seen] = server.received;
    assert.equal(seen?.url, '/a.png?x=1');
    assert.deepEqual(Object.keys(seen.headers).sort(), [
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    await assert.rejects(get(server.origin, { most: 49_999 }), { code: 'tooLarge' });
  });

  test('of a page only the headers are read, however long it is', async () => {
    const server = await servers.http((_request, response) => {
      response.writeHead(200, { 'x-frame-options': 'DENY', 'content-type': 'text/html' });
      response.write('<p>this never ends');
    });
    const { status, headers, text } = await get(server.origin);
    assert.deepEqual([status, headers['x-frame-options'], text], [200, 'DENY', '']);
  });

  test('a redirect is the answer, and nobody goes there', async () => {
    const server = await servers.http((_request, response) =>
      response.writeHead(302, { location: `/next`, 'x-frame-options': 'DENY' }).end('moved'),
    );
    assert.equal((await get(server.origin, { most: MOST })).status, 302);
    assert.equal((await get(server.origin)).headers['x-frame-options'], 'DENY');
    assert.equal(server.received.length, 2);
  });

  test('an authority of the settings counts', async () => {
    const authority = await testAuthority();
    const keys = await authority.issue(['127.0.0.1']);
    const server = await servers.http((_request, response) => response.end('picture'), keys);
    await assert.rejects(get(server.origin, { most: MOST }), /certificate/);
    assert.equal(server.received.length, 0);
    const { text } = await get(server.origin, { most: MOST }, { certificates: [authority.certificate] });
    assert.equal(Buffer.from(text, 'base64').toString(), 'picture');
  });

  test('the proxy of the settings counts', async () => {
    const proxy = await startProxy(servers);
    const server = await servers.http((_request, response) => response.end('picture'));
    const url = `http://files.example.test:${String(server.port)}/a.png`;
    assert.equal((await get(url, { most: MOST }, { proxy: proxy.origin })).status, 200);
    assert.deepEqual(proxy.asked, [`GET ${url}`]);
  });

  test('where only public addresses are, others are neither asked nor connected to, by a proxy neither', async () => {
    const server = await servers.http((_request, response) => response.end());
    const proxy = await startProxy(servers);
    const port = String(server.port);
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `a.localhost:${port}`, `[::ffff:127.0.0.1]:${port}`];
    for (const host of [...hosts, `2130706433:${port}`, '10.0.0.1', '[fd00::1]', '169.254.169.254'])
      for (const settings of [{}, { proxy: proxy.origin }])
        await assert.rejects(get(`http://${host}/`, { publicOnly: true }, settings), (error: unknown) => {
          assert.ok(error instanceof PlatformError);
          assert.match(error.message, /lies on a private address/);
          assert.equal(error.detail.sent, false);
          return true;
        });
    assert.deepEqual([server.connections(), proxy.asked], [0, []]);
    // What no name server knows is not handed to the proxy, which may know it as a private one.
    await assert.rejects(get('http://inside.example.test/', { publicOnly: true }, { proxy: proxy.origin }), {
      code: 'network',
    });
    assert.deepEqual(proxy.asked, []);
  });

  test('a name server that never answers is not waited for: neither past the time limit nor by who has left', async () => {
    const { lookup } = dns;
    const person = new AbortController();
    dns.lookup = Object.assign(
      () => {
        person.abort();
      },
      { __promisify__: lookup.__promisify__ },
    );
    try {
      const url = 'http://slow.example.test/';
      await assert.rejects(get(url, { publicOnly: true, signal: person.signal }), { code: 'cancelled' });
      await assert.rejects(demandPublic(new URL(url), 10, undefined), { code: 'ETIMEDOUT' });
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
      '64:ff9b::a00:1',
      'not-an-ip',
    ];
    for (const address of hidden) assert.ok(isPrivateAddress(address), address);
    for (const address of ['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111'])
      assert.ok(!isPrivateAddress(address), address);
  });
});
