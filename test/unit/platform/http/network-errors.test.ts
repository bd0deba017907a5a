/** Network faults: error code, whether the request was sent, and never a second send. */
import assert from 'node:assert/strict';
import type net from 'node:net';
import {
  createCodedError,
  formatAuthority,
  toConnectError,
  toPlatformError,
} from '../../../../src/platform/http/network-errors.ts';
import type { TransportRequest } from '../../../../src/platform/http/transport.ts';
import { assertFails, get, post } from '../../../support/http/requests.ts';
import { closedPort } from '../../../support/http/servers.ts';
import { PATIENT, useServers } from '../../../support/platform-client.ts';

/** One of them is short in each test: a busy machine takes longer for the others. */

suite('certificates that are not accepted', () => {
  const reasons: Readonly<Record<string, string>> = {
    CERT_HAS_EXPIRED: 'has expired',
    CERT_NOT_YET_VALID: 'is not valid yet; check the clock of this computer',
    CERT_REVOKED: 'has been revoked',
    CERT_REJECTED: 'was rejected',
    CERT_SIGNATURE_FAILURE: 'has a wrong signature',
    CERT_CHAIN_TOO_LONG: 'has a chain that is too long',
    PATH_LENGTH_EXCEEDED: 'has a chain that is too long',
    INVALID_PURPOSE: 'is not for servers',
    HOSTNAME_MISMATCH: 'is for another host name',
    ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
  };
  for (const [code, reason] of Object.entries(reasons))
    test(`${code} is explained`, () => {
      assert.equal(
        toConnectError(createCodedError('no', code), 'a:443').message,
        `Could not connect: the certificate of a:443 ${reason} (${code}).`,
      );
    });
});

suite('connections that fail', () => {
  const reasons: Readonly<Record<string, string>> = {
    ECONNREFUSED: ': a:443 refused the connection (ECONNREFUSED).',
    ECONNRESET: ': a:443 reset the connection while connecting (ECONNRESET).',
    EPIPE: ': a:443 reset the connection while connecting (EPIPE).',
    UND_ERR_SOCKET: ': a:443 closed the connection while connecting (connection closed).',
    ENOTFOUND: ': a:443 is not a known host name (ENOTFOUND).',
    EAI_AGAIN: ': a:443 could not be looked up because the name server did not respond (EAI_AGAIN).',
    EPRIVATE: ': a:443 is on a private address (EPRIVATE).',
    EHOSTUNREACH: ': a:443 can’t be reached from this network (EHOSTUNREACH).',
    ENETUNREACH: ': a:443 can’t be reached from this network (ENETUNREACH).',
    EPROTO: ': the TLS handshake with a:443 failed (EPROTO).',
    ERR_SSL_WRONG_VERSION_NUMBER: ': the TLS handshake with a:443 failed (ERR_SSL_WRONG_VERSION_NUMBER).',
    ERR_OSSL_UNSUPPORTED: ': the TLS handshake with a:443 failed (ERR_OSSL_UNSUPPORTED).',
    EACCES: ' to a:443 (EACCES).',
    UND_ERR_OTHER: ' to a:443 (connection closed).',
    '': ' to a:443.',
  };
  for (const [code, reason] of Object.entries(reasons))
    test(`${code === '' ? 'without a code' : code}: the user reads what happened`, () => {
      const error = toConnectError(createCodedError('no', code), 'a:443');
      assert.deepEqual([error.message, error.timeout], [`Could not connect${reason}`, false]);
      // undici would repeat a request after an error with a code of its own.
      assert.doesNotMatch(error.code, /^(?:UND_ERR|$)/);
    });

  for (const code of ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'])
    test(`${code} is a timeout`, () => {
      const error = toConnectError(createCodedError('no', code), 'a:443');
      assert.deepEqual([error.message, error.timeout], ['Could not connect: a:443 did not respond in time.', true]);
    });
});

suite('errors of undici', () => {
  const fail = (error: unknown, sent = true): readonly unknown[] => {
    const context = { peer: 'a:443', sent, headersReceived: false };
    const { code, message, detail } = toPlatformError(error, context);
    return [code, message, detail.sent];
  };

  test('prove that nothing was sent only where undici refuses the request', () => {
    for (const code of ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'])
      assert.deepEqual(fail(createCodedError('no', code)), [
        'contract',
        'The request to a:443 was not sent: HTTP does not allow one of its headers or its address.',
        false,
      ]);
    for (const code of ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'])
      for (const sent of [true, false])
        assert.deepEqual(fail(createCodedError('no', code), sent), ['cancelled', 'The request was canceled.', sent]);
    for (const sent of [true, false])
      assert.deepEqual(fail(createCodedError('no', 'EPIPE'), sent), [
        'network',
        'a:443 closed the connection before responding (EPIPE).',
        sent,
      ]);
  });

  test('without a code are explained without their text, which may contain secrets', () => {
    const expected = ['network', 'a:443 closed the connection before responding (unknown error).', true];
    for (const error of [new Error('the-secret'), 'the-secret', undefined, createCodedError('the-secret', '')])
      assert.deepEqual(fail(error), expected);
    const { detail } = toPlatformError(new Error('the-secret'), { peer: 'a:443', sent: true, headersReceived: false });
    assert.ok(detail.cause instanceof Error);
    assert.equal(detail.cause.message, 'unknown');
  });

  test('an address is host and port, also if the port is that of the protocol', () => {
    const addresses = ['https://a/x?y', 'http://b', 'https://me:secret@c:8443', 'http://d:443'];
    assert.deepEqual(
      addresses.map((address) => formatAuthority(new URL(address))),
      ['a:443', 'b:80', 'c:8443', 'd:443'],
    );
  });
});

suite('transport: faults', () => {
  const { servers, transport } = useServers();

  const faults: readonly { name: string; answer: (socket: net.Socket) => void; message: RegExp }[] = [
    {
      name: 'reset before headers',
      answer: (socket) => socket.resetAndDestroy(),
      message: /closed the connection before responding \(ECONNRESET\)/,
    },
    {
      name: 'closed before headers',
      answer: (socket) => socket.end(),
      message: /closed the connection before responding \(connection closed\)/,
    },
    {
      name: 'reset in the middle of the body',
      answer: (socket) =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', () =>
          setImmediate(() => socket.resetAndDestroy()),
        ),
      message: /during the response/,
    },
    {
      name: 'closed before content-length is reached',
      answer: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
      message: /during the response|before the response was complete/,
    },
    {
      name: 'closed before the last chunk',
      answer: (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n'),
      message: /during the response/,
    },
    {
      name: 'no HTTP',
      answer: (socket) => socket.end('220 smtp.example ESMTP\r\n'),
      message: /sent something that is not HTTP/,
    },
    {
      name: 'headers without end',
      answer: (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x-filler: 0123456789\r\n'.repeat(2000)}`),
      message: /headers that are too large/,
    },
  ];
  for (const { name, answer, message } of faults) {
    for (const make of [get, post]) {
      test(`${make.name}: ${name}`, async () => {
        const written: string[] = [];
        const server = await servers.raw((text, socket) => {
          written.push(text);
          answer(socket);
        });
        const error = await assertFails(transport, make(server.origin), { code: 'network', sent: true, message });
        assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${server.port}`));
        assert.equal(written.length, 1);
      });
    }
  }

  test('refused', async () => {
    const port = await closedPort();
    const message = new RegExp(`127\\.0\\.0\\.1:${port} refused the connection \\(ECONNREFUSED\\)`);
    await assertFails(transport, post(`http://127.0.0.1:${port}`), { code: 'network', sent: false, message });
  });

  test('refused, for more requests than connections', async () => {
    const port = await closedPort();
    const all = Array.from({ length: 20 }, () =>
      assertFails(transport, get(`http://127.0.0.1:${port}`), { code: 'network', sent: false, message: /refused/ }),
    );
    assert.equal((await Promise.all(all)).length, 20);
  });

  test('an unknown host', async () => {
    await assertFails(transport, post('http://nobody.invalid:8080'), {
      code: 'network',
      sent: false,
      message: /nobody\.invalid:8080 (is not a known host name|could not be looked up)/,
    });
  });

  const silences: readonly {
    name: string;
    phase: keyof typeof PATIENT;
    url: (port: number) => string;
    answer: string;
    sent: boolean;
    message: RegExp;
  }[] = [
    {
      name: 'connect',
      phase: 'connect',
      url: (port) => `https://127.0.0.1:${port}`,
      answer: '',
      sent: false,
      message: /Could not connect: 127\.0\.0\.1:\d+ did not respond in time/,
    },
    {
      name: 'headers',
      phase: 'headers',
      url: (port) => `http://127.0.0.1:${port}`,
      answer: '',
      sent: true,
      message: /did not respond within 0\.15 s/,
    },
    {
      name: 'headers after an interim answer',
      phase: 'headers',
      url: (port) => `http://127.0.0.1:${port}`,
      answer: 'HTTP/1.1 103 Early Hints\r\n\r\n',
      sent: true,
      message: /did not respond within/,
    },
    {
      name: 'body',
      phase: 'body',
      url: (port) => `http://127.0.0.1:${port}`,
      answer: 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf',
      sent: true,
      message: /stopped responding for 0\.15 s/,
    },
  ];
  for (const { name, phase, url, answer, sent, message } of silences) {
    test(`timeout: ${name}`, async () => {
      const server = await servers.raw((_text, socket) => socket.write(answer));
      const timeouts = { ...PATIENT, [phase]: 150 };
      await assertFails(transport, post(url(server.port), { timeouts }), { code: 'timeout', sent, message });
    });
  }

  test('a slow response without long pauses is no timeout', async () => {
    const server = await servers.raw((_text, socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n');
      Array.from('steady').forEach((letter, index) => setTimeout(() => socket.write(letter), 50 * (index + 1)));
    });
    const timeouts = { ...PATIENT, body: 200 };
    assert.equal((await transport.send(get(server.origin, { timeouts }))).text, 'steady');
  });

  const stale: readonly { name: string; close: (socket: net.Socket) => void }[] = [
    { name: 'resets', close: (socket) => socket.resetAndDestroy() },
    { name: 'closes', close: (socket) => socket.end() },
  ];
  for (const { name, close } of stale) {
    for (const make of [get, post]) {
      test(`${make.name}: a reused connection that the server ${name} on the next request is an error, not a second send`, async () => {
        const written: string[] = [];
        const server = await servers.raw((text, socket, connection) => {
          written.push(`${connection} ${text.split(' ', 1)[0] ?? ''}`);
          if (written.length === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
          else close(socket);
        });
        await transport.send(get(server.origin));
        await assertFails(transport, make(server.origin), {
          code: 'network',
          sent: true,
          message: /before responding/,
        });
        const request: TransportRequest = make(server.origin);
        assert.deepEqual(written, ['1 GET', `1 ${request.method}`]);
      });
    }
  }

  test('a POST right after the server closed the idle connection is written once', async () => {
    const posts: string[] = [];
    const server = await servers.raw((text, socket) => {
      if (text.startsWith('POST')) posts.push(text);
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      socket.end();
    });
    for (let round = 0; round < 5; round++) {
      posts.length = 0;
      await transport.send(get(server.origin)).catch(() => undefined);
      const outcome = await transport.send(post(server.origin)).then(
        () => 'answered',
        () => 'failed',
      );
      assert.ok(outcome === 'answered' ? posts.length === 1 : posts.length <= 1, `${outcome} with ${posts.length}`);
    }
  });
});
