/** Copy as cURL: run by a real shell, the command sends the client's request with the credential from the environment. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { formatActionCurl } from '../../../../src/actions/copy/action-curl.ts';
import { listCredentialVariables } from '../../../../src/connections/session/session-curl.ts';
import { createListCurl, createResourceCurl } from '../../../../src/documents/commands/resource-curl.ts';
import { registry } from '../../../../src/platform/registry.ts';
import { formatCurlCommand, quoteShellArgument } from '../../../../src/model/text/shell.ts';
import { defaultCredentialHeaderNames, type Credential } from '../../../../src/platform/http/credential-headers.ts';
import { defaultQueryFormat, buildUrl, type Target } from '../../../../src/platform/target.ts';

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
const word = text.filter((value) => !value.includes('\0') && value.isWellFormed());

suite('cURL', () => {
  let server: http.Server;
  let target: Target;
  const requests: { url: string; headers: http.IncomingHttpHeaders; body: string }[] = [];

  suiteSetup(async () => {
    server = http.createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        requests.push({ url: request.url ?? '', headers: request.headers, body });
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    target = {
      name: 'Test',
      baseUrl: `http://127.0.0.1:${String(port)}/api`,
      credentialHeaderNames: defaultCredentialHeaderNames,
      queryFormat: defaultQueryFormat,
    };
  });
  suiteTeardown(() => new Promise((resolve) => server.close(resolve)));

  const runCommand = async (command: string): Promise<(typeof requests)[number]> => {
    requests.length = 0;
    await run('sh', ['-c', `exec ${command} --silent --show-error --noproxy '*'`], {
      env: {
        PATH: process.env['PATH'],
        SMART_OBJECTS_API_KEY: 'key from outside',
        SMART_OBJECTS_ACCESS_TOKEN: 'token.from.outside',
      },
    });
    const [request] = requests;
    assert.ok(request);
    assert.equal(requests.length, 1);
    return request;
  };
  const session = (...holds: (keyof Credential)[]) => ({ credentialKinds: new Set(holds), client: { target } });

  test('a shell passes on any word unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(word, async (value) => {
        const { stdout } = await run('sh', ['-c', `printf %s ${quoteShellArgument(value)}`]);
        assert.equal(stdout, value);
      }),
      { numRuns: 60 },
    );
  });

  test('requests the resource as the client does', async () => {
    await fc.assert(
      fc.asyncProperty(
        word.filter((id) => !/^\.{1,2}$/.test(id)),
        async (id) => {
          const object = await runCommand(createResourceCurl(session('apiKey'), registry.objects, id));
          const objectUrl = buildUrl(target, registry.objects.read.operation, { objectId: id }, {});
          assert.equal(object.url, objectUrl.pathname + objectUrl.search);
          const face = await runCommand(createResourceCurl(session('accessToken', 'apiKey'), registry.faces, id));
          const faceUrl = buildUrl(target, registry.faces.list.operation, {}, { id });
          assert.equal(face.url, faceUrl.pathname + faceUrl.search);
          assert.equal(face.headers['x-api-key'], 'key from outside');
          assert.equal(face.headers.authorization, 'Bearer token.from.outside');
          assert.equal(object.headers.authorization, undefined);
        },
      ),
      { numRuns: 25 },
    );
  });

  test('an action is sent unchanged, with the session’s credential', async () => {
    await fc.assert(
      fc.asyncProperty(word, async (value) => {
        const action = { action: { x: `it's ${value} \${secret:K} $SMART_OBJECTS_API_KEY` } };
        const command = formatActionCurl(session('accessToken'), `${JSON.stringify(action, null, 2)} // c`);
        const { url, headers, body } = await runCommand(command);
        assert.equal(url, '/api/ebus/execute');
        assert.equal(body, JSON.stringify(action));
        assert.equal(headers['content-type'], 'application/json');
        assert.equal(headers.authorization, 'Bearer token.from.outside');
        assert.equal(headers['x-api-key'], undefined);
        assert.equal(listCredentialVariables(command), '$SMART_OBJECTS_ACCESS_TOKEN');
      }),
      { numRuns: 25 },
    );
    const both = formatActionCurl(session('accessToken', 'apiKey'), '{"action": {}}');
    assert.equal((await runCommand(both)).headers['x-api-key'], 'key from outside');
    assert.equal(listCredentialVariables(both), '$SMART_OBJECTS_API_KEY and $SMART_OBJECTS_ACCESS_TOKEN');
    assert.equal(listCredentialVariables(formatActionCurl(session(), 'not JSON')), '$SMART_OBJECTS_API_KEY');
  });

  test('roles, lists with dates, and API keys', async () => {
    const role = await runCommand(createResourceCurl(session('apiKey'), registry.roles, 'org 1/myrole'));
    assert.equal(role.url, '/api/organizations/org%201/myrole');
    const odd = await runCommand(createResourceCurl(session('apiKey'), registry.roles, 'org 1/constructor'));
    assert.equal(odd.url, '/api/organizations/org%201/roles/constructor');
    const logs = createListCurl(session(), registry['action-logs'], {
      status: 'failed',
      when_created: { gt: '2025-01-01T00:00:00Z' },
    });
    const list = await runCommand(logs);
    assert.equal(new URL(list.url, 'http://x').searchParams.get('when_created[$gt]'), '2025-01-01T00:00:00Z');
    assert.equal(
      (await runCommand(createResourceCurl(session('apiKey'), registry['api-keys'], 'x'))).url,
      '/api/api-keys?limit=100',
    );
    assert.throws(
      () => createResourceCurl(session('apiKey'), registry.wallets, 'x'),
      /can’t read this kind by its ID: wallet/,
    );
  });

  test('header names and prefixes of a connection, and a body, arrive as they are', async () => {
    const printable = fc.string({
      unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(printable, word, async (prefix, body) => {
        const command = formatCurlCommand({
          method: 'POST',
          url: `${target.baseUrl}/x`,
          secrets: [{ header: 'x-own', prefix, variable: 'SMART_OBJECTS_API_KEY' }],
          body,
        });
        assert.ok(!command.includes('from outside'));
        const request = await runCommand(command);
        assert.equal(request.headers['x-own'], `${prefix}key from outside`);
        assert.equal(request.body, body);
      }),
      { numRuns: 25 },
    );
  });
});
