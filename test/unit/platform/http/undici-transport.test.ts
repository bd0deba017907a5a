/** The transport against real local servers: answers, pools, limits, cancelling, closing, and what it leaves alone. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type http from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { createTransport } from '../../../../src/platform/http/undici-transport.ts';
import { CANARY, assertFails, get, post } from '../../../support/http/requests.ts';
import type { LocalServer } from '../../../support/http/servers.ts';
import { useServers } from '../../../support/platform-client.ts';

suite('transport', () => {
  const { servers, transport } = useServers();

  test('a GET arrives with its query and headers, and without the userinfo', async () => {
    const server = await servers.http((_request, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.setHeader('X-Request-Id', 'r1');
      response.end('{"ok":true}');
    });
    const answer = await transport.send(get(`${server.origin}/objects?limit=2`));
    assert.equal(answer.status, 200);
    assert.equal(answer.text, '{"ok":true}');
    assert.equal(answer.headers['x-request-id'], 'r1');
    assert.equal(answer.headers['set-cookie'], 'a=1, b=2');
    assert.equal(answer.url.href, `${server.origin}/objects?limit=2&token=${CANARY}`);
    const [request] = server.received;
    assert.equal(request?.url, `/objects?limit=2&token=${CANARY}`);
    assert.equal(request.headers['x-api-key'], CANARY);
    assert.equal(request.headers.authorization, undefined);
    assert.match(request.headers['accept-encoding'] ?? '', /^gzip, deflate, br/);
  });

  test('a POST arrives with its body, and any status is an answer', async () => {
    const server = await servers.http((_request, response) => response.writeHead(503).end('later'));
    const request = post(server.origin, { headers: { 'content-type': 'application/json' }, body: '{"ü":1}' });
    const answer = await transport.send(request);
    assert.deepEqual([answer.status, answer.text], [503, 'later']);
    assert.equal(server.received[0]?.body, '{"ü":1}');
    assert.equal(server.received[0].headers['content-type'], 'application/json');
  });

  test('headers of the connection are not accepted from a caller', async () => {
    const server = await servers.http((_request, response) => response.end());
    const own = { Host: 'elsewhere.example', 'Proxy-Authorization': 'Basic x', Connection: 'close' };
    await transport.send(get(server.origin, { headers: { ...own, 'Accept-Encoding': 'identity' } }));
    assert.equal(server.received[0]?.headers['accept-encoding'], 'identity');
    assert.equal(server.received[0].headers.host, `127.0.0.1:${server.port}`);
    assert.equal(server.received[0].headers['proxy-authorization'], undefined);
  });

  test('a header that HTTP does not allow is refused unsent and not shown', async () => {
    const server = await servers.http((_request, response) => response.end());
    const headers = { 'x-api-key': `${CANARY}\nx: y` };
    await assertFails(transport, get(server.origin, { headers }), {
      code: 'contract',
      sent: false,
      message: /not sent: HTTP/,
    });
    assert.equal(server.received.length, 0);
  });

  test('keep-alive: requests in a row share one connection', async () => {
    const server = await servers.http((_request, response) => response.end('x'));
    for (let i = 0; i < 5; i++) await transport.send(get(server.origin));
    assert.equal(server.connections(), 1);
  });

  test('fifty at once share a bounded number of connections', async () => {
    const bounded = createTransport({ environment: {} }, { connections: 3 });
    const server = await servers.http((request, response) => setImmediate(() => response.end(request.url)));
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => bounded.send(get(`${server.origin}/${i}`))));
    answers.forEach((answer, i) => {
      assert.equal(answer.text, `/${i}?token=${CANARY}`);
    });
    assert.equal(server.connections(), 3);
    await bounded.close();
  });

  test('an effect does not wait for a connection that reads use', async () => {
    const single = createTransport({ environment: {} }, { connections: 1 });
    const waiting: http.ServerResponse[] = [];
    const server = await servers.http((request, response) => {
      if (request.method === 'GET') waiting.push(response);
      else response.end('done');
    });
    const read = single.send(get(server.origin));
    assert.equal((await single.send(post(server.origin, { pool: 'effect' }))).text, 'done');
    while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
    waiting[0]?.end('read');
    assert.equal((await read).text, 'read');
    await single.close();
  });

  test('of more than 32 origins, the oldest idle connection is closed, and opened again when needed', async () => {
    const finish: (() => void)[] = [];
    const closed: string[] = [];
    const listen = (name: string): Promise<LocalServer> =>
      servers.raw((text, socket) => {
        const answer = (): void => void socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx`);
        if (text.startsWith('GET /slow')) finish.push(answer);
        else answer();
        socket.once('close', () => closed.push(name));
      });
    const all = await Promise.all(Array.from({ length: 33 }, (_, index) => listen(String(index))));
    const [busy, oldest, other] = all;
    assert.ok(busy !== undefined && oldest !== undefined && other !== undefined);
    const slow = transport.send(get(`${busy.origin}/slow`));
    for (const { origin } of all.slice(1, 32)) await transport.send(get(origin));
    for (const { origin } of all.slice(1, 3)) await transport.send(get(origin));
    assert.deepEqual([oldest.connections(), other.connections(), closed], [1, 1, []]);
    await transport.send(get(all[32]?.origin ?? ''));
    while (closed.length === 0) await new Promise((resolve) => setImmediate(resolve));
    finish[0]?.();
    assert.equal((await slow).text, 'x');
    await transport.send(get(busy.origin));
    await transport.send(get(oldest.origin));
    assert.deepEqual([busy.connections(), oldest.connections(), closed[0]], [1, 2, '1']);
  });

  test('cancelled before it starts: nothing is connected', async () => {
    const server = await servers.http((_request, response) => response.end());
    await assertFails(transport, get(server.origin, { signal: AbortSignal.abort() }), {
      code: 'cancelled',
      sent: false,
      message: /canceled/,
    });
    assert.equal(server.connections(), 0);
  });

  test('cancelled in the queue: never sent, and the connection stays in use', async () => {
    const single = createTransport({ environment: {} }, { connections: 1 });
    const waiting: http.ServerResponse[] = [];
    const server = await servers.http((request, response) => {
      if (request.url.startsWith('/first')) waiting.push(response);
      else response.end('quick');
    });
    const first = single.send(get(`${server.origin}/first`));
    const stop = new AbortController();
    const second = assertFails(single, post(`${server.origin}/second`, { signal: stop.signal }), {
      code: 'cancelled',
      sent: false,
      message: /canceled/,
    });
    const third = single.send(get(`${server.origin}/third`));
    stop.abort();
    await second;
    while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
    waiting[0]?.end('slow');
    assert.deepEqual([(await first).text, (await third).text], ['slow', 'quick']);
    assert.deepEqual(
      server.received.map((request) => request.method),
      ['GET', 'GET'],
    );
    assert.equal(server.connections(), 1);
    await single.close();
  });

  test('cancelled while connecting and while the body arrives', async () => {
    const silent = await servers.raw(() => undefined);
    const connecting = new AbortController();
    const handshake = assertFails(transport, get(`https://127.0.0.1:${silent.port}`, { signal: connecting.signal }), {
      code: 'cancelled',
      sent: false,
      message: /canceled/,
    });
    while (silent.connections() === 0) await new Promise((resolve) => setImmediate(resolve));
    connecting.abort();
    await handshake;

    const reading = new AbortController();
    const server = await servers.raw((_text, socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () => {
        reading.abort();
      });
    });
    await assertFails(transport, get(server.origin, { signal: reading.signal }), {
      code: 'cancelled',
      sent: true,
      message: /canceled/,
    });
  });

  test('too large: by the announced length, and by the bytes that arrive', async () => {
    const announced = await servers.raw((_text, socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n');
    });
    const limit = { maxBytes: 1000 };
    await assertFails(transport, get(announced.origin, limit), {
      code: 'tooLarge',
      sent: true,
      message: /limit of 1000 bytes/,
    });
    const endless = await servers.http((_request, response) => {
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(400), () => setImmediate(more));
      };
      more();
    });
    await assertFails(transport, get(endless.origin, limit), {
      code: 'tooLarge',
      sent: true,
      message: /limit of 1000 bytes/,
    });
    const exact = await servers.http((_request, response) => response.end('x'.repeat(1000)));
    assert.equal((await transport.send(get(exact.origin, limit))).text.length, 1000);
  });

  test('close ends pending, queued and connecting requests, and refuses later ones', async () => {
    const single = createTransport({ environment: {} }, { connections: 1 });
    let requests = 0;
    const server = await servers.raw((text) => {
      if (text.startsWith('GET')) requests++;
    });
    const expected = { code: 'cancelled', message: /canceled/ } as const;
    const running = assertFails(single, get(server.origin), { ...expected, sent: true });
    const queued = assertFails(single, get(server.origin), { ...expected, sent: false });
    const connecting = assertFails(single, get(`https://127.0.0.1:${server.port}`), { ...expected, sent: false });
    while (server.connections() < 2 || requests === 0) await new Promise((resolve) => setImmediate(resolve));
    await single.close();
    await Promise.all([running, queued, connecting]);
    await assertFails(single, get(server.origin), { ...expected, sent: false });
    await single.close();
  });

  test('process-wide dispatchers are unchanged after import and after a request', async () => {
    const probe = path.join(import.meta.dirname, 'global-dispatcher-probe.ts');
    for (const before of ['absent', 'present']) {
      const { stdout } = await promisify(execFile)(process.execPath, [probe, before]);
      assert.deepEqual(JSON.parse(stdout), { status: 200, imported: 'unchanged', requested: 'unchanged' }, before);
    }
  });
});
