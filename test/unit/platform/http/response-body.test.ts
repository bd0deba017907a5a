/** Response bodies: encodings, truncated and damaged streams, decompression bombs, UTF-8. */
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import zlib from 'node:zlib';
import { parseContentEncoding, ResponseBody } from '../../../../src/platform/http/response-body.ts';
import { assertFails, get } from '../../../support/http/requests.ts';
import { useServers } from '../../../support/platform-client.ts';

const TEXT = JSON.stringify({ data: Array.from({ length: 3000 }, (_, i) => ({ id: i, name: `objet numéro ${i}` })) });

const ENCODINGS: readonly { name: string; header: string; encode: (text: string | Buffer) => Buffer }[] = [
  { name: 'gzip', header: 'gzip', encode: (text) => zlib.gzipSync(text) },
  { name: 'x-gzip in capitals', header: 'X-GZIP', encode: (text) => zlib.gzipSync(text) },
  { name: 'deflate', header: 'deflate', encode: (text) => zlib.deflateSync(text) },
  { name: 'deflate without wrapper', header: 'identity, deflate', encode: (text) => zlib.deflateRawSync(text) },
  { name: 'br', header: 'br', encode: (text) => zlib.brotliCompressSync(text) },
  ...('zstdCompressSync' in zlib
    ? [{ name: 'zstd', header: 'zstd', encode: (text: string | Buffer) => zlib.zstdCompressSync(text) }]
    : []),
];

suite('transport: bodies', () => {
  const { servers, transport } = useServers();

  const serve = async (body: Buffer, encoding: string, headers: Record<string, string> = {}): Promise<string> =>
    (
      await servers.http((_request, response) =>
        response.writeHead(200, { 'content-encoding': encoding, ...headers }).end(body),
      )
    ).origin;

  for (const { name, header, encode } of ENCODINGS) {
    test(`${name} is read`, async () => {
      assert.equal((await transport.send(get(await serve(encode(TEXT), header)))).text, TEXT);
    });

    test(`${name}: a truncated body is a broken connection, not a short response`, async () => {
      const encoded = encode(TEXT);
      for (const length of [1, 7, encoded.length >> 1, encoded.length - 1]) {
        const origin = await serve(encoded.subarray(0, length), header);
        await assertFails(transport, get(origin), { code: 'network', sent: true, message: /incomplete or damaged/ });
      }
    });

    test(`${name}: a decompression bomb is stopped`, async () => {
      const bomb = await serve(encode(Buffer.alloc(50_000_000)), header);
      await assertFails(transport, get(bomb, { maxBytes: 100_000 }), {
        code: 'tooLarge',
        sent: true,
        message: /limit of 100000 bytes/,
      });
      await assertFails(transport, get(bomb, { maxBytes: 100_000_000 }), {
        code: 'tooLarge',
        sent: true,
        message: /decompresses to more than 200 times its size/,
      });
    });
  }

  test('the limit counts decompressed bytes exactly', async () => {
    const origin = await serve(zlib.gzipSync(TEXT), 'gzip');
    const size = Buffer.byteLength(TEXT);
    assert.equal((await transport.send(get(origin, { maxBytes: size }))).text.length, TEXT.length);
    await assertFails(transport, get(origin, { maxBytes: size - 1 }), {
      code: 'tooLarge',
      sent: true,
      message: /limit/,
    });
  });

  test('compressed bytes without output are limited too', async () => {
    const nothing = zlib.gzipSync('');
    const members = Buffer.concat(Array.from({ length: 10_000 }, () => nothing));
    await assertFails(transport, get(await serve(members, 'gzip'), { maxBytes: 1000 }), {
      code: 'tooLarge',
      sent: true,
      message: /limit/,
    });
  });

  test('damage in the middle', async () => {
    const encoded = zlib.gzipSync(TEXT);
    encoded.fill(0xff, 200, 300);
    await assertFails(transport, get(await serve(encoded, 'gzip')), {
      code: 'network',
      sent: true,
      message: /incomplete or damaged/,
    });
  });

  test('an encoding that was not accepted', async () => {
    for (const header of ['compress', 'gzip, br', 'constructor']) {
      await assertFails(transport, get(await serve(Buffer.from('?'), header)), {
        code: 'contract',
        sent: true,
        message: /not requested/,
      });
    }
  });

  test('an empty body in any encoding, and 204', async () => {
    assert.equal((await transport.send(get(await serve(Buffer.alloc(0), 'gzip')))).text, '');
    const none = await servers.http((_request, response) =>
      response.writeHead(204, { 'content-encoding': 'br' }).end(),
    );
    assert.deepEqual((({ status, text }) => [status, text])(await transport.send(get(none.origin))), [204, '']);
  });

  test('text is UTF-8 regardless of the charset, without its byte order mark', async () => {
    const origin = await serve(Buffer.from('\ufeff{"ä":"\u{1f600}"}'), 'identity', {
      'content-type': 'application/json; charset=latin1',
    });
    assert.equal((await transport.send(get(origin))).text, '{"ä":"\u{1f600}"}');
  });

  test('characters split between chunks are decoded', async () => {
    const bytes = Buffer.from('{"x":"größer \u{1f600}"}');
    const server = await servers.raw((_text, socket) => {
      socket.setNoDelay(true);
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`);
      const next = (at: number): void => {
        if (at < bytes.length) socket.write(bytes.subarray(at, at + 1), () => setImmediate(next, at + 1));
      };
      next(0);
    });
    assert.equal((await transport.send(get(server.origin))).text, bytes.toString());
  });

  test('a large body that is not compressed, or as much as data is, is no bomb', async () => {
    const rows = Array.from({ length: 200_000 }, (_, row) => `{"id":"${String(row * 7919)}","name":"Row of a list"}`);
    const text = `[${rows.join(',')}]`;
    const settings = { maxBytes: 20_000_000 };
    for (const [body, encoding] of [
      [Buffer.from(text), 'identity'],
      [zlib.gzipSync(text), 'gzip'],
    ] as const) {
      const answer = await transport.send(get(await serve(body, encoding), settings));
      assert.equal(answer.text.length, text.length);
    }
  });

  test('a body says once what it came to, and takes nothing afterwards', async () => {
    const gzip = zlib.gzipSync(TEXT);
    const cases = [
      ['', [Buffer.from('ab'), Buffer.from('cd')], 4, 'abcd'],
      ['', [Buffer.from('abcde'), Buffer.from('f')], 4, 'tooLarge'],
      ['gzip', [gzip], 1_000_000, TEXT],
      ['gzip', [gzip.subarray(0, 9)], 1_000_000, 'damaged'],
      ['gzip', [Buffer.alloc(90, 0xff), gzip], 1_000_000, 'damaged'],
      ['gzip', [gzip, gzip], 1000, 'tooLarge'],
      ['gzip', [Buffer.alloc(70_000)], 1000, 'tooLarge'],
    ] as const;
    for (const [encoding, chunks, maxBytes, expected] of cases) {
      const events: string[] = [];
      const body = new ResponseBody(encoding, maxBytes, {
        done: (content) => void events.push(content.toString()),
        fail: (problem) => void events.push(problem),
        drain: () => undefined,
      });
      for (const chunk of chunks) body.write(chunk);
      body.end();
      while (events.length === 0) await nextTurn();
      assert.equal(body.write(gzip), true);
      body.end();
      for (let turn = 0; turn < 20; turn++) await nextTurn();
      assert.deepEqual(events, [expected]);
    }
  });

  test('encodings are compared without case, spaces and those that say nothing', () => {
    assert.equal(parseContentEncoding(' , GZIP, identity'), 'gzip');
    assert.equal(parseContentEncoding(undefined), '');
  });
});
