/** `logs`, `history`, `stats`, `check`, `face render` and `sandbox`, against the sandbox. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod/mini';
import { faultSchema } from '../../../src/sandbox/faults/faults.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { Servers } from '../../support/http/servers.ts';
import {
  createLog,
  runProgram,
  startPlatform,
  startProgram,
  type ProgramResult,
  type RunningProgram,
} from './support.ts';

suite('smart-objects logs, history, stats, check and face', () => {
  let sandbox: Sandbox;
  let dir = '';
  let objectId = '';
  let environment: Readonly<Record<string, string>>;
  suiteSetup(async () => {
    sandbox = await startSandbox({ seed: 1, objects: 60, logs: 40, indexDelay: 10, settleDelay: 400, batchDelay: 50 });
    dir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'soe-cli-'));
    environment = { SMART_OBJECTS_BASE_URL: sandbox.baseUrl, SMART_OBJECTS_API_KEY: sandbox.apiKey };
    objectId = (await run(['list', 'objects', '--limit', '1'])).stdout.split('\t')[0] ?? '';
  });
  suiteTeardown(async () => {
    fs.rmSync(dir, { recursive: true });
    await sandbox.close();
  });

  const start = (args: readonly string[]): RunningProgram => startProgram(args, { cwd: dir, environment });
  const run = (args: readonly string[]): Promise<ProgramResult> => runProgram(args, { cwd: dir, environment });
  const mint = async (): Promise<string> => {
    const response = await fetch(`${sandbox.baseUrl}/ebus/execute`, {
      method: 'POST',
      headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ action: { mint: { template_id: sandbox.world.templates.source.idAt(8), num: 1 } } }),
    });
    const { action_id: id } = (await response.json()) as { readonly action_id?: string };
    assert.ok(id !== undefined, String(response.status));
    return id;
  };

  test('the latest logs come oldest first, in a status if one is given', async () => {
    const { stdout } = await run(['logs', '--limit', '5']);
    const times = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0] ?? '');
    assert.equal(times.length, 5);
    assert.deepEqual(times, [...times].sort());
    const failed = await run(['logs', '--status', 'failed', '--format', 'json']);
    const statuses = (JSON.parse(failed.stdout) as { readonly status: string }[]).map(({ status }) => status);
    assert.ok(statuses.length > 0);
    assert.deepEqual([...new Set(statuses)], ['failed']);
  });

  test('logs of the same time are printed in their order, and those without an ID are counted', async () => {
    const platform = await startPlatform();
    const logs = ['log_burn', 'log_mint'].map((id) => createLog(id, { when_created: '2026-03-01T00:00:00Z' }));
    platform.onLogs = () => ({ status: 200, body: { action_logs: [...logs, 'broken', createLog('', {})] } });
    const { ended } = startProgram(['logs', '--fields', 'id'], {
      environment: { SMART_OBJECTS_BASE_URL: platform.baseUrl, SMART_OBJECTS_API_KEY: 'key' },
    });
    const { stdout, stderr } = await ended;
    await platform.close();
    assert.equal(stdout, 'log_mint\nlog_burn\n');
    assert.match(stderr, /Action logs without an ID that are left out: 2/);
  });

  test('the oldest logs of a platform that does not know the order are not called the latest', async () => {
    const platform = await startPlatform();
    const listed = ['2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'];
    platform.onLogs = () => ({
      status: 200,
      body: { action_logs: listed.map((time) => createLog(`log_${time}`, { when_created: time })), next: 'more' },
    });
    const environment = { SMART_OBJECTS_BASE_URL: platform.baseUrl, SMART_OBJECTS_API_KEY: 'key' };
    const print = async (): Promise<string> =>
      (await startProgram(['logs', '--limit', '2'], { environment }).ended).stderr;
    assert.match(
      await print(),
      /does not list the newest action logs first, so newer ones may be missing: set query\.descending/,
    );
    listed.reverse();
    assert.equal(await print(), '');
    await platform.close();
  });

  test('followed logs are printed as they come and as they settle, and Ctrl-C ends them with 130', async () => {
    const { child, ended, waitFor } = start(['logs', '--follow', '--limit', '1', '--interval', '0.2']);
    await waitFor(/\n/);
    const id = await mint();
    await waitFor(new RegExp(`\\tcompleted\\t.*\\t${id}\\t`));
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    assert.equal(code, 130);
    assert.equal(stderr, '');
    assert.ok(stdout.endsWith('\n'));
  });

  test('following ends where the credential is refused, and SIGTERM ends it with 143', async () => {
    const following = start(['logs', '--follow', '--limit', '1', '--interval', '0.2']);
    await following.waitFor(/\n/);
    sandbox.faults.add(z.parse(faultSchema, { route: 'GET /ebus/action-logs', fault: 'unauthorized', count: null }));
    const refused = await following.ended;
    sandbox.faults.clear();
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^error: List action logs: .*HTTP 401.* Check the credential: /m);
    const { child, ended, waitFor } = start(['logs', '--follow', '--limit', '1']);
    await waitFor(/\n/);
    child.kill('SIGTERM');
    assert.equal((await ended).code, 143);
  });

  test('following outlasts failures of the platform, and says so', async () => {
    const { child, ended, waitFor, waitForError } = start(['logs', '--follow', '--limit', '1', '--interval', '0.2']);
    await waitFor(/\n/);
    sandbox.faults.add(z.parse(faultSchema, { route: 'GET /ebus/action-logs', fault: 'gatewayTimeout', count: null }));
    await waitForError(/^Read action logs: .*; trying again\.$/m);
    sandbox.faults.clear();
    await waitForError(/^The platform responds again\.$/m);
    const id = await mint();
    await waitFor(new RegExp(id));
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    assert.equal(code, 130);
    assert.equal(stderr.trimEnd().split('\n').length, 2);
  });

  test('following begins at the latest logs, also where one of them has no date', async () => {
    const platform = await startPlatform();
    const undated = createLog('log_undated', { when_created: undefined, when_modified: undefined });
    const recent = createLog('log_recent');
    const old = createLog('log_old', { when_created: '2020-01-01T00:00:00Z' });
    platform.onLogs = (query) => {
      const [from, until] = ['$gte', '$lt'].map((bound) => query.get(`when_created[${bound}]`) ?? '');
      const dated = [createLog('log_new'), recent, old].filter(
        ({ when_created: when }) => String(when) >= String(from) && (until === '' || String(when) < String(until)),
      );
      return { status: 200, body: { action_logs: from === '' ? [undated, recent] : dated } };
    };
    const { child, ended, waitFor } = startProgram(['logs', '--follow', '--limit', '2', '--interval', '0.2'], {
      environment: { SMART_OBJECTS_BASE_URL: platform.baseUrl, SMART_OBJECTS_API_KEY: 'key' },
    });
    await waitFor(/log_new/);
    child.kill('SIGINT');
    const { stdout } = await ended;
    await platform.close();
    assert.match(stdout, /log_undated.*\n.*log_recent/);
    assert.doesNotMatch(stdout, /log_old/);
  });

  test('the history of an object is its chain, with the verdict', async () => {
    const { code, stdout, stderr } = await run(['history', objectId]);
    assert.equal(code, 0);
    assert.match(stdout, /^\d{4}-\S+Z\tcompleted\tmint\tcreated\t0x\w+\tact_\w+\t\t\n/);
    assert.match(stderr, /^Verified from the creation/);
    const json = JSON.parse((await run(['history', objectId, '--format', 'json'])).stdout) as {
      readonly tone: string;
      readonly steps: readonly { readonly before: string; readonly after: string }[];
    };
    assert.equal(json.tone, 'ok');
    assert.equal(json.steps[1]?.before, json.steps[0]?.after);
  });

  test('a history whose object cannot be read shows its logs, and fails', async () => {
    sandbox.faults.add(z.parse(faultSchema, { route: 'GET /objects/{objectId}', fault: 'forbidden', count: null }));
    for (const format of ['table', 'json']) {
      const { code, stdout, stderr } = await run(['history', objectId, '--format', format]);
      assert.equal(code, 1);
      assert.match(stdout, /completed/);
      assert.match(stdout + stderr, /Could not read the object: .*HTTP 403.* Its logs are still shown\./);
    }
    sandbox.faults.clear();
  });

  test('statistics are the points of a series', async () => {
    const { code, stdout } = await run(['stats', 'fees', '--period', '30d', '--format', 'csv']);
    assert.equal(code, 0);
    assert.match(stdout, /^when,key,value\r\n\d{4}-\d\d-\d\dT[\d:.]+Z,\w+,[\d.]+\r\n/);
    for (const [args, message] of [
      [['--from', '2026-03-02', '--until', '2026-03-01'], /^error: --from must be before --until\.$/m],
      [['--from', '9999-01-01'], /^error: --from must be before --until\.$/m],
      [['--period', '0d'], /^error: --period must be longer than 0\.$/m],
      [
        ['--from', '2026-03-01', '--period', '7d'],
        /^error: .*'--from <date>' cannot be used with .*'--period <length>'\.$/m,
      ],
    ] as const) {
      const refused = await run(['stats', 'fees', ...args]);
      assert.deepEqual([refused.code, refused.stdout], [2, '']);
      assert.match(refused.stderr, message);
    }
    const wrong = await run(['stats', 'fees', '--template', 'tpl_1']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /--template is for creations/);
  });

  test('the check reports every operation, sends none with an effect, and fails where nothing answers', async () => {
    const [table, markdown, json] = await Promise.all([
      run(['check']),
      run(['check', '--format', 'markdown']),
      run(['check', '--format', 'json']),
    ]);
    assert.equal(table.code, 0, table.stderr);
    assert.match(table.stdout, /^GET \/objects\tanswers\t\d+\t\t10 items, and more$/m);
    assert.match(table.stdout, /^POST \/ebus\/execute\tskipped\t/m);
    assert.match(markdown.stdout, /^# Check of Local · 127\.0\.0\.1:\d+$/m);
    const report = JSON.parse(json.stdout) as { readonly probe: object; readonly operations: readonly object[] };
    assert.ok(report.operations.length > 15);
    for (const { stdout } of [table, markdown, json]) assert.equal(stdout.includes(sandbox.apiKey), false);
    const nothing = await run(['check', '--base-url', 'http://127.0.0.1:9']);
    assert.equal(nothing.code, 1);
    assert.match(nothing.stderr, /Could not connect/);
  });

  test('what a list repeats is listed once', async () => {
    const servers = new Servers();
    const { origin } = await servers.http(({ url }, response) => {
      const list = url.includes('next=2')
        ? { faces: [{ id: 'b' }, { id: 'c' }] }
        : { faces: [{ id: 'a' }, { id: 'b' }], next: '2' };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(list));
    });
    try {
      const listed = await run(['list', 'faces', '--all', '--base-url', origin]);
      assert.deepEqual(listed.stdout.match(/^\w+/gm), ['a', 'b', 'c'], listed.stderr);
    } finally {
      servers.close();
    }
  });

  test('an error in a response of status 200 is shown, and fails list and check', async () => {
    const servers = new Servers();
    const { origin } = await servers.http((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"success":false,"error":{"message":"scope is missing"}}');
    });
    try {
      for (const command of [['list', 'objects'], ['list', 'faces'], ['check'], ['logs']]) {
        const { code, stderr } = await run([...command, '--base-url', origin]);
        assert.deepEqual([command, code], [command, 1]);
        assert.match(stderr, /The platform refused the request \(HTTP 200\) — “scope is missing”/);
      }
    } finally {
      servers.close();
    }
  });

  test('a face is filled with an object, without scripts and foreign images', async () => {
    fs.writeFileSync(
      path.join(dir, 'a.face.html'),
      '<h1>{{.id}}</h1>\n{{.nope}}<script>alert(1)</script><img src="https://images.example/a.png">',
    );
    const { code, stdout, stderr } = await run(['face', 'render', 'a.face.html', '--object', objectId]);
    assert.equal(code, 0, stderr);
    assert.ok(stdout.includes(`<h1>${objectId}</h1>`));
    assert.match(stdout, /Content-Security-Policy" content="default-src &#39;none&#39;;/);
    assert.match(stderr, /^a\.face\.html:2:1: warning: \{\{\.nope\}\}: /m);
    assert.match(stderr, /^a\.face\.html:2:\d+: warning: <script>: /m);
    assert.match(stderr, /Images from https:\/\/images\.example require your permission/);
    const allowed = ['face', 'render', 'a.face.html', '--allow-images', 'https://images.example'];
    assert.match((await run(allowed)).stdout, /img-src data: https:\/\/images\.example;/);
    assert.equal((await run(['face', 'render', 'missing.html'])).code, 2);
    sandbox.recorder.reset();
    for (const [option, value] of [
      ['--variant', 'none'],
      ['--allow-images', 'none'],
    ] as const)
      assert.equal((await run(['face', 'render', 'a.face.html', '--object', objectId, option, value])).code, 2);
    assert.deepEqual(sandbox.recorder.counts, {});
    // Pictures of the platform are put in.
    fs.writeFileSync(path.join(dir, 'b.html'), '<img src="{{.metadata.image.url}}">');
    const objects = (await run(['list', 'objects', '--format', 'ndjson'])).stdout.split('\n');
    const withPicture = /"id":"(\w+)"/.exec(objects.find((line) => line.includes('"image":{')) ?? '')?.[1] ?? '';
    const picture = await run(['face', 'render', 'b.html', '--object', withPicture]);
    assert.match(picture.stdout, /<img src="data:image\/[\w+]+;base64,/, picture.stderr);
    fs.writeFileSync(path.join(dir, 'page.json'), '{"url": "https://pages.example"}');
    const page = await run(['face', 'render', 'page.json']);
    assert.equal(page.code, 1);
    assert.equal(page.stdout, '');
    assert.match(page.stderr, /^error: Render face: This face is a page on https:\/\/pages\.example/);
  });

  for (const [options, status] of [
    [[], 401],
    [['--open'], 200],
  ] as const)
    test(`the sandbox serves until Ctrl-C; registering a wallet without a key: ${String(status)}`, async () => {
      const { child, ended, waitFor } = start(['sandbox', '--objects', '20', '--no-gzip', ...options]);
      let printed = '';
      child.stdout?.on('data', (chunk: string) => (printed += chunk));
      await waitFor(/\}\n$/);
      const { baseUrl } = JSON.parse(printed) as { readonly baseUrl: string };
      const registered = await fetch(`${baseUrl}/wallets`, { method: 'POST', body: '{}' });
      await registered.arrayBuffer();
      assert.equal(registered.status, status);
      child.kill('SIGINT');
      const { code, stderr } = await ended;
      assert.equal(code, 0);
      assert.match(stderr, status === 200 ? /^Open: any program on this computer can register a wallet/ : /^$/);
    });

  for (const [wrong, message] of [
    [['--port', 'x'], /^error: Option '--port <n>' argument 'x' is invalid\. It must be a whole number\.\n$/],
    [['--seed', '-1'], /^error: Option '--seed <n>' argument '-1' is invalid\./],
    [['--port', '70000'], /^error: port: a whole number from 0 to 65535\.?\n$/],
    [['--nonsense'], /^error: Unknown option '--nonsense'/],
    [
      ['--clock', 'sun'],
      /^error: Option '--clock <kind>' argument 'sun' is invalid\. Allowed choices are system, manual/,
    ],
    [['--start', 'noon'], /^error: start: a date-time\.?\n$/],
    [['stray'], /^error: Too many arguments/],
  ] as const)
    test(`the sandbox refuses ${wrong.join(' ')}`, async () => {
      const { code, stdout, stderr } = await run(['sandbox', ...wrong]);
      assert.equal(code, 2);
      assert.equal(stdout, '');
      assert.match(stderr, message);
    });
});
