/** `get` and `list`, against the sandbox. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod/mini';
import { faultSchema } from '../../../src/sandbox/faults/faults.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { runProgram, startProgram, type ProgramOptions, type ProgramResult } from './support.ts';

suite('smart-objects get and list', () => {
  let sandbox: Sandbox;
  let dir = '';
  suiteSetup(async () => {
    sandbox = await startSandbox({ seed: 1, objects: 130, logs: 40 });
    dir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'soe-cli-'));
  });
  suiteTeardown(async () => {
    fs.rmSync(dir, { recursive: true });
    await sandbox.close();
  });
  setup(() => {
    sandbox.recorder.reset();
  });

  const run = (args: readonly string[], { environment, ...rest }: ProgramOptions = {}): Promise<ProgramResult> =>
    runProgram(args, {
      cwd: dir,
      environment: {
        SMART_OBJECTS_BASE_URL: sandbox.baseUrl,
        SMART_OBJECTS_API_KEY: sandbox.apiKey,
        ...environment,
      },
      ...rest,
    });
  const countRequests = (): number => Object.values(sandbox.recorder.counts).reduce((sum, count) => sum + count, 0);

  test('a list in a pipe is one line a resource, tab-separated, and says on standard error what is left out', async () => {
    const { code, stdout, stderr } = await run(['list', 'objects', '--limit', '3']);
    assert.equal(code, 0, stderr);
    const rows = stdout.trimEnd().split('\n');
    assert.equal(rows.length, 3);
    for (const row of rows) assert.match(row, /^obj_\w+\t[^\t]*\t[^\t]*\t[^\t]*\t\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.equal(stderr, 'There are more. Use --limit to print more of them, or --all to print everything.\n');
  });

  test('every page is listed with --all, as JSON that is equal to the page of the server', async () => {
    const [ndjson, json] = await Promise.all([
      run(['list', 'objects', '--all', '--format', 'ndjson']),
      run(['list', 'objects', '--all', '--format', 'json']),
    ]);
    const lines = ndjson.stdout.trimEnd().split('\n');
    assert.equal(lines.length, 130);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as unknown),
      JSON.parse(json.stdout),
    );
    // Digits that a double would lose.
    assert.match(ndjson.stdout, /"serial_number":\d{17,}/);
    assert.equal(ndjson.stderr, '');
  });

  test('CSV has a column for each field of the kind', async () => {
    const { stdout } = await run(['list', 'api-keys', '--limit', '2', '--format', 'csv']);
    const [head = '', first = ''] = stdout.split('\r\n');
    assert.match(head, /^id,name,wallet_id,org_id,fqdn,key,/);
    assert.match(first, /••••/);
  });

  test('an empty list is empty in every format', async () => {
    const empty = ['list', 'objects', '--filter', 'owner=nobody'];
    assert.equal((await run(empty)).stdout, '');
    assert.equal((await run([...empty, '--format', 'json'])).stdout, '[]\n');
    assert.match((await run([...empty, '--format', 'csv'])).stdout, /^id,org_id,.*\r\n$/);
  });

  test('filters are those of the contract, dates relative to now', async () => {
    const { stdout } = await run(['list', 'action-logs', '--filter', 'status=failed', '--format', 'ndjson']);
    const logs = stdout.trimEnd().split('\n');
    assert.ok(logs.length > 0);
    for (const log of logs) assert.match(log, /"status":"failed"/);
    const old = await run(['list', 'action-logs', '--filter', 'when_created<-9999d', '--format', 'json']);
    assert.equal(old.stdout, '[]\n', old.stderr);
  });

  test('an invalid command line is refused with valid values, and nothing is sent', async () => {
    for (const [args, message] of [
      [['list', 'objects', '--filter', 'color=red'], /cannot be filtered by "color"\. Filters: id, org_id,/],
      [['list', 'objects', '--filter', 'color'], /"color" is not a condition: write NAME=VALUE\.$/m],
      [['list', 'action-logs', '--filter', 'status=lost'], /status must be one of pending, completed, failed\.$/m],
      [['list', 'objects', '--filter', 'when_created=2026'], /write for example "when_created>=-24h"\.$/m],
      [['list', 'objects', '--filter', 'when_created>soon'], /needs a date/],
      [['list', 'objects', '--filter', 'when_created>=-7'], /needs a date/],
      [['list', 'objects', '--filter', 'when_created>=2026-02-31'], /needs a date/],
      [['stats', 'fees', '--from', '7'], /--from must be a date/],
      [['list', 'objects', '--limit', '0'], /--limit must be a whole number from 1 to/],
      [['list', 'objects', '--timeout', 'soon'], /--timeout must be a number of seconds\.$/m],
      [['list', 'batches'], /Allowed choices are objects, faces,/],
      [['get', 'roles', 'default'], /The ID of a role includes its organization: specify ORGANIZATION\/ID\.$/m],
      [['get', 'objects'], /^error: Missing required argument 'id'\.$/m],
      [['lst', 'objects'], /^error: Unknown command 'lst' \(Did you mean list\?\)\.$/m],
      [['help', 'lst'], /^error: Unknown command 'lst' \(Did you mean list\?\)\.$/m],
      [['list', 'objects', '--api-key', 'x'], /^error: Unknown option '--api-key'/m],
    ] as const) {
      const { code, stdout, stderr } = await run(args);
      assert.equal(code, 2, args.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, message);
    }
    assert.equal(countRequests(), 0);
  });

  test('only `run` runs files; options may stand before the command', async () => {
    const template = sandbox.world.templates.source.idAt(8);
    fs.mkdirSync(path.join(dir, 'test'));
    const file = 'test/mint.action.json';
    fs.writeFileSync(path.join(dir, file), JSON.stringify({ action: { mint: { template_id: template, num: 1 } } }));
    const first = ['--base-url', sandbox.baseUrl, '--timeout=20'];
    for (const [args, message] of [
      [['test'], /^error: test is not a command: use “smart-objects run test” to run it\.$/m],
      [[file], /^error: test\/mint\.action\.json is not a command: use “smart-objects run test\/mint/m],
      [['./test', ...first], /^error: \.\/test is not a command/m],
      [[...first, 'test'], /^error: test is not a command/m],
      [['missing.action.json'], /^error: missing\.action\.json is not a command/m],
      [first, /^error: No command after --base-url: smart-objects --help lists them\.$/m],
      [['--api-key', 'secret-key', 'list', 'objects'], /^error: No command after --api-key: /m],
      [['tst'], /^error: Unknown command 'tst'/m],
    ] as const) {
      const { code, stdout, stderr } = await run(args);
      assert.equal(code, 2, args.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, message);
      assert.ok(!stderr.includes('secret-key'));
    }
    assert.equal(countRequests(), 0);
    const environment = { SMART_OBJECTS_BASE_URL: '' };
    const listed = await run([...first, 'list', 'objects', '--limit', '1'], { environment });
    assert.equal(listed.code, 0, listed.stderr);
    fs.writeFileSync(path.join(dir, 'plain.face.html'), '<p>face</p>');
    const rendered = await run([...first, 'face', 'render', 'plain.face.html'], { environment });
    assert.match(rendered.stdout, /<p>face<\/p>/);
    const sent = await run([...first, '--no-batch', 'run', 'test'], { environment });
    assert.equal(sent.code, 0, sent.stderr);
    assert.equal(sandbox.recorder.executes, 1);
    fs.rmSync(path.join(dir, 'test'), { recursive: true });
  });

  test('a resource is the JSON of the server, digits kept and secrets masked', async () => {
    const id = (await run(['list', 'api-keys', '--limit', '1'])).stdout.split('\t')[0] ?? '';
    const { code, stdout } = await run(['get', 'api-keys', id]);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`^\\{\\n {2}"id": "${id}",`));
    assert.match(stdout, /"key": "••••"/);
    assert.equal(stdout.includes(sandbox.apiKey), false);
  });

  test('a role is read with its organization', async () => {
    const organization = /"org_id":"([^"]+)"/.exec((await run(['list', 'objects', '--format', 'ndjson'])).stdout)?.[1];
    const { code, stdout } = await run(['get', 'roles', `${organization ?? ''}/default`]);
    assert.equal(code, 0);
    assert.match(stdout, /"permissions": \[/);
  });

  test('a resource that is not there, and a missing credential, are errors with a next step', async () => {
    const missing = await run(['get', 'objects', 'obj_none']);
    assert.equal(missing.code, 1);
    assert.equal(missing.stdout, '');
    assert.match(missing.stderr, /^error: Read object: .*HTTP 404.* Check the ID and --base-url, .*\.$/m);
    const bare = await run(['list', 'objects'], { environment: { SMART_OBJECTS_API_KEY: '' } });
    assert.equal(bare.code, 1);
    assert.match(bare.stderr, /HTTP 401.* Set SMART_OBJECTS_API_KEY or SMART_OBJECTS_ACCESS_TOKEN\.$/m);
    const wrong = await run(['list', 'objects'], { environment: { SMART_OBJECTS_API_KEY: 'a-wrong-key-of-mine' } });
    assert.match(wrong.stderr, /Check the credential/);
    assert.equal(wrong.stderr.includes('a-wrong-key-of-mine'), false);
    sandbox.faults.add(z.parse(faultSchema, { route: 'GET /objects', fault: 'echoCredential', count: null }));
    const echo = await run(['list', 'objects']);
    sandbox.faults.clear();
    assert.equal(echo.code, 1);
    assert.match(echo.stderr, /could not verify ••••/);
  });

  test('the credential can come from standard input', async () => {
    const environment = { SMART_OBJECTS_API_KEY: '' };
    const fromInput = await run(['list', 'objects', '--limit', '1', '--api-key-stdin'], {
      environment,
      input: `${sandbox.apiKey}\n`,
    });
    assert.equal(fromInput.code, 0, fromInput.stderr);
    const token = await run(['list', 'faces', '--limit', '1', '--access-token-stdin'], {
      environment,
      input: sandbox.accessToken,
    });
    assert.equal(token.code, 0, token.stderr);
    const empty = await run(['list', 'objects', '--api-key-stdin'], { environment });
    assert.equal(empty.code, 2);
    assert.match(empty.stderr, /^error: Standard input contains no credential/);
  });

  test('a connection comes from a file with an entry of the setting', async () => {
    const write = (entry: object | string): string => {
      fs.writeFileSync(path.join(dir, 'c.json'), typeof entry === 'string' ? entry : JSON.stringify(entry));
      return 'c.json';
    };
    const list = (file: string, ...more: string[]) =>
      run(['list', 'objects', '--limit', '1', '--connection', file, ...more]);
    const entry = { name: 'Mine', baseUrl: sandbox.baseUrl, pageSize: 2, auth: { apiKeyHeader: 'x-api-key' } };
    const { code, stderr } = await list(write(`// copied\n${JSON.stringify(entry)}`));
    assert.equal(code, 0, stderr);
    for (const [content, message] of [
      [{ ...entry, apiKey: 'k' }, /unknown fields \(apiKey\); credentials come from/],
      [{ ...entry, environment: 'prod' }, /environment must be one of sandbox, development/],
      ['{', /c\.json is not JSON/],
    ] as const) {
      const result = await list(write(content));
      assert.equal(result.code, 2);
      assert.match(result.stderr, message);
    }
    assert.match((await list('missing.json')).stderr, /file missing\.json was not found/);
    const both = await list(write(entry), '--base-url', sandbox.baseUrl);
    assert.equal(both.code, 2);
    assert.match(both.stderr, /--connection and --base-url cannot be used together/);
  });

  test('the whole list is read in the largest pages, whatever the page size of the connection', async () => {
    const entry = { name: 'Mine', baseUrl: sandbox.baseUrl, pageSize: 2, auth: { apiKeyHeader: 'x-api-key' } };
    fs.writeFileSync(path.join(dir, 'small.json'), JSON.stringify(entry));
    const { stdout } = await run(['list', 'objects', '--all', '--connection', 'small.json']);
    assert.ok(stdout.trimEnd().split('\n').length >= 130);
    assert.equal(countRequests(), 2);
  });

  test('a file sends the credential of the environment only to the origin that stands beside it', async () => {
    const requests: unknown[] = [];
    const other = http.createServer(({ headers }, response) => {
      requests.push(headers);
      response.end('{"objects": []}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = other.address() as AddressInfo;
      const origin = `http://127.0.0.1:${String(port)}`;
      const write = (entry: object): void => {
        fs.writeFileSync(
          path.join(dir, 'other.json'),
          JSON.stringify({ name: 'Other', baseUrl: `${origin}/v1`, ...entry }),
        );
      };
      const list = (environment: Readonly<Record<string, string>>, ...more: string[]) =>
        runProgram(['list', 'objects', '--limit', '1', '--connection', 'other.json', ...more], {
          cwd: dir,
          environment,
        });
      write({});
      const key = { SMART_OBJECTS_API_KEY: 'key-of-the-environment' };
      const beside = { ...key, SMART_OBJECTS_BASE_URL: sandbox.baseUrl };
      for (const [environment, message] of [
        [
          beside,
          `SMART_OBJECTS_API_KEY to ${origin}, but SMART_OBJECTS_BASE_URL is ${new URL(sandbox.baseUrl).origin}`,
        ],
        [key, `SMART_OBJECTS_API_KEY to ${origin}, but SMART_OBJECTS_BASE_URL is not set`],
        [{ SMART_OBJECTS_ACCESS_TOKEN_BUYER: 'token' }, `SMART_OBJECTS_ACCESS_TOKEN_BUYER to ${origin}`],
        [{ SMART_OBJECTS_SECRET_PIN: 'secret' }, `SMART_OBJECTS_SECRET_PIN to ${origin}`],
      ] as const) {
        const { code, stderr } = await list(environment);
        assert.equal(code, 2);
        assert.ok(stderr.includes(message), stderr);
      }
      const wrong = await list(beside, '--origin', sandbox.baseUrl);
      assert.equal(wrong.code, 2);
      assert.match(wrong.stderr, /^error: --origin is http:\/\/127\.0\.0\.1:\d+, but Other is http:/);
      write({ auth: { apiKeyHeader: 'Referer' } });
      const header = await list(beside, '--origin', origin);
      assert.equal(header.code, 2);
      assert.match(header.stderr, /in the header Referer; a file can choose authorization, /);
      assert.deepEqual(requests, []);
      write({ auth: { apiKeyHeader: 'Api-Key' } });
      for (const [environment, ...more] of [
        [beside, '--origin', origin],
        [{ ...key, SMART_OBJECTS_BASE_URL: `${origin}/elsewhere` }],
        [{}],
      ] as const)
        assert.equal((await list(environment, ...more)).code, 0);
      assert.deepEqual(
        requests.map((headers) => z.parse(z.object({ 'api-key': z.optional(z.string()) }), headers)['api-key']),
        ['key-of-the-environment', 'key-of-the-environment', undefined],
      );
    } finally {
      other.close();
      other.closeAllConnections();
    }
  });

  test('a reader that goes away ends the program in silence', async () => {
    const { child, ended } = startProgram(['list', 'objects', '--all', '--format', 'json'], {
      environment: { SMART_OBJECTS_BASE_URL: sandbox.baseUrl, SMART_OBJECTS_API_KEY: sandbox.apiKey },
    });
    child.stdout?.destroy();
    const { code, stderr } = await ended;
    assert.equal(code, 0);
    assert.equal(stderr, '');
  });

  test('help names commands, exit codes, credentials and the filters of each kind', async () => {
    const { code, stdout } = await run(['--help']);
    assert.equal(code, 0);
    for (const text of ['get [options] <kind> <id>', 'completion <shell>', 'Exit codes:', 'SMART_OBJECTS_API_KEY'])
      assert.ok(stdout.includes(text), text);
    assert.match((await run(['list', '--help'])).stdout, /^ {2}action-logs +id, org_id,(?:.|\n {3,})*\bstatus/m);
    assert.match((await run(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
  });
});
