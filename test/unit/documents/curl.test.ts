/** Copy as cURL: run by a real shell, the command asks for exactly what the client would, with the credential from outside. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { curlOfAction } from '../../../src/actions/curl.ts';
import { variablesOf } from '../../../src/connections/curl.ts';
import { curlOfList, curlOfResource } from '../../../src/documents/curl.ts';
import { registry } from '../../../src/platform/registry.ts';
import { curlCommand, shellWord } from '../../../src/platform/shell.ts';
import {
  defaultPresentation,
  defaultQueryWords,
  urlOf,
  type Credential,
  type Target,
} from '../../../src/platform/target.ts';

const run = promisify(execFile);
const nasty = fc.constantFrom(
  "'",
  '"',
  '$HOME',
  '`id`',
  '$(id)',
  '\\',
  '!',
  '\n',
  ' ',
  '*',
  '~',
  ';',
  '&',
  '|',
  '#',
  '[a-c]',
  '{1,2}',
  '%',
  'ü',
  '😀',
);
const text = fc
  .array(fc.oneof(nasty, fc.string({ minLength: 1 })), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''));
const word = text.filter((words) => !words.includes('\0') && words.isWellFormed());

suite('cURL', () => {
  let server: http.Server;
  let target: Target;
  const seen: { url: string; headers: http.IncomingHttpHeaders; body: string }[] = [];

  suiteSetup(async () => {
    server = http.createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        seen.push({ url: request.url ?? '', headers: request.headers, body });
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    target = {
      name: 'Test',
      baseUrl: `http://127.0.0.1:${String(port)}/api`,
      presentation: defaultPresentation,
      words: defaultQueryWords,
    };
  });
  suiteTeardown(() => new Promise((resolve) => server.close(resolve)));

  const asked = async (command: string): Promise<(typeof seen)[number]> => {
    seen.length = 0;
    await run('sh', ['-c', `exec ${command} --silent --show-error --noproxy '*'`], {
      env: {
        PATH: process.env['PATH'],
        SMART_OBJECTS_API_KEY: 'key from outside',
        SMART_OBJECTS_ACCESS_TOKEN: 'token.from.outside',
      },
    });
    const [request] = seen;
    assert.ok(request);
    assert.equal(seen.length, 1);
    return request;
  };
  const session = (...holds: (keyof Credential)[]) => ({ holds: new Set(holds), client: { target } });

  test('a shell takes any word as it stands', async () => {
    await fc.assert(
      fc.asyncProperty(word, async (words) => {
        const { stdout } = await run('sh', ['-c', `printf %s ${shellWord(words)}`]);
        assert.equal(stdout, words);
      }),
      { numRuns: 60 },
    );
  });

  test('asks for the resource that the client would ask for', async () => {
    await fc.assert(
      fc.asyncProperty(
        word.filter((id) => !/^\.{1,2}$/.test(id)),
        async (id) => {
          const object = await asked(curlOfResource(session('apiKey'), registry.objects, id));
          const objectUrl = urlOf(target, registry.objects.read.operation, { objectId: id }, {});
          assert.equal(object.url, objectUrl.pathname + objectUrl.search);
          const face = await asked(curlOfResource(session('accessToken', 'apiKey'), registry.faces, id));
          const faceUrl = urlOf(target, registry.faces.list.operation, {}, { id });
          assert.equal(face.url, faceUrl.pathname + faceUrl.search);
          assert.equal(face.headers['x-api-key'], 'key from outside');
          assert.equal(face.headers.authorization, 'Bearer token.from.outside');
          assert.equal(object.headers.authorization, undefined);
        },
      ),
      { numRuns: 25 },
    );
  });

  test('an action is sent as it stands, with the credential that the session holds', async () => {
    await fc.assert(
      fc.asyncProperty(word, async (words) => {
        const action = { action: { x: `it's ${words} \${secret:K} $SMART_OBJECTS_API_KEY` } };
        const command = curlOfAction(session('accessToken'), `${JSON.stringify(action, null, 2)} // c`);
        const { url, headers, body } = await asked(command);
        assert.equal(url, '/api/ebus/execute');
        assert.equal(body, JSON.stringify(action));
        assert.equal(headers['content-type'], 'application/json');
        assert.equal(headers.authorization, 'Bearer token.from.outside');
        assert.equal(headers['x-api-key'], undefined);
        assert.equal(variablesOf(command), '$SMART_OBJECTS_ACCESS_TOKEN');
      }),
      { numRuns: 25 },
    );
    const both = curlOfAction(session('accessToken', 'apiKey'), '{"action": {}}');
    assert.equal((await asked(both)).headers['x-api-key'], 'key from outside');
    assert.equal(variablesOf(both), '$SMART_OBJECTS_API_KEY and $SMART_OBJECTS_ACCESS_TOKEN');
    assert.equal(variablesOf(curlOfAction(session(), 'not JSON')), '$SMART_OBJECTS_API_KEY');
  });

  test('roles, lists with dates, and API keys', async () => {
    const role = await asked(curlOfResource(session('apiKey'), registry.roles, 'org 1/myrole'));
    assert.equal(role.url, '/api/organizations/org%201/myrole');
    const odd = await asked(curlOfResource(session('apiKey'), registry.roles, 'org 1/constructor'));
    assert.equal(odd.url, '/api/organizations/org%201/roles/constructor');
    const logs = curlOfList(session(), registry['action-logs'], {
      status: 'failed',
      when_created: { gt: '2025-01-01T00:00:00Z' },
    });
    const list = await asked(logs);
    assert.equal(new URL(list.url, 'http://x').searchParams.get('when_created[$gt]'), '2025-01-01T00:00:00Z');
    assert.equal(
      (await asked(curlOfResource(session('apiKey'), registry['api-keys'], 'x'))).url,
      '/api/api-keys?limit=100',
    );
    assert.throws(() => curlOfResource(session('apiKey'), registry.wallets, 'x'), /reads no wallet/);
  });

  test('header names and prefixes of a connection, and a body, arrive as they are', async () => {
    const printable = fc.string({
      unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(printable, word, async (prefix, body) => {
        const command = curlCommand({
          method: 'POST',
          url: `${target.baseUrl}/x`,
          secrets: [{ header: 'x-own', prefix, variable: 'SMART_OBJECTS_API_KEY' }],
          body,
        });
        assert.ok(!command.includes('from outside'));
        const request = await asked(command);
        assert.equal(request.headers['x-own'], `${prefix}key from outside`);
        assert.equal(request.body, body);
      }),
      { numRuns: 25 },
    );
  });
});
