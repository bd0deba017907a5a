/** Responses that are huge, slow, truncated or malformed, and limits on their cost. */
import assert from 'node:assert/strict';
import type net from 'node:net';
import v8 from 'node:v8';
import vm from 'node:vm';
import zlib from 'node:zlib';
import type { PlatformClient } from '../../../src/platform/client.ts';
import type { ClientOptions } from '../../../src/platform/client.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { limitJson, MAX_JSON_DEPTH, MAX_JSON_VALUES, TOO_DEEP } from '../../../src/platform/json/json-limits.ts';
import { formatJson } from '../../../src/platform/json/format-json.ts';
import { redactText } from '../../../src/platform/text/redact.ts';
import { redactBody } from '../../../src/platform/requests/server-message.ts';
import { findIdLikeAt, findKnownTokens } from '../../../src/documents/links/id-tokens.ts';
import type { LocalServer } from '../../support/http/servers.ts';
import { createTestClient, PATIENT, useServers } from '../../support/platform-client.ts';

const MAX_PAGE_ITEMS = 10_000;
v8.setFlagsFromString('--expose-gc');
globalThis.gc ??= vm.runInNewContext('gc') as typeof globalThis.gc;

const MiB = 1024 * 1024;

/** Bytes in use, on the heap and in buffers. */
async function readHeapUsed(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    // Buffers are released one turn later.
    await new Promise(setImmediate);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const nested = (levels: number, content = '1'): string => '['.repeat(levels) + content + ']'.repeat(levels);

const answered = (body: string | Buffer, head = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\n${head}content-length: ${String(Buffer.byteLength(body))}\r\n\r\n`),
    Buffer.from(body),
  ]);

function is(code: string, message: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof PlatformError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  };
}

suite('hostile responses', () => {
  const { servers, transport } = useServers();

  function createClient({ origin }: LocalServer, options: Partial<ClientOptions> = {}): PlatformClient {
    return createTestClient(origin, transport, { sleep: () => Promise.resolve(), ...options });
  }

  /** Answers each request with the next writer, and all further ones with the last. */
  async function raw(...writers: ((socket: net.Socket) => void)[]): Promise<LocalServer & { requests: string[] }> {
    const requests: string[] = [];
    const server = await servers.raw((text, socket) => {
      if (!/^(?:GET|POST) /.test(text)) return;
      const write = writers[Math.min(requests.length, writers.length - 1)];
      requests.push(text);
      write?.(socket);
    });
    return Object.assign(server, { requests });
  }

  const httpResponse =
    (body: string | Buffer, head = '') =>
    (socket: net.Socket): void => {
      socket.write(answered(body, head));
    };

  suite('depth', () => {
    test('a value that is nested too deep is replaced, its siblings are not', () => {
      for (const depth of [MAX_JSON_DEPTH + 1, 15_000]) {
        const text = limitJson(`{"before":"]}","deep":${nested(depth - 1)},"after":[{"b":"\\\\"},"\\"["]}`);
        assert.ok(text !== undefined && text.length < 1000);
        assert.ok(text.includes(TOO_DEEP));
        const { before, after } = JSON.parse(text) as { before: unknown; after: unknown };
        assert.deepEqual([before, after], [']}', [{ b: '\\' }, '"[']]);
      }
    });

    test('values within the limit are unchanged', () => {
      for (const text of ['', '{}', nested(MAX_JSON_DEPTH), '"[[["', '{"a":"\\\\\\""}', '<html>', '[', ']]]', '"open'])
        assert.equal(limitJson(text), text);
    });

    test('a bad item of a page is one bad row', async () => {
      const server = await raw(
        httpResponse(`{"objects":[{"id":"a"},{"id":"b","custom":{"x":${nested(15_000)}}},{"id":"c"}]}`),
      );
      const { items } = await createClient(server).listPage('objects');
      assert.deepEqual(
        items.map(({ id }) => id),
        ['a', 'b', 'c'],
      );
      assert.ok(JSON.stringify(items[1]?.raw).includes(TOO_DEEP));
    });

    test('a document shows the error, and nothing of it is cached', async () => {
      const server = await raw(httpResponse(`{"id":"a","custom":${nested(15_000)}}`));
      const client = createClient(server);
      const { text } = await client.read('objects', ['a']);
      assert.ok(text.includes(TOO_DEEP));
      assert.ok(text.length < 50_000, String(text.length));
      const before = await readHeapUsed();
      for (let round = 0; round < 20; round++) await client.read('objects', ['a']);
      const retained = (await readHeapUsed()) - before;
      assert.ok(retained < 2 * MiB, String(retained));
    });

    test('an execution with deeply nested output has its outcome', async () => {
      const server = await raw(
        httpResponse(`{"action_id":"a","steps":[{"action":"mint","output":{"x":${nested(4600)}}}]}`),
      );
      const { view, raw: result } = await createClient(server).execute('{}');
      assert.equal(view.action_id, 'a');
      assert.ok(JSON.stringify(result, null, 2).length < 50_000);
    });

    test('a deeply nested refusal has a bounded message', async () => {
      const body = `{"message":"no","details":{"x":${nested(15_000)}}}`;
      const server = await raw((socket) => {
        socket.write(`HTTP/1.1 400 Bad\r\ncontent-length: ${String(body.length)}\r\n\r\n${body}`);
      });
      await assert.rejects(createClient(server).execute('{}'), (error: unknown) => {
        assert.ok(error instanceof PlatformError);
        assert.equal(error.detail.status, 400);
        assert.ok((error.detail.body ?? '').length < 50_000);
        return true;
      });
    });

    test('formatting is bounded: indentation alone can make a text a hundred times longer', () => {
      const wide = nested(MAX_JSON_DEPTH, Array.from({ length: 400_000 }, () => '1').join(','));
      assert.throws(
        () => formatJson(wide, { values: [] }),
        is('tooLarge', /formatted response is longer than [\d,]+ characters/),
      );
    });
  });

  suite('size', () => {
    for (const body of [
      `[${Array.from({ length: 21_000_000 }, () => '[]').join(',')}]`,
      `{"objects":[${'{},'.repeat(MAX_JSON_VALUES)}{}]}`,
    ])
      test(`${String(body.length >> 20)} MB of empty values in little gzip: refused, and released`, async () => {
        const server = await raw(httpResponse(zlib.gzipSync(body), 'content-encoding: gzip\r\n'));
        const client = createClient(server);
        const before = await readHeapUsed();
        for (let round = 0; round < 2; round++)
          await assert.rejects(
            client.listPage('objects'),
            is('tooLarge', /decompresses to more than 200 times|1,000,000 values/),
          );
        const retained = (await readHeapUsed()) - before;
        assert.ok(retained < 8 * MiB, String(retained));
        assert.equal(server.requests.length, 2);
      });

    test('a page of too many items names the limit', async () => {
      const server = await raw(httpResponse(`{"objects":[${'{},'.repeat(MAX_PAGE_ITEMS)}{}]}`));
      await assert.rejects(
        createClient(server).listPage('objects'),
        is('tooLarge', /One page of objects contains 10,001 items; the limit is 10,000/),
      );
    });

    test('an error carries a bounded part of its response', () => {
      assert.ok(redactBody('x'.repeat(10 * MiB), []).length < MiB);
    });
  });

  suite('time', () => {
    test('an endless slow response ends at the deadline', async () => {
      const timers: NodeJS.Timeout[] = [];
      const server = await raw((socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n{');
        timers.push(setInterval(() => socket.write(' '), 10));
      });
      const timeouts = { ...PATIENT, total: 200 };
      await assert.rejects(
        createClient(server, { timeouts }).listPage('objects'),
        is('timeout', /did not finish its response within 0\.2 s/),
      );
      for (const timer of timers) clearInterval(timer);
      assert.equal(server.requests.length, 1);
    });

    test('interim responses do not extend the time limit', async () => {
      const timers: NodeJS.Timeout[] = [];
      const server = await raw((socket) => {
        timers.push(setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 10));
      });
      const timeouts = { ...PATIENT, headers: 200 };
      await assert.rejects(
        createClient(server, { timeouts }).listPage('objects'),
        is('timeout', /did not respond within 0\.2 s/),
      );
      for (const timer of timers) clearInterval(timer);
    });

    test('patterns are linear: 200,000 characters that match nothing', () => {
      const long = 200_000;
      const texts = ['.', ':', '-', '/', 'eyJ-', 'eyJa.', 'a.', 'token ', 'token=', '\\"', ' ', '"', '['].map((part) =>
        part.repeat(long / part.length),
      );
      const started = process.cpuUsage();
      for (const text of [...texts, ...texts.map((one) => `${one}\u00a7`)]) {
        findKnownTokens(text, () => false);
        findIdLikeAt(text, 5);
        redactText(text, ['a-secret-0123456789']);
        limitJson(text);
        redactBody(text, []);
      }
      // Quadratic patterns take minutes of the processor.
      assert.ok(process.cpuUsage(started).user < 20_000_000);
    });
  });

  suite('broken responses', () => {
    const refused = (status: number) => (socket: net.Socket) =>
      void socket.write(`HTTP/1.1 ${String(status)} No\r\ncontent-length: 2\r\n\r\n{}`);
    const cut: Record<string, (socket: net.Socket) => void> = {
      'cut before its announced length': (socket) =>
        void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"objects":[{"id"'),
      'cut in the middle of a chunk': (socket) =>
        void socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{"objects"'),
      'cut without an announced length': (socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n{"objects":[{"id":"a"'),
      'cut content its compression': (socket) =>
        void socket.end(
          Buffer.concat([
            Buffer.from('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n'),
            zlib.gzipSync('{"objects":[]}').subarray(0, 20),
          ]),
        ),
      ...Object.fromEntries([500, 502, 503, 504].map((status) => [String(status), refused(status)])),
    };
    for (const [name, writer] of Object.entries(cut)) {
      test(`${name}: a read is retried twice, an execution never`, async () => {
        const waits: number[] = [];
        const sleep = (milliseconds: number): Promise<void> => {
          waits.push(milliseconds);
          return Promise.resolve();
        };
        const validResponse = httpResponse('{"objects":[{"id":"a"}]}');
        const healed = await raw(writer, writer, validResponse);
        assert.equal((await createClient(healed, { sleep }).listPage('objects')).items.length, 1);
        assert.equal(healed.requests.length, 3);
        assert.equal(waits.length, 2);
        assert.ok(waits.every((wait) => wait >= 150));
        const broken = await raw(writer);
        await assert.rejects(createClient(broken).listPage('objects'), PlatformError);
        assert.equal(broken.requests.length, 3);
        const executed = await raw(writer);
        await assert.rejects(createClient(executed).execute('{}'), (error: unknown) => {
          assert.ok(error instanceof PlatformError);
          assert.notEqual(error.detail.sent, false);
          return true;
        });
        assert.equal(executed.requests.length, 1);
      });
    }
  });
});
