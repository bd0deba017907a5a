import assert from 'node:assert/strict';
import { fetchPageHeaders, fetchImage } from '../../../../src/faces/source/requests.ts';
import type { Send } from '../../../../src/platform/http/unauthenticated-get.ts';
import { createTransport } from '../../../../src/platform/http/undici-transport.ts';
import { Servers, type LocalServer } from '../../../support/http/servers.ts';

suite('face requests', () => {
  const servers = new Servers();
  const transport = createTransport({ environment: {} });
  const send: Send = (request) => transport.send(request);
  const { signal } = new AbortController();
  let server: LocalServer;
  const getRequestUrls = (): readonly string[] => server.received.map(({ url }) => url);

  setup(async () => {
    server = await servers.http(({ url }, answer) => {
      if (url === '/moved') answer.writeHead(302, { location: '/pic.png' }).end();
      else if (url === '/page')
        answer.writeHead(200, { 'content-type': 'text/html', 'x-frame-options': 'DENY' }).end('<p>x');
      else if (url === '/big.png') answer.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(5_000_000));
      else answer.writeHead(200, { 'content-type': 'image/png; charset=x' }).end(Buffer.from([1, 2, 255]));
    });
  });
  teardown(() => {
    servers.close();
  });
  suiteTeardown(() => transport.close());

  test('an image is fetched without redirects, and only if it is one', async () => {
    const fetched = (path: string): Promise<string | undefined> => fetchImage(send, server.origin + path, signal);
    assert.equal(await fetched('/pic.png'), 'data:image/png;base64,AQL/');
    for (const path of ['/moved', '/page', '/big.png']) assert.equal(await fetched(path), undefined, path);
    assert.equal(await fetchImage(send, 'http://127.0.0.1:1/none.png', signal), undefined);
    assert.deepEqual(getRequestUrls(), ['/pic.png', '/moved', '/page', '/big.png']);
  });

  test('page headers take one request; a private address is refused unless the connection is on one', async () => {
    const url = new URL(`${server.origin}/page`);
    const { headers } = await fetchPageHeaders(send, url, 'http://localhost:1/v1', signal);
    assert.equal(headers['x-frame-options'], 'DENY');
    for (const home of [undefined, 'https://api.example/v1'])
      await assert.rejects(fetchPageHeaders(send, url, home, signal), /is on a private address/);
    assert.deepEqual(getRequestUrls(), ['/page']);
  });
});
