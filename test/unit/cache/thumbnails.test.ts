/** Pictures of rows: own origin, small raster images, limited concurrency, bounded cache. */
import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTransport } from '../../../src/platform/http/undici-transport.ts';
import { createDataUri, fetchPicture, getPictureUrl, resolvePictureUrl } from '../../../src/cache/picture.ts';
import { Thumbnails } from '../../../src/cache/thumbnails.ts';

const MAX_PICTURE_BYTES = 64 * 1024;
const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');
const base = 'https://api.example.com/v1';
const object = (image: Record<string, unknown>): unknown => ({ metadata: { image: { id: 'a', ...image } } });

suite('pictures of rows', () => {
  test('come from the connection’s own origin and nowhere else', () => {
    const of = (raw: unknown): string | undefined => {
      const named = getPictureUrl(raw);
      return named === undefined ? undefined : resolvePictureUrl(named, base);
    };
    const url = (image: Record<string, unknown>): string | undefined => of(object(image));
    assert.equal(url({ url: 'https://api.example.com/files/1.png' }), 'https://api.example.com/files/1.png');
    assert.equal(url({ url: '/files/1.png' }), 'https://api.example.com/files/1.png');
    for (const other of [
      'https://api.example.com.evil.org/1.png',
      'http://api.example.com/1.png',
      'https://api.example.com:444/1.png',
      '//evil.org/1.png',
      'https://user:word@api.example.com/1.png',
      'data:image/png;base64,AAAA',
      'javascript:alert(1)',
    ])
      assert.equal(url({ url: other }), undefined, other);
    assert.equal(url({ url: '/1.svg', type: 'image/svg+xml' }), undefined);
    assert.equal(url({ url: '/1.png', is_public: false }), undefined);
    const stored = { folder: 'assets', provider: 's3', url: '/1.png', type: 'image/png' };
    assert.ok(of({ ...stored, size: 10 }));
    assert.equal(of({ ...stored, size: MAX_PICTURE_BYTES + 1 }), undefined);
    assert.equal(of('broken'), undefined);
  });

  test('are detected by their first bytes, not the content type', () => {
    assert.match(createDataUri(PNG) ?? '', /^data:image\/png;base64,/);
    assert.match(createDataUri(Buffer.from('ffd8ffe0', 'hex')) ?? '', /^data:image\/jpeg/);
    assert.equal(createDataUri(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), undefined);
    assert.equal(createDataUri(Buffer.alloc(0)), undefined);
  });

  test('are fetched without credential and redirect, and not when they are large', async () => {
    const receivedHeaders: http.IncomingHttpHeaders[] = [];
    const server = http.createServer((request, answer) => {
      receivedHeaders.push(request.headers);
      if (request.url === '/small') answer.end(PNG);
      else if (request.url === '/moved') answer.writeHead(302, { location: '/small' }).end();
      else answer.end(Buffer.concat([PNG, Buffer.alloc(MAX_PICTURE_BYTES)]));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const { signal } = new AbortController();
    const transport = createTransport({ environment: {} });
    const fetch = (url: string): Promise<string | undefined> =>
      fetchPicture((request) => transport.send(request), url, signal);
    try {
      assert.match((await fetch(`${origin}/small`)) ?? '', /^data:image\/png/);
      assert.equal(await fetch(`${origin}/moved`), undefined);
      assert.equal(await fetch(`${origin}/large`), undefined);
      for (const headers of receivedHeaders) assert.ok(!('authorization' in headers) && !('x-api-key' in headers));
    } finally {
      server.closeAllConnections();
      server.close();
    }
    assert.equal(await fetch(`${origin}/small`), undefined);
    await transport.close();
  });

  test('are fetched once, two at a time, and reported together', async () => {
    let under = 0;
    let maxParallel = 0;
    const requests: string[] = [];
    const { promise, resolve } = Promise.withResolvers<ReadonlySet<string>>();
    const thumbnails = new Thumbnails(async (url) => {
      requests.push(url);
      maxParallel = Math.max(maxParallel, ++under);
      await new Promise((done) => setImmediate(done));
      under--;
      return url === 'none' ? undefined : `data:${url}`;
    });
    thumbnails.onDidLoad(resolve);
    for (const url of ['a', 'a', 'b', 'c', 'none']) assert.equal(thumbnails.get(url, `row of ${url}`), undefined);
    thumbnails.get('a', 'another row of a');
    assert.deepEqual([...(await promise)].sort(), ['another row of a', 'row of a', 'row of b', 'row of c']);
    assert.deepEqual(requests, ['a', 'b', 'c', 'none']);
    assert.equal(maxParallel, 2);
    assert.equal(thumbnails.get('a', 'row of a'), 'data:a');
    assert.equal(thumbnails.get('none', 'row'), undefined);
    assert.equal(requests.length, 4, 'what is no picture is not asked for again');
    // A hover and a row share one fetch.
    thumbnails.get('d', 'row of d');
    assert.deepEqual(await Promise.all(['d', 'd', 'a', 'none'].map((url) => thumbnails.load(url))), [
      'data:d',
      'data:d',
      'data:a',
      undefined,
    ]);
    assert.equal(requests.length, 5);
    const last = thumbnails.load('e');
    thumbnails.dispose();
    assert.equal(await last, undefined, 'nobody waits for a window that ended');
  });

  test('are fetched for a caller however many rows wait, and not once nobody waits', async () => {
    const requests: string[] = [];
    const thumbnails = new Thumbnails(async (url) => {
      requests.push(url);
      await new Promise((done) => setImmediate(done));
      return `data:${url}`;
    });
    for (let row = 0; row < 200; row++) thumbnails.get(`row ${String(row)}`, 'row');
    const waiting = new AbortController();
    const given = ['a', 'b', 'row 149'].map((url) => thumbnails.load(url, waiting.signal));
    const others = ['b', 'c'].map((url) => thumbnails.load(url));
    waiting.abort();
    assert.deepEqual(await Promise.all(given), [undefined, undefined, undefined]);
    assert.deepEqual(await Promise.all(others), ['data:b', 'data:c']);
    assert.deepEqual(requests.slice(-3), ['row 149', 'b', 'c']);
    assert.ok(!requests.includes('a'));
    assert.equal(await thumbnails.load('a', waiting.signal), undefined);
    assert.equal(await thumbnails.load('a'), 'data:a');
    thumbnails.dispose();
  });

  test('are no longer fetched once nobody waits, and fetched again later', async () => {
    const started = Promise.withResolvers<undefined>();
    const stopped: string[] = [];
    let isStalled = true;
    const thumbnails = new Thumbnails(async (url, signal) => {
      if (!isStalled) return `data:${url}`;
      started.resolve(undefined);
      await new Promise((done) => signal.addEventListener('abort', done));
      stopped.push(url);
      return undefined;
    });
    const waiting = new AbortController();
    const given = ['a', 'b'].map((url) => thumbnails.load(url, waiting.signal));
    const other = thumbnails.load('b');
    await started.promise;
    waiting.abort();
    assert.deepEqual(await Promise.all(given), [undefined, undefined]);
    assert.deepEqual(stopped, ['a']);
    isStalled = false;
    assert.equal(await thumbnails.load('a'), 'data:a');
    thumbnails.dispose();
    assert.equal(await other, undefined);
  });
});
