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

  const sendRequest = (
    target: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<TestResponse> =>
    new Promise((resolve, reject) => {
      const request = http.request(new URL(target, guard.origin), {
        headers,
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
      const request = http.request(new URL('/ws?x=1', guard.origin), {
        headers: { connection: 'Upgrade', upgrade: 'websocket', ...headers },
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
    ] as const) {
      const { status, headers: answered } = await sendRequest(target, headers);
      assert.equal(status, 403, target);
      assert.equal(answered['set-cookie'], undefined);
    }
    assert.equal(await upgrade({}, 'x'), '403');
    assert.equal(await upgrade({ cookie: validCookie, host: 'evil.example' }, 'x'), '403');
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

  test('each start has another token', async () => {
    const other = await startTokenProxy(path.join(folder, 'none.sock'), 0);
    try {
      assert.equal((await sendRequest(`${other.origin}/`, { cookie: await cookie() })).status, 403);
    } finally {
      other.close();
    }
  });
});
