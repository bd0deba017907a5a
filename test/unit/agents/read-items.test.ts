/** How tools read lists: periods, conditions on fields, chosen fields, counts, and long texts in parts. */
import assert from 'node:assert/strict';
import http from 'node:http';
import type { ToolContext } from '../../../src/agents/tool.ts';
import { runTool } from '../../../src/agents/tool.ts';
import { tools } from '../../../src/agents/tools.ts';
import { createToolSession } from '../../../src/cli/connection/tool-session.ts';
import { createTransport } from '../../../src/platform/http/undici-transport.ts';
import { isObject } from '../../../src/platform/json/json.ts';
import { createTestClient, createTestProfile } from '../../support/platform-client.ts';
import { readEnvelope } from '../../support/untrusted-data.ts';

const never = new AbortController().signal;
const PAGE = 100;
const OBJECTS = 230;
const FACE = `<p>${'Ein langer Text.\n'.repeat(4000)}</p>`;

function createObject(index: number): object {
  return {
    id: `obj_${String(index)}`,
    template_id: `tpl_${String(index % 3)}`,
    metadata: { name: `Object ${String(index)}`, ...(index % 3 !== 1 && { image: { id: 'a', url: 'https://x' } }) },
    custom: {
      price: `${String(index)}.50`,
      day: `2026-03-${String((index % 28) + 1).padStart(2, '0')}`,
      tags: ['a', 'Vip', 'a'],
    },
    assets: [{ url: `https://files/${String(index)}` }],
  };
}

suite('lists that tools read', () => {
  let server: http.Server;
  let transport: ReturnType<typeof createTransport>;
  let context: ToolContext;
  const requests: URL[] = [];
  let logs: readonly object[] = [{ id: 'log_1', action_name: 'mint', status: 'failed' }];
  const call = async (name: string, input: object): Promise<{ readonly text: string; readonly data: unknown }> => {
    const tool = tools.find((one) => one.name === `smartObjects_${name}`);
    assert.ok(tool);
    const { text, isError } = await runTool(tool, input, context, never);
    return { text, data: isError ? undefined : readEnvelope(text)['data'] };
  };
  /** Returns the named part of the data. */
  const list = async (input: object, part = 'items'): Promise<unknown> => {
    const { data, text } = await call('list', { kind: 'objects', ...input });
    assert.ok(isObject(data), text);
    return data[part];
  };

  suiteSetup(async () => {
    server = http.createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://127.0.0.1');
      requests.push(url);
      const start = Number(url.searchParams.get('next') ?? 0);
      const end = start + Math.min(PAGE, Number(url.searchParams.get('limit') ?? PAGE));
      // As in a list that grows while it is read, each page repeats the last item of the one before.
      const from = Math.max(0, start - 1);
      const objects = Array.from({ length: OBJECTS }, (_, index) => createObject(index)).slice(from, end);
      const next = end < OBJECTS ? { next: String(end) } : {};
      response.setHeader('content-type', 'application/json');
      if (url.pathname === '/assets') {
        response.writeHead(403).end('{"message":"storage: read is missing"}');
        return;
      }
      response.end(
        JSON.stringify(
          url.pathname === '/faces'
            ? { faces: [{ id: 'face_1', name: 'Face', content: FACE }] }
            : url.pathname === '/public/templates'
              ? { templates: [{ id: 'tpl_1', name: 'Ticket' }], next: 'more' }
              : url.pathname === '/ebus/action-logs'
                ? { action_logs: logs, next: 'more' }
                : { objects, ...next },
        ),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    transport = createTransport({ environment: {} });
    const baseUrl = `http://127.0.0.1:${String(address.port)}`;
    const session = createToolSession(
      {
        client: createTestClient(baseUrl, transport),
        profile: createTestProfile(baseUrl),
        credential: { apiKey: 'key' },
      },
      never,
    );
    context = {
      sessions: () => [session],
      active: () => session,
      secrets: () => [],
      getSigner: () => undefined,
      snapshots: () => Promise.resolve([]),
    };
  });
  suiteTeardown(async () => {
    await transport.close();
    server.closeAllConnections();
    server.close();
  });
  setup(() => {
    requests.length = 0;
  });

  test('a period has both ends, also within a filter', async () => {
    await list({ from: '2026-03-01', until: '2026-03-08T12:00:00Z' });
    await list({ filters: { when_modified: '>=2026-03-01 <2026-03-08' } });
    const [first, second] = requests.map(({ searchParams }) => searchParams);
    assert.equal(first?.get('when_created[$gte]'), '2026-03-01T00:00:00.000Z');
    assert.equal(first.get('when_created[$lt]'), '2026-03-08T12:00:00.000Z');
    assert.match(second?.get('when_modified[$gte]') ?? '', /^2026-03-01/);
    assert.match(second?.get('when_modified[$lt]') ?? '', /^2026-03-08/);
    for (const from of ['soon', '7', '-7'])
      assert.match((await call('list', { kind: 'objects', from })).text, /^from must be a date such as/);
  });

  test('conditions on fields read on until enough is found, and `next` goes on', async () => {
    const where = [{ path: 'metadata.image', is: 'missing' }];
    const fields = ['metadata.name', 'assets[0].url', 'assets[].url'];
    const { data } = await call('list', { kind: 'objects', where, fields, limit: 30 });
    assert.ok(isObject(data) && Array.isArray(data['items']));
    assert.equal(data['items'].length, 33);
    assert.deepEqual(data['items'][0], {
      id: 'obj_1',
      'metadata.name': 'Object 1',
      'assets[0].url': 'https://files/1',
      'assets[].url': ['https://files/1'],
    });
    assert.deepEqual([data['scanned'], data['next'], requests.length], [100, '100', 1]);
    const rest = await call('list', { kind: 'objects', where, limit: 50, next: '100' });
    assert.ok(isObject(rest.data) && Array.isArray(rest.data['items']));
    assert.deepEqual([rest.data['items'].length, rest.data['next']], [44, undefined]);
  });

  test('a long cursor is accepted', async () => {
    const { text } = await call('list', { kind: 'objects', next: '100'.padEnd(1900) });
    assert.match(text, /"id": "obj_100"/);
  });

  test('values are compared as what they are', async () => {
    const count = async (...where: object[]): Promise<unknown> => {
      const counts = await list({ where, countBy: 'missing' }, 'counts');
      assert.ok(Array.isArray(counts));
      return isObject(counts[0]) ? counts[0]['count'] : 0;
    };
    // As texts, "9.50" would be greater than "200".
    assert.equal(await count({ path: 'custom.price', is: 'greater', value: 200 }), 30);
    assert.equal(await count({ path: 'custom.price', is: 'equals', value: '7.50' }), 1);
    assert.equal(await count({ path: 'custom.tags', is: 'contains', value: 'vip' }), OBJECTS);
    assert.equal(await count({ path: 'assets[].url', is: 'contains', value: '/229' }), 1);
    const week = [
      { path: 'custom.day', is: 'less', value: '2026-03-08' },
      { path: 'metadata.image', is: 'present' },
    ];
    // 62 objects are of the first seven days; of those, 21 have no image.
    assert.equal(await count(...week), 62 - 21);
    assert.match(
      (await call('list', { kind: 'objects', where: [{ path: 'a', is: 'like' }] })).text,
      /^Invalid input: where\.0\.is: must be one of "missing", "present", /,
    );
  });

  test('resources are counted by a field over the whole list', async () => {
    assert.deepEqual(await list({ countBy: 'template_id' }, 'counts'), [
      { value: 'tpl_0', count: 77 },
      { value: 'tpl_1', count: 77 },
      { value: 'tpl_2', count: 76 },
    ]);
    assert.equal(requests.length, 3);
    // An object that has a value twice is one object.
    assert.deepEqual(await list({ countBy: 'custom.tags[]' }, 'counts'), [
      { value: 'a', count: OBJECTS },
      { value: 'Vip', count: OBJECTS },
    ]);
  });

  test('logs of an object and a status, with `next`', async () => {
    const { data } = await call('logs', { object: 'obj_1', status: 'failed', limit: 1, fields: ['action_name'] });
    assert.deepEqual(data, { logs: [{ id: 'log_1', action_name: 'mint' }], next: 'more' });
    const { searchParams } = requests[0] ?? new URL('http://none');
    assert.deepEqual(
      ['object_id', 'status', 'limit', 'order'].map((name) => searchParams.get(name)),
      ['obj_1', 'failed', '1', 'desc'],
    );
  });

  test('a failure that is listed twice is counted once, and has no time if its log has none', async () => {
    const { data } = await call('failures', {});
    assert.deepEqual(data, { failures: [{ action: 'mint', count: 1, latest: 'log_1' }] });
  });

  test('a search names the kinds of which more are there', async () => {
    const { text } = await call('find', { text: 'Ticket' });
    assert.match(
      text,
      /^Not all were searched or listed of: .*\btemplates\b.*\. smartObjects_list reads the others, /m,
    );
  });

  test('a search names the permission that a kind lacks', async () => {
    const { data } = await call('find', { text: 'Ticket' });
    assert.deepEqual(isObject(data) && data['failed'], [
      'Assets: Permission denied (HTTP 403) — “storage: read is missing”',
    ]);
  });

  test('a long text is read in parts, to the character', async () => {
    let [text, offset] = ['', 0];
    for (;;) {
      const { text: result } = await call('get', { kind: 'faces', id: 'face_1', path: 'content', offset });
      text += String(readEnvelope(result)['part']);
      const next = /call again with "offset": (\d+)\.$/.exec(result)?.[1];
      if (next === undefined) break;
      offset = Number(next);
    }
    assert.equal(text, FACE);
    assert.equal(requests.length, 3);
    assert.equal(
      (await call('get', { kind: 'faces', id: 'face_1', path: 'config.size' })).text,
      'The resource has no field at this path.',
    );
  });

  test('logs that the platform lists oldest first are not called the newest', async () => {
    const createFailure = (_: unknown, day: number): object => ({
      id: `log_${String(day)}`,
      status: 'failed',
      when_created: new Date(day * 86_400_000).toISOString(),
    });
    logs = Array.from({ length: 1000 }, createFailure);
    const wrong = /does not list the newest action logs first, so newer ones may be missing: set query\.descending/;
    assert.match((await call('logs', {})).text, wrong);
    assert.match((await call('failures', {})).text, wrong);
    assert.doesNotMatch((await call('logs', { filters: { order: 'ascending' } })).text, wrong);
  });
});
