/** What stands before the editor of `npm start`: nobody gets in without the printed address, by whatever name. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { startGuard, type Guard } from '../../runtime/guard.ts';

interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

suite('the guard of npm start', () => {
  let folder: string;
  let server: http.Server;
  let guard: Guard;
  let reached: string[] = [];

  suiteSetup(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-guard-'));
    server = http.createServer((request, response) => {
      reached.push(`${request.method ?? ''} ${request.url ?? ''}`);
      response.writeHead(201, { 'x-editor': 'yes' });
      request.pipe(response);
    });
    server.on('upgrade', (request: http.IncomingMessage, socket) => {
      reached.push(`upgrade ${request.url ?? ''}`);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello');
      socket.pipe(socket);
    });
    const file = path.join(folder, 'editor.sock');
    await new Promise<void>((resolve) => server.listen(file, resolve));
    guard = await startGuard(file, 0);
  });
  suiteTeardown(() => {
    guard.close();
    server.close();
    server.closeAllConnections();
    fs.rmSync(folder, { recursive: true });
  });
  setup(() => {
    reached = [];
  });

  const ask = (target: string, headers: Readonly<Record<string, string>> = {}, body?: string): Promise<Reply> =>
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
  /** What comes back for a request that wants a WebSocket. */
  const upgrade = (headers: Readonly<Record<string, string>>, say: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const request = http.request(new URL('/ws?x=1', guard.origin), {
        headers: { connection: 'Upgrade', upgrade: 'websocket', ...headers },
      });
      request.on('response', (response) => {
        resolve(String(response.statusCode));
      });
      request.on('upgrade', (_response, socket, head) => {
        let heard = head.toString();
        socket.on('data', (chunk: Buffer) => {
          heard += chunk.toString();
          if (heard.endsWith(say)) {
            socket.destroy();
            resolve(heard);
          }
        });
        socket.write(say);
      });
      request.on('error', reject);
      request.end();
    });
  const cookie = async (): Promise<string> => {
    const { headers } = await ask(guard.address({ folder: '/x' }));
    return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  };

  test('without the token, with another one, or under another name, nothing is passed on', async () => {
    const token = new URL(guard.address({})).searchParams.get('tkn') ?? '';
    assert.ok(token.length >= 40);
    const good = await cookie();
    for (const [target, headers] of [
      ['/', {}],
      ['/?folder=/etc', {}],
      [`/?tkn=${token.slice(1)}x`, {}],
      ['/', { cookie: `${good.slice(0, -1)}!` }],
      // A page whose name was made to lead to this machine.
      ['/', { cookie: good, host: 'evil.example' }],
      [`/?tkn=${token}`, { host: 'evil.example' }],
    ] as const) {
      const { status, headers: answered } = await ask(target, headers);
      assert.equal(status, 403, target);
      assert.equal(answered['set-cookie'], undefined);
    }
    assert.equal(await upgrade({}, 'x'), '403');
    assert.equal(await upgrade({ cookie: good, host: 'evil.example' }, 'x'), '403');
    assert.deepEqual(reached, []);
  });

  test('the printed address gives a cookie and goes on without the token; with it requests and sockets get through', async () => {
    const { status, headers, text } = await ask(guard.address({ folder: '/x "y"&z' }));
    assert.equal(status, 200);
    assert.match(headers['set-cookie']?.[0] ?? '', /; Path=\/; HttpOnly; SameSite=Strict$/);
    assert.ok(!text.includes('tkn'));
    assert.ok(text.includes('url=/?folder=%2Fx+%22y%22%26z"'), text);
    assert.deepEqual(reached, []);
    const reply = await ask('/some/file?a=b', { cookie: `other=1; ${await cookie()}` }, 'body');
    assert.deepEqual([reply.status, reply.headers['x-editor'], reply.text], [201, 'yes', 'body']);
    assert.equal(await upgrade({ cookie: await cookie() }, 'there'), 'hellothere');
    assert.deepEqual(reached, ['POST /some/file?a=b', 'upgrade /ws?x=1']);
  });

  test('each start has a token of its own', async () => {
    const other = await startGuard(path.join(folder, 'none.sock'), 0);
    try {
      assert.equal((await ask(`${other.origin}/`, { cookie: await cookie() })).status, 403);
    } finally {
      other.close();
    }
  });
});
