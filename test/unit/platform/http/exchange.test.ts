/** One request on a connection: withdrawn, timed out, cancelled, and what it leaves behind. */
import assert from 'node:assert/strict';
import type net from 'node:net';
import { mock } from 'node:test';
import zlib from 'node:zlib';
import crypto from 'node:crypto';
import { createTransport } from '../../../../src/platform/http/undici-transport.ts';
import { assertFails, get, post } from '../../../support/http/requests.ts';
import { PATIENT, useServers } from '../../../support/platform-client.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
/** Larger than what a decoder takes at once. */
const LARGE = crypto.randomBytes(1_000_000).toString('base64');

suite('transport: one request', () => {
  const { servers, transport } = useServers();

  test('a request that its caller withdraws or cancels at the last moment is not written', async () => {
    const server = await servers.http((_request, response) => response.end('ok'));
    const stop = new AbortController();
    const withdraw = (): never => {
      throw new Error('the journal is full');
    };
    await assertFails(transport, post(server.origin, { onSent: withdraw }), {
      code: 'cancelled',
      sent: false,
      message: /canceled before it was sent/,
    });
    const cancel = { signal: stop.signal, onSent: () => stop.abort() };
    await assertFails(transport, post(server.origin, cancel), { code: 'cancelled', sent: false, message: /canceled/ });
    await transport.send(get(server.origin));
    assert.deepEqual(
      server.received.map(({ method }) => method),
      ['GET'],
    );
  });

  test('a request cancelled in the queue is not announced as sent', async () => {
    const single = createTransport({ environment: {} }, { connections: 1 });
    const server = await servers.http((_request, response) => response.end('ok'));
    const stop = new AbortController();
    const sent: string[] = [];
    const first = single.send(get(server.origin, { onSent: () => sent.push('first') }));
    const second = single.send(get(server.origin, { signal: stop.signal, onSent: () => sent.push('second') }));
    stop.abort();
    await assert.rejects(second, { code: 'cancelled' });
    await first;
    await single.send(get(server.origin, { onSent: () => sent.push('third') }));
    assert.deepEqual(sent, ['first', 'third']);
    await single.close();
  });

  test('a response that never ends is a timeout, and frees its connection', async () => {
    const single = createTransport({ environment: {} }, { connections: 1 });
    const timers: NodeJS.Timeout[] = [];
    const server = await servers.raw((_text, socket, connection) => {
      if (connection > 1) socket.write(OK);
      else {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        timers.push(setInterval(() => socket.write('x'), 20));
      }
    });
    await assertFails(single, get(server.origin, { timeouts: { ...PATIENT, total: 300 } }), {
      code: 'timeout',
      sent: true,
      message: /did not finish its response within 0\.3 s/,
    });
    assert.equal((await single.send(get(server.origin))).text, 'ok');
    timers.forEach(clearInterval);
    await single.close();
  });

  test('a response that arrived while this process was busy is no timeout', async () => {
    const { setTimeout: setRealTimeout } = globalThis;
    const server = await servers.raw((_text, socket) => {
      socket.write(OK);
      // Its time is up at the begin of the next turn, in which the response is read.
      setRealTimeout(() => mock.timers.tick(50), 1);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    });
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      for (const limit of ['headers', 'total'])
        assert.equal((await transport.send(get(server.origin, { timeouts: { ...PATIENT, [limit]: 50 } }))).text, 'ok');
    } finally {
      mock.timers.reset();
    }
  });

  test('a large compressed body is read, and its silence is a timeout', async () => {
    const encoded = zlib.gzipSync(LARGE);
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${encoded.length}\r\n\r\n`;
    const server = await servers.raw((text, socket) => {
      socket.write(head);
      socket.write(text.startsWith('GET /half') ? encoded.subarray(0, 500_000) : encoded);
    });
    const limit = { maxBytes: 2_000_000 };
    assert.equal((await transport.send(get(server.origin, limit))).text, LARGE);
    await assertFails(transport, get(`${server.origin}/half`, { ...limit, timeouts: { ...PATIENT, body: 150 } }), {
      code: 'timeout',
      sent: true,
      message: /stopped responding for 0\.15 s/,
    });
  });

  test('the announced length of a compressed body is not that of its content', async () => {
    const server = await servers.http((_request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(zlib.gzipSync('ok'));
    });
    assert.equal((await transport.send(get(server.origin, { maxBytes: 2 }))).text, 'ok');
  });

  test('of the body of a redirect, little is read', async () => {
    let written = 0;
    const server = await servers.raw((text, socket) => {
      if (text.startsWith('GET /end')) {
        socket.write(OK);
        return;
      }
      const chunk = Buffer.alloc(16_384);
      const more = (): void => {
        written += chunk.length;
        if (!socket.destroyed) socket.write(chunk, () => setImmediate(more));
      };
      socket.write('HTTP/1.1 302 Found\r\nlocation: /end\r\n\r\n', more);
    });
    assert.equal((await transport.send(get(server.origin))).text, 'ok');
    assert.ok(written < 20_000_000, `${String(written)} bytes`);
  });

  test('cancelled while the body of a redirect arrives', async () => {
    const stop = new AbortController();
    const server = await servers.raw((_text, socket) => {
      socket.write('HTTP/1.1 302 Found\r\nlocation: /end\r\n\r\nmoved');
    });
    await assertFails(
      transport,
      get(server.origin, { signal: stop.signal, onResponse: () => setImmediate(() => stop.abort()) }),
      {
        code: 'cancelled',
        sent: true,
        message: /canceled/,
      },
    );
  });

  test('no timer outlives its request, whatever its result', async () => {
    const countTimers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const own = createTransport({ environment: {} });
    const server = await servers.raw((text, socket: net.Socket) => {
      if (text.startsWith('GET /reset')) socket.resetAndDestroy();
      else socket.write(OK);
    });
    const before = countTimers();
    await own.send(get(server.origin));
    await assert.rejects(own.send(get(`${server.origin}/reset`)), { code: 'network' });
    await assert.rejects(own.send(get(server.origin, { maxBytes: 1 })), { code: 'tooLarge' });
    await own.close();
    assert.ok(countTimers() <= before);
  });
});
