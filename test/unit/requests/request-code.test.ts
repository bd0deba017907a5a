/** The code that is copied does what it says: it is run, and sends the same request. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { MAX_TRACED_URL, type RequestTrace } from '../../../src/platform/requests/request-trace.ts';
import { formatRequestCode } from '../../../src/requests/request-code.ts';
import type { LocalServer } from '../../support/http/servers.ts';
import { useServers } from '../../support/platform-client.ts';

const run = promisify(execFile);
const VARIABLES = { SMART_OBJECTS_API_KEY: 'the-key', SMART_OBJECTS_ACCESS_TOKEN: 'the-token' };
// Bodies are kept as formatted JSON.
const BODY = JSON.stringify({ action: 'update', params: [`it's`, '"quoted" \\ $HOME `id` 🎟️'] }, null, 2);

suite('code of a request', () => {
  const { servers, createClient } = useServers();
  let server: LocalServer;
  let traces: RequestTrace[];

  setup(async () => {
    traces = [];
    server = await servers.http((_request, response) => response.end('{"id":"a","action_id":"a","steps":[]}'));
    const client = createClient(server, {
      credential: () => Promise.resolve({ apiKey: 'the-key', accessToken: 'the-token' }),
      record: ({ getTrace }) => traces.push(getTrace()),
    });
    await client.read('objects', ['a b']);
    await client.execute(BODY);
  });

  const format = (index: number, kind: 'curl' | 'fetch' | 'python'): ReturnType<typeof formatRequestCode> => {
    const trace = traces[index];
    assert.ok(trace !== undefined);
    return formatRequestCode(trace, kind, 'x-api-key', 'posix');
  };

  /** Runs the code, and compares the requests with those that were recorded. */
  async function checkSame(
    index: number,
    kind: 'curl' | 'fetch' | 'python',
    execute: (text: string) => Promise<unknown>,
  ) {
    const { text, variables } = format(index, kind);
    assert.deepEqual([...variables].sort(), Object.keys(VARIABLES).sort());
    assert.doesNotMatch(text, /the-key|the-token/);
    await execute(text);
    const [sent, again] = [server.received[index], server.received.at(-1)];
    assert.ok(sent !== undefined && again !== undefined && again !== sent);
    assert.deepEqual([again.method, again.url, again.body], [sent.method, sent.url, sent.body]);
    for (const name of ['x-api-key', 'authorization', 'accept', 'content-type'])
      assert.equal(again.headers[name], sent.headers[name], name);
  }

  const env = { ...process.env, ...VARIABLES };
  for (const index of [0, 1]) {
    test(`cURL ${index}`, () => checkSame(index, 'curl', (text) => run('sh', ['-c', text], { env })));
    test(`fetch ${index}`, () =>
      checkSame(index, 'fetch', (text) => run(process.execPath, ['--input-type=module', '-e', text], { env })));
  }

  test('Python', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-python-'));
    // The package `requests` may not be installed: what it is called with is printed.
    fs.writeFileSync(
      path.join(folder, 'requests.py'),
      'import json\ndef request(method, url, headers, data=None):\n  class R: pass\n  r = R()\n  r.status_code = 200\n' +
        '  r.text = json.dumps([method, url, headers, data.decode() if data else None])\n  return r\n',
    );
    try {
      for (const index of [0, 1]) {
        const { text } = format(index, 'python');
        const { stdout } = await run('python3', ['-c', text], { env: { ...env, PYTHONPATH: folder } });
        const [method, url, headers, data] = JSON.parse(stdout.slice('200 '.length)) as unknown[];
        const sent = server.received[index];
        assert.deepEqual(
          [method, url, data],
          [sent?.method, server.origin + (sent?.url ?? ''), index === 0 ? null : BODY],
        );
        assert.equal((headers as Record<string, string>)['x-api-key'], 'the-key');
        assert.equal((headers as Record<string, string>)['Authorization'], 'Bearer the-token');
      }
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  test('a request that is not kept whole is not copied', () => {
    const [read, sent] = traces;
    assert.ok(sent !== undefined);
    const { details } = sent;
    assert.ok(read !== undefined && details?.requestBody !== undefined);
    const { details: _details, ...dropped } = read;
    assert.throws(() => formatRequestCode(dropped, 'curl', 'x-api-key'), /no longer kept/);
    const requestBody = { ...details.requestBody, isCut: true };
    assert.throws(
      () => formatRequestCode({ ...sent, details: { ...details, requestBody } }, 'fetch', 'x-api-key'),
      /too long/,
    );
    const url = read.url.padEnd(MAX_TRACED_URL, 'x');
    assert.throws(() => formatRequestCode({ ...read, url }, 'curl', 'x-api-key'), /too long/);
  });
});
