/** The proxy of `npm start`: refuses requests without the token of the printed address, under any host name. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { startTokenProxy, type TokenProxy } from '../../runtime/token-proxy.ts';

interface TestResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

suite('the proxy of npm start', () => {
  let folder: string;
  let server: http.Server;
  let guard: TokenProxy;
  let forwardedRequests: string[] = [];

  suiteSetup(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-guard-'));
    server = http.createServer((request, response) => {
      forwardedRequests.push(`${request.method ?? ''} ${request.url ?? ''}`);
      response.writeHead(201, { 'x-editor': 'yes' });
      request.pipe(response);
    });
    server.on('upgrade', (request: http.IncomingMessage, socket) => {
      forwardedRequests.push(`upgrade ${request.url ?? ''}`);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello');
      socket.pipe(socket);
    });
    const file = path.join(folder, 'editor.sock');
    await new Promise<void>((resolve) => server.listen(file, resolve));
    guard = await startTokenProxy(file, 0);
  });
  suiteTeardown(() => {
    guard.close();
    server.close();
    server.closeAllConnections();
    fs.rmSync(folder, { recursive: true });
  });
  setup(() => {
    forwardedRequests = [];
  });

  /** As a browser sends it, which knows the address of the name. */
  const sendRequest = (
    target: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
    { origin, port } = guard,
  ): Promise<TestResponse> =>
    new Promise((resolve, reject) => {
      const request = http.request({
        host: '127.0.0.1',
        port,
        path: target.replace(origin, ''),
        headers: { host: new URL(origin).host, ...headers },
        ...(body !== undefined && { method: 'POST' }),
      });
      request.on('response', (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  /** Resolves to the response to a WebSocket upgrade. */
  const upgrade = (headers: Readonly<Record<string, string>>, message: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const request = http.request({
        host: '127.0.0.1',
        port: guard.port,
        path: '/ws?x=1',
        headers: {
          host: new URL(guard.origin).host,
          origin: guard.origin,
          connection: 'Upgrade',
          upgrade: 'websocket',
          ...headers,
        },
      });
      request.on('response', (response) => {
        resolve(String(response.statusCode));
      });
      request.on('upgrade', (_response, socket, head) => {
        let received = head.toString();
        socket.on('data', (chunk: Buffer) => {
          received += chunk.toString();
          if (received.endsWith(message)) {
            socket.destroy();
            resolve(received);
          }
        });
        socket.write(message);
      });
      request.on('error', reject);
      request.end();
    });
  const cookie = async (): Promise<string> => {
    const { headers } = await sendRequest(guard.address({ folder: '/x' }));
    return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  };

  test('requests without the token, with another one or for another host are not forwarded', async () => {
    const token = new URL(guard.address({})).searchParams.get('tkn') ?? '';
    assert.ok(token.length >= 40);
    const validCookie = await cookie();
    for (const [target, headers] of [
      ['/', {}],
      ['/?folder=/etc', {}],
      [`/?tkn=${token.slice(1)}x`, {}],
      ['/', { cookie: `${validCookie.slice(0, -1)}!` }],
      // A page whose host name resolves to this machine.
      ['/', { cookie: validCookie, host: 'evil.example' }],
      [`/?tkn=${token}`, { host: 'evil.example' }],
      ['/', { cookie: validCookie, host: `127.0.0.1:${guard.port}` }],
      [`/?tkn=${token}`, { host: `localhost:${guard.port}` }],
      // Pages of other servers of this computer.
      ['/', { cookie: validCookie, origin: 'http://127.0.0.1:1' }],
      ['/', { cookie: validCookie, origin: 'null' }],
    ] as const) {
      const { status, headers: answered } = await sendRequest(target, headers);
      assert.equal(status, 403, target);
      assert.equal(answered['set-cookie'], undefined);
    }
    assert.equal(await upgrade({}, 'x'), '403');
    for (const headers of [{ host: 'evil.example' }, { origin: 'http://127.0.0.1:1' }, { origin: '' }])
      assert.equal(await upgrade({ cookie: validCookie, ...headers }, 'x'), '403');
    assert.deepEqual(forwardedRequests, []);
  });

  test('the printed address sets a cookie and redirects; requests and sockets with the cookie are forwarded', async () => {
    const { status, headers, text } = await sendRequest(guard.address({ folder: '/x "y"&z' }));
    assert.equal(status, 200);
    assert.match(headers['set-cookie']?.[0] ?? '', /; Path=\/; HttpOnly; SameSite=Strict$/);
    assert.ok(!text.includes('tkn'));
    assert.ok(text.includes('url=/?folder=%2Fx+%22y%22%26z"'), text);
    assert.deepEqual(forwardedRequests, []);
    const reply = await sendRequest('/some/file?a=b', { cookie: `other=1; ${await cookie()}` }, 'body');
    assert.deepEqual([reply.status, reply.headers['x-editor'], reply.text], [201, 'yes', 'body']);
    assert.equal(await upgrade({ cookie: await cookie() }, 'there'), 'hellothere');
    assert.deepEqual(forwardedRequests, ['POST /some/file?a=b', 'upgrade /ws?x=1']);
  });

  test('no address ends it', async () => {
    const headers = { cookie: await cookie() };
    for (const target of [
      '//',
      '//?x',
      '///x',
      'http://[',
      '*',
      '/%',
      `//evil.example/?${guard.address({}).split('?')[1] ?? ''}`,
    ])
      assert.ok((await sendRequest(target, headers)).status < 500, target);
    assert.equal((await sendRequest('//')).status, 403);
    const entry = await sendRequest(`//evil.example/?${guard.address({}).split('?')[1] ?? ''}`);
    assert.match(entry.text, /url=\/\?"/);
    assert.equal((await sendRequest('/', headers)).status, 201);
  });

  test('each start has another token', async () => {
    const other = await startTokenProxy(path.join(folder, 'none.sock'), 0);
    try {
      assert.notEqual(new URL(other.origin).hostname, new URL(guard.origin).hostname);
      assert.equal((await sendRequest('/', { cookie: await cookie() }, undefined, other)).status, 403);
    } finally {
      other.close();
    }
  });
});
