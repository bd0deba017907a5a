/** What a request sent and received, as the request inspector and HAR files show it. */
import assert from 'node:assert/strict';
import { formatHar } from '../../../../src/model/requests/har.ts';
import type { RequestTrace } from '../../../../src/platform/requests/request-trace.ts';
import { PollMemory, runPoll } from '../../../../src/platform/http/poll.ts';
import { parseHar } from '../../../support/har-schema.ts';
import { useServers } from '../../../support/platform-client.ts';
import type { ClientOptions } from '../../../../src/platform/client.ts';

const API_KEY = 'canary-api-key-0001';
const TOKEN = 'canary-access-token-0002';
const VARIABLE = 'canary "variable" 0003';

suite('trace of a request', () => {
  const { servers, createClient } = useServers();
  let traces: RequestTrace[];
  const options: Partial<ClientOptions> = {
    credential: () => Promise.resolve({ apiKey: API_KEY, accessToken: TOKEN }),
    secrets: () => [API_KEY, TOKEN, VARIABLE],
    record: ({ getTrace }) => traces.push(getTrace()),
    sleep: () => Promise.resolve(),
  };
  setup(() => {
    traces = [];
  });

  test('has route, status, sizes, headers and bodies', async () => {
    const server = await servers.http((_request, response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'x-request-id': 'req-1',
        'ratelimit-remaining': '41',
      });
      response.end('{"id":"obj_1","version":12345678901234567890}');
    });
    await createClient(server, options).read('objects', ['obj_1']);
    const [trace] = traces;
    assert.equal(trace?.operation, 'GET /objects/{objectId}');
    assert.ok(trace.url.startsWith(`${server.origin}/objects/obj_1`));
    assert.equal(trace.status, 200);
    assert.equal(trace.requestId, 'req-1');
    assert.equal(trace.isRead, true);
    assert.equal(trace.size, 45);
    assert.deepEqual(trace.details?.requestHeaders, [
      { name: 'accept', value: 'application/json' },
      { name: 'x-api-key', value: '••••' },
      { name: 'Authorization', value: 'Bearer ••••' },
    ]);
    assert.ok(
      trace.details.responseHeaders.some(({ name, value }) => name === 'ratelimit-remaining' && value === '41'),
    );
    assert.deepEqual(trace.details.responseBody, {
      text: '{\n  "id": "obj_1",\n  "version": 12345678901234567890\n}',
      size: 45,
      isCut: false,
    });
  });

  test('of a conditional request has the 304 and its headers, not the response that stays valid', async () => {
    const stale = new Date(Date.now() - 3_600_000).toUTCString();
    const server = await servers.http(({ headers }, response) => {
      if (headers['if-none-match'] === undefined)
        response.writeHead(200, { etag: '"1"', 'x-request-id': 'req-1', date: stale }).end('{"id":"obj_1"}');
      else response.writeHead(304, { etag: '"1"', 'x-request-id': 'req-2' }).end();
    });
    const client = createClient(server, options);
    const memory = new PollMemory();
    for (const _round of [1, 2]) {
      const { item } = await runPoll(memory, () => client.read('objects', ['obj_1']));
      assert.deepEqual(item.raw, { id: 'obj_1' });
    }
    const [, second] = traces;
    assert.deepEqual([second?.status, second?.requestId, second?.size], [304, 'req-2', 0]);
    const { requestHeaders, responseBody } = second?.details ?? {};
    assert.ok(requestHeaders?.some(({ name, value }) => name === 'if-none-match' && value === '"1"'));
    assert.equal(responseBody?.text, '');
    assert.ok(Math.abs(client.clockAhead) < 60_000, 'the clock of the platform is that of the 304');
  });

  test('measures queue, connection, first byte and body', async () => {
    let time = 0;
    let isWaiting = false;
    const server = await servers.http((_request, response) => {
      // The response of the first request starts once the second one is queued.
      const respond = (): void => {
        if (!isWaiting) {
          setImmediate(respond);
          return;
        }
        time += 30;
        response.write('{"id":');
        time += 4;
        response.end('"obj_1"}');
      };
      respond();
    });
    const client = createClient(server, { ...options, maxConcurrent: 1, now: () => time });
    const first = client.read('objects', ['a']);
    const second = client.read('objects', ['b']);
    isWaiting = true;
    await Promise.all([first, second]);
    const total = traces.map(({ timings }) =>
      Object.values(timings).reduce<number>((sum, part) => sum + Number(part), 0),
    );
    assert.deepEqual(traces.map(({ timings }) => Object.keys(timings)).flat().length, 8);
    assert.deepEqual(total, [34, 68]);
    assert.deepEqual(
      traces.map(({ timings }) => timings.queue),
      [0, 34],
    );
  });

  test('has each attempt, and the wait that the platform asked for', async () => {
    let count = 0;
    const server = await servers.http((_request, response) => {
      if (++count === 1) response.writeHead(429, { 'retry-after': '7', 'x-ratelimit-limit': '100' }).end('{}');
      else response.end('{"id":"obj_1"}');
    });
    await createClient(server, options).read('objects', ['obj_1']);
    assert.deepEqual(
      traces.map(({ attempt, status }) => [attempt, status]),
      [
        [1, 429],
        [2, 200],
      ],
    );
    const headers = new Map(traces[0]?.details?.responseHeaders.map(({ name, value }) => [name, value]));
    assert.equal(headers.get('retry-after'), '7');
    assert.equal(headers.get('x-ratelimit-limit'), '100');
  });

  test('has the limits of rates, whatever their names, and nothing else', async () => {
    const limits = async (headers: Record<string, string>): Promise<string | undefined> => {
      const server = await servers.http((_request, response) => response.writeHead(200, headers).end('{"id":"a"}'));
      traces.length = 0;
      await createClient(server, options).read('objects', ['a']);
      return traces[0]?.rateLimit;
    };
    assert.equal(await limits({}), undefined);
    assert.equal(await limits({ 'x-rates': '1', 'my-ratelimit': '2', 'retry-after-all': '3' }), undefined);
    assert.equal(await limits({ 'RateLimit-Remaining': '41', ratelimit: '7' }), 'Remaining 41 · 7'.toLowerCase());
    assert.equal(await limits({ 'x-rate-limit-reset': '9', 'retry-after': '3' }), 'reset 9 · retry-after 3');
    assert.equal(await limits({ 'x-ratelimit-limit': 'x'.repeat(400) }), `limit ${'x'.repeat(194)}`);
  });

  test('a lost connection has no status', async () => {
    const server = await servers.http((_request, response) => {
      response.socket?.destroy();
    });
    await assert.rejects(createClient(server, options).execute('{"action":"update"}'));
    assert.equal(traces.length, 1);
    assert.equal(traces[0]?.status, undefined);
    assert.ok(traces[0]?.error !== undefined);
    assert.equal(traces[0].isRead, false);
    assert.equal(parseHar(formatHar(traces, '1.0.0'))[0]?.response.status, 0);
  });

  test('a response that cannot be used has its status and the reason', async () => {
    const server = await servers.http((request, response) => {
      if (request.method === 'POST') response.writeHead(307, { location: '/elsewhere' }).end();
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip');
    });
    const client = createClient(server, options);
    await assert.rejects(client.execute('{}'));
    await assert.rejects(client.read('objects', ['obj_1']));
    assert.deepEqual(
      traces.map(({ operation, status, attempt }) => [operation, status, attempt]),
      [
        ['POST /ebus/execute', 307, 1],
        ['GET /objects/{objectId}', 200, 1],
        ['GET /objects/{objectId}', 200, 2],
        ['GET /objects/{objectId}', 200, 3],
      ],
    );
    assert.match(traces[0]?.error ?? '', /redirect/);
    assert.match(traces[1]?.error ?? '', /damaged/);
  });

  test('contains no secret: of headers, bodies, the URL and what the platform repeats', async () => {
    const server = await servers.http(({ url }, response) => {
      response.setHeader('set-cookie', 'session=canary-cookie-0004');
      response.setHeader('location', `/login?key=${API_KEY}`);
      if (url.startsWith('/wallets'))
        response.end(
          '{"access_token":"canary-issued-0005","refresh_token":"canary-issued-0006","wallet":{"id":"w","nickname":"a"}}',
        );
      else if (url.includes('invite'))
        response.end('{"access_token":"canary-issued-0005","refresh_token":"canary-issued-0006"}');
      else if (url.startsWith('/api-keys')) response.end('{"api_keys":[{"id":"key_1","key":"canary-new-key-0007"}]}');
      else
        response.end(
          JSON.stringify({
            id: 'obj_1',
            echo: `Bearer ${TOKEN}`,
            custom: { password: 'canary-password-0008', VARIABLE },
          }),
        );
    });
    const client = createClient(server, options);
    await client.read('objects', ['obj_1']);
    await client.listPage('api-keys');
    await client.registerWallet({ nickname: 'a', password: 'canary-password-0008' });
    await client.confirmInvite(
      { organizationId: 'org' },
      { token: 'canary-invite-0009', member_id: 'canary-member-0010' },
    );
    await client.execute(
      JSON.stringify({ action: 'update', params: [VARIABLE, { password: 'canary-password-0008' }] }),
    );
    assert.equal(traces.length, 5);
    const har = formatHar(traces, '1.0.0');
    assert.deepEqual(
      [JSON.stringify(traces), har].flatMap((text) => text.match(/canary[^,]*/g) ?? []),
      [],
    );
    assert.equal(parseHar(har).length, 5);
    assert.ok(har.includes('key_1') && har.includes('update'));
  });

  test('a long body is cut and says so; a secret at the cut is masked', async () => {
    const secret = 'canary'.repeat(1000);
    const body = `{"id":"obj_1","text":"${'x'.repeat(65_000)}","echo":"${secret}"}`;
    let text = body;
    const server = await servers.http((_request, response) => response.end(text));
    const client = createClient(server, { ...options, secrets: () => [secret] });
    await client.read('objects', ['obj_1']);
    text = `{"id":"obj_1","text":"${'x'.repeat(100_000)}"}`;
    await client.read('objects', ['obj_1']);
    text = `{"id":"obj_1","text":"${'x'.repeat(3_000_000)}"}`;
    await client.read('objects', ['obj_1']);
    const bodies = traces.map(({ details }) => details?.responseBody);
    assert.deepEqual(
      bodies.map((one) => [one?.text.length, one?.size, one?.isCut]),
      [
        [bodies[0]?.text.length, body.length, false],
        [65_536, 100_024, true],
        [0, 3_000_024, true],
      ],
    );
    assert.doesNotMatch(JSON.stringify(traces), /canary/);
    const entries = parseHar(formatHar(traces, '1.0.0'));
    assert.match(entries[1]?.response.content.comment ?? '', /100024 bytes/);
  });

  test('text of the platform has no control and no bidirectional characters in headers', async () => {
    const server = await servers.http((_request, response) => {
      response.setHeader('x-note', Buffer.from('a\u202eb').toString('latin1'));
      response.end('{"id":"obj_1"}');
    });
    await createClient(server, options).read('objects', ['obj_1']);
    assert.doesNotMatch(JSON.stringify(traces[0]?.details?.responseHeaders), /\u202e|\p{Cc}/u);
  });
});
