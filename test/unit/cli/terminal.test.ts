/** Raw requests, the log of requests, fields of records, contexts, addresses, standard input, and the width of help. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { createLog, runProgram, startPlatform, type ProgramOptions, type ProgramResult } from './support.ts';

const MINT = { action: { mint: { template_id: 'tpl_1', num: 1 } } };

/** By the schema of Jenkins (junit-10.xsd): for each element its parents, required and optional attributes. */
const JENKINS: Readonly<Record<string, readonly [parents: string, required: string, optional: string]>> = {
  testsuites: ['', '', 'name time tests failures errors'],
  testsuite: [
    'testsuites',
    'name tests failures errors',
    'group time skipped timestamp hostname id package file log url',
  ],
  testcase: ['testsuite', 'name', 'time classname group'],
  failure: ['testcase', '', 'type message'],
  error: ['testcase', '', 'type message'],
  skipped: ['testcase', '', 'type message'],
  'system-out': ['testcase testsuite', '', ''],
};

function assertJenkinsReport(xml: string): void {
  const open = [''];
  for (const [tag, close, name = '', attributes = ''] of xml.matchAll(
    /<(\/?)([\w-]+)((?: [\w-]+="[^"<]*")*)(?: ?\/)?>/g,
  )) {
    if (close === '/') {
      assert.equal(open.pop(), name);
      continue;
    }
    const [parents, required, optional] = JENKINS[name] ?? assert.fail(tag);
    assert.ok(parents.split(' ').includes(open.at(-1) ?? ''), tag);
    const names = [...attributes.matchAll(/([\w-]+)="/g)].map(([, attribute = '']) => attribute);
    const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');
    for (const word of words(required)) assert.ok(names.includes(word), tag);
    for (const word of names) assert.ok([...words(required), ...words(optional)].includes(word), `${word}: ${tag}`);
    if (!tag.endsWith('/>')) open.push(name);
  }
  assert.deepEqual(open, ['']);
}

suite('smart-objects in a terminal', () => {
  let sandbox: Sandbox;
  let dir = '';
  suiteSetup(async () => {
    sandbox = await startSandbox({ seed: 1, objects: 30, logs: 20 });
    dir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'soe-terminal-'));
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

  test('a raw request is sent with the credential, and its secrets are masked', async () => {
    const { code, stdout, stderr } = await run(['api', 'GET', '/objects?limit=3', '--verbose']);
    assert.equal(code, 0, stderr);
    assert.equal((JSON.parse(stdout) as { objects: unknown[] }).objects.length, 3);
    assert.equal(sandbox.recorder.requests.at(-1)?.query['limit'], '3');
    assert.match(stderr, /^\[127\.0\.0\.1:\d+\] GET \/objects\?limit=3 http:\S+ → 200 \(\d+ ms, \d+ bytes/);
    assert.ok(!stderr.includes(sandbox.apiKey));
    // The query is the user's: only the path is checked.
    const cursor = await run(['api', 'GET', '/objects?limit=1&name=a%2Fb{c}//..&when=%2e%2e']);
    assert.equal(cursor.code, 0, cursor.stderr);
    assert.equal(sandbox.recorder.requests.at(-1)?.query['name'], 'a/b{c}//..');
    const keys = await run(['api', 'get', '/api-keys']);
    assert.match(keys.stdout, /"key": "••••"/);
    assert.ok(!keys.stdout.includes(sandbox.apiKey));
    const missing = await run(['api', 'GET', '/objects/obj_none']);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /404/);
    const typed = await run(['api', 'GET', `/objects/${sandbox.apiKey}?owner=${sandbox.apiKey}`, '--verbose']);
    assert.match(typed.stderr, /^error: GET \/objects\/••••: /m);
    assert.ok(!typed.stderr.includes(sandbox.apiKey), typed.stderr);
  });

  test('a raw request only reads, below the base URL', async () => {
    for (const [method, target, message] of [
      ['POST', '/ebus/execute', /api only reads: use GET/],
      ['GET', '/organizations/org_1/invite?token=a&member_id=b', /accepts an invitation/],
      ['GET', '/organizations/org_1/INV%49TE/', /accepts an invitation/],
      ['GET', '/objects/../templates', /have no empty or dot segments/],
      ['GET', '/objects/%2e%2e/templates', /have no empty or dot segments/],
      ['GET', '//evil.example/objects', /have no empty or dot segments/],
      ['GET', 'https://evil.example/objects', /must begin with \//],
      ['GET', '/objects#a', /must begin with \//],
    ] as const) {
      const { code, stderr } = await run(['api', method, target]);
      assert.equal(code, 2, target);
      assert.match(stderr, message);
    }
    assert.equal(countRequests(), 0);
  });

  test('records have chosen fields, and tab-separated lines a header', async () => {
    const list = ['list', 'objects', '--limit', '2', '--fields', 'id,metadata.name,custom.none'];
    const { stdout, stderr } = await run([...list, '--header']);
    assert.match(stderr, /^No record so far has custom\.none\.\nThere are more/);
    const [header, first = '', second, end] = stdout.split('\n');
    assert.equal(header, 'id\tmetadata.name\tcustom.none');
    assert.match(first, /^obj_\w+\t[^\t]+\t$/);
    assert.deepEqual([second === undefined, end], [false, '']);
    const json = JSON.parse((await run([...list, '--format', 'json'])).stdout) as Record<string, string>[];
    assert.deepEqual(Object.keys(json[0] ?? {}), ['id', 'metadata.name']);
    assert.match((await run([...list, '--format', 'csv'])).stdout, /^id,metadata\.name,custom\.none\r\nobj_/);
    assert.match((await run(['logs', '--limit', '1', '--header'])).stdout, /^time\tstatus\taction\tid\t/);
    for (const [words, message] of [
      ['list objects --fields id,,b', 'must be paths'],
      ['history obj_1 --fields log,id', 'there is no field id; the fields are log, time, '],
      ['stats fees --fields time', 'there is no field time; the fields are id, key, when, value'],
      ['context --fields base.url', 'there is no field base.url; the fields are name, '],
      ['watch objects --fields resource.id,name', 'there is no field name; the fields are change, id, resource'],
    ] as const) {
      const wrong = await run(words.split(' '));
      assert.deepEqual([wrong.code, wrong.stderr.includes(message), wrong.stdout], [2, true, ''], wrong.stderr);
    }
  });

  test('an action comes from standard input', async () => {
    const { code, stdout, stderr } = await run(['run', '-', '--dry-run', '--format', 'json'], {
      input: JSON.stringify(MINT),
    });
    assert.equal(code, 0, stderr);
    assert.deepEqual((JSON.parse(stdout) as { request: unknown }[])[0]?.request, MINT);
    const wrong = await run(['run', '-'], { input: '{"action": ' });
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /^stdin\.action\.json:1:\d+: error: /);
    assert.equal((await run(['run', '-', '--api-key-stdin'], { input: 'key' })).code, 2);
  });

  test('contexts are named connections of the user, each with its own credential', async () => {
    const config = path.join(dir, 'config');
    const environment = { XDG_CONFIG_HOME: config, SMART_OBJECTS_BASE_URL: '' };
    const context = (args: readonly string[], more: Record<string, string> = {}): Promise<ProgramResult> =>
      run(args, { environment: { ...environment, ...more } });
    const added = await context([
      'context',
      'add',
      'staging',
      '--base-url',
      sandbox.baseUrl,
      '--environment',
      'staging',
    ]);
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.stderr, /read from SMART_OBJECTS_API_KEY_STAGING\.\n$/);
    await context(['context', 'add', 'other', '--base-url', 'https://api.example.org']);
    assert.equal(
      fs.readFileSync(path.join(config, 'smart-objects/contexts.json'), 'utf8').includes(sandbox.apiKey),
      false,
    );
    assert.equal((await context(['context', '--fields', 'name,current'])).stdout, 'staging\ttrue\nother\tfalse\n');
    // The credential of no context, and of another one, is not sent.
    const bare = await context(['list', 'objects']);
    assert.equal(bare.code, 1);
    assert.match(bare.stderr, /Set SMART_OBJECTS_API_KEY_STAGING or SMART_OBJECTS_ACCESS_TOKEN_STAGING\.$/m);
    assert.equal((await context(['list', 'objects'], { SMART_OBJECTS_API_KEY_OTHER: sandbox.apiKey })).code, 1);
    assert.ok(sandbox.recorder.requests.every(({ headers }) => !headers.includes('x-api-key')));
    const own = await context(['list', 'objects', '--limit', '1'], { SMART_OBJECTS_API_KEY_STAGING: sandbox.apiKey });
    assert.equal(own.code, 0, own.stderr);
    assert.match(
      (await context(['list', 'objects', '--context', 'none'])).stderr,
      /no context none\. Contexts: staging, other/,
    );
    fs.writeFileSync(path.join(dir, 'bare.action.json'), JSON.stringify(MINT));
    const sent = await context(['run', 'bare.action.json']);
    assert.match(sent.stderr, /^note: neither SMART_OBJECTS_API_KEY_STAGING nor SMART_OBJECTS_ACCESS_TOKEN_STAGING /m);
    assert.match(sent.stdout, /next step: Set SMART_OBJECTS_API_KEY_STAGING or/);
    // A file cannot send the credential of another context as that of an identity.
    fs.writeFileSync(path.join(dir, 'as.action.json'), JSON.stringify(MINT));
    fs.writeFileSync(path.join(dir, 'as.expect.json'), JSON.stringify({ as: 'other' }));
    const borrowed = await context(['run', 'as.action.json'], { SMART_OBJECTS_API_KEY_OTHER: sandbox.apiKey });
    assert.equal(borrowed.code, 2, borrowed.stdout);
    assert.match(borrowed.stderr, /the identity other has the same variable SMART_OBJECTS_API_KEY_OTHER as other/);
    const doubled = await context(['list', 'objects', '--context', 'staging', '--base-url', sandbox.baseUrl]);
    assert.match(doubled.stderr, /--context and --base-url cannot be used together: change the context instead/);
    assert.equal((await context(['context', 'use', 'other'])).code, 0);
    assert.match((await context(['context'])).stdout, /^\*\tother|\n\*\tother\t/);
    assert.equal((await context(['context', 'remove', 'other'])).code, 0);
    assert.equal((await context(['context', 'use', 'other'])).code, 2);
    // A variable that names the platform is meant.
    assert.equal(
      (await run(['list', 'objects', '--limit', '1'], { environment: { XDG_CONFIG_HOME: config } })).code,
      0,
    );
  });

  test('a context that no command could use is not added', async () => {
    const config = path.join(dir, 'refused');
    const environment = { XDG_CONFIG_HOME: config };
    for (const [args, problem] of [
      [[''], 'The name is empty'],
      [['shop\u001b[31m'], 'The name contains an invisible character'],
      [['shop', '--api-key-header', 'Authorization'], 'auth uses the same header for the token and the API key'],
    ] as const) {
      const { code, stderr } = await run(['context', 'add', ...args], { environment });
      assert.deepEqual([code, stderr], [2, `error: The context is not a connection: ${problem}.\n`]);
    }
    assert.equal(fs.existsSync(config), false);
  });

  test('a context has the organizations of its connection file', async () => {
    const [organization] = sandbox.organizations;
    const entry = { name: 'Shop', baseUrl: sandbox.baseUrl, organizations: [{ id: organization?.id, label: 'Mine' }] };
    fs.writeFileSync(path.join(dir, 'shop.json'), JSON.stringify(entry));
    const environment = {
      XDG_CONFIG_HOME: path.join(dir, 'organizations'),
      SMART_OBJECTS_BASE_URL: '',
      SMART_OBJECTS_API_KEY: '',
      SMART_OBJECTS_API_KEY_SHOP: sandbox.apiKey,
    };
    const added = await run(['context', 'add', 'shop', '--connection', 'shop.json', '--origin', sandbox.baseUrl], {
      environment,
    });
    assert.equal(added.code, 0, added.stderr);
    // `pull` uses the only one.
    const { code, stderr } = await run(['pull', 'pulled', '--context', 'shop'], { environment });
    assert.equal(code, 0, stderr);
  });

  test('the keyring of the system has the credential of a context, which is never an argument', async () => {
    // Stands for the program of libsecret: it stores by its arguments, which any program could read.
    const tools = path.join(dir, 'tools');
    fs.mkdirSync(tools);
    const log = path.join(dir, 'keyring.log');
    const tool = `#!${process.execPath}
const fs = require('node:fs');
const [command, ...args] = process.argv.slice(2);
fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify([command, args, Object.keys(process.env)]) + '\\n');
const file = ${JSON.stringify(path.join(dir, 'secret-'))} + Buffer.from(args.slice(args.indexOf('service')).join()).toString('hex').slice(-60);
if (command === 'store') fs.writeFileSync(file, fs.readFileSync(0));
else if (!fs.existsSync(file)) process.exit(1);
else if (command === 'clear') fs.rmSync(file);
else process.stdout.write(fs.readFileSync(file));
`;
    fs.writeFileSync(path.join(tools, 'secret-tool'), tool, { mode: 0o755 });
    const environment = {
      XDG_CONFIG_HOME: path.join(dir, 'keyring'),
      SMART_OBJECTS_BASE_URL: '',
      SMART_OBJECTS_API_KEY: 'of-another-platform',
      PATH: tools,
    };
    const add = ['context', 'add', 'shop', '--base-url', sandbox.baseUrl, '--api-key-stdin'];
    const added = await run(add, { environment, input: `${sandbox.apiKey}\n` });
    assert.match(added.stderr, /Its credential is in the keyring\.\n$/);
    assert.equal((await run(['list', 'objects', '--limit', '1'], { environment })).code, 0);
    const calls = fs.readFileSync(log, 'utf8');
    assert.match(calls, /^\["store"/);
    assert.ok(!calls.includes(sandbox.apiKey) && !calls.includes(btoa(sandbox.apiKey).slice(0, 12)));
    assert.doesNotMatch(calls, /SMART_OBJECTS_/);
    // Another origin under the same name does not get it.
    const file = path.join(dir, 'keyring/smart-objects/contexts.json');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('127.0.0.1', 'localhost'));
    assert.equal((await run(['list', 'objects'], { environment })).code, 1);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('localhost', '127.0.0.1'));
    const addAgain = async (baseUrl: string): Promise<string> =>
      (await run(['context', 'add', 'shop', '--base-url', baseUrl], { environment })).stderr;
    assert.match(await addAgain(`${sandbox.baseUrl}/`), /Its credential is in the keyring\.\n$/);
    assert.match(await addAgain('https://other.example'), /read from SMART_OBJECTS_API_KEY_SHOP\.\n$/);
    const listStored = (): readonly string[] => fs.readdirSync(dir).filter((name) => name.startsWith('secret-'));
    assert.deepEqual(listStored(), []);
    await run(add, { environment, input: `${sandbox.apiKey}\n` });
    assert.equal(listStored().length, 1);
    await run(['context', 'remove', 'shop'], { environment });
    assert.deepEqual(listStored(), []);
    const none = await run(add, { environment: { ...environment, PATH: '' }, input: 'key' });
    assert.equal(none.code, 2);
    assert.match(none.stderr, /There is no keyring that can be used: set SMART_OBJECTS_API_KEY_SHOP instead/);
  });

  test('an action is watched until it is final', async () => {
    const platform = await startPlatform();
    const statuses = ['pending', 'pending', 'failed'];
    platform.onLogs = () => ({
      status: 200,
      body: {
        action_logs: [
          createLog('log_1', {
            status: statuses.shift(),
            when_created: '2026-03-01T00:00:00.000Z',
            when_modified: '2026-03-01T00:00:00.000Z',
          }),
        ],
      },
    });
    const environment = { SMART_OBJECTS_BASE_URL: platform.baseUrl };
    const args = ['watch', 'action-logs', 'log_1', '--interval', '0.01', '--fields', 'id,status', '--format', 'json'];
    const { code, stdout, stderr } = await run(args, { environment });
    await platform.close();
    assert.equal(code, 1, stderr);
    assert.equal(stdout, '{"id":"log_1","status":"pending"}\n{"id":"log_1","status":"failed"}\n');
    assert.equal(stderr, '');
    assert.deepEqual(statuses, []);
  });

  test('a list is watched: what was added, changed and removed is printed', async () => {
    const platform = await startPlatform();
    const when = '2026-03-01T00:00:00.000Z';
    const times = { when_created: when, when_modified: when };
    const createFailure = (id: string, action: string) =>
      createLog(id, { status: 'failed', action_name: action, ...times });
    const pages = [
      [createFailure('log_1', 'mint')],
      [createFailure('log_3', 'burn'), createFailure('log_2', 'mint'), createFailure('log_1', 'mint')],
      [createFailure('log_2', 'mint')],
    ];
    const queries: URLSearchParams[] = [];
    platform.onLogs = (query) => {
      queries.push(query);
      const page = pages.shift();
      return page === undefined ? { status: 403, body: {} } : { status: 200, body: { action_logs: page } };
    };
    const environment = { SMART_OBJECTS_BASE_URL: platform.baseUrl };
    const list = ['watch', 'action-logs', '--filter', 'status=failed', '--action', 'mint', '--interval', '0.01'];
    const { code, stdout, stderr } = await run([...list, '--format', 'ndjson'], { environment });
    await platform.close();
    assert.equal(code, 1, stderr);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    assert.deepEqual(lines, [
      { change: 'added', id: 'log_2', resource: createFailure('log_2', 'mint') },
      { change: 'removed', id: 'log_1', resource: createFailure('log_1', 'mint') },
    ]);
    assert.ok(queries.every((query) => query.get('status') === 'failed'));
    assert.match(stderr, /Watching the newest action logs/);
    const both = await run(['watch', 'action-logs', 'log_1', '--filter', 'status=failed'], { environment });
    assert.equal(both.code, 2);
    assert.match(both.stderr, /leave out the ID/);
  });

  test('the address of a production context is production under any name', async () => {
    const environment = { XDG_CONFIG_HOME: path.join(dir, 'production') };
    const live = ['context', 'add', 'live', '--base-url', `${sandbox.baseUrl.replace('127.0.0.1', 'localhost')}/`];
    await run([...live, '--environment', 'production'], { environment });
    fs.writeFileSync(path.join(dir, 'mint.action.json'), JSON.stringify(MINT));
    for (const name of ['shop', 'live']) {
      const options = ['--name', name, '--environment', 'staging', '--base-url', sandbox.baseUrl];
      const { code, stderr } = await run(['run', 'mint.action.json', ...options], { environment });
      assert.equal(code, 2, stderr);
      assert.match(stderr, new RegExp(`${name} is production: nothing is sent without --allow-production ${name}`));
      const served = await run(['mcp', '--allow-execute', ...options], { environment });
      assert.match(served.stderr, /is production: --allow-execute is refused/);
    }
    assert.equal(sandbox.recorder.executes, 0);
    // The context itself can be changed.
    await run([...live, '--environment', 'staging'], { environment });
    assert.match((await run(['context'], { environment })).stdout, /\tstaging\t/);
  });

  test('the address of a resource is that of the connection, and nothing is sent', async () => {
    const file = path.join(dir, 'console.json');
    const links = { object: 'https://console.example/objects/{id}' };
    fs.writeFileSync(file, JSON.stringify({ name: 'Console', baseUrl: sandbox.baseUrl, links }));
    const open = (...args: string[]) => run(['open', ...args, '--connection', file]);
    assert.equal((await open('obj_1/2')).stdout, 'https://console.example/objects/obj_1%2F2\n');
    const none = await open('tpl_1', '--kind', 'templates');
    assert.equal(none.code, 2);
    assert.match(none.stderr, /Console has no link for this ID: add links\.template/);
    assert.equal(countRequests(), 0);
  });

  test('a word that is no command of context is refused with those that are', async () => {
    const { code, stderr } = await run(['context', 'lst']);
    assert.equal(code, 2);
    assert.match(stderr, /context lst is not a command; these are: add, use, remove/);
  });

  test('help is within 80 columns, and each command has an example', async () => {
    const { stdout } = await run(['--help']);
    const commands = [...stdout.matchAll(/^ {2}([a-z]+) .*(?:\[options\]|<)/gm)].map(([, name = '']) => [name]);
    assert.ok(commands.length > 10, stdout);
    for (const words of [[], ...commands, ['face', 'render'], ['context', 'add'], ['context', 'use']]) {
      const help = await run([...words, '--help']);
      assert.equal(help.code, 0);
      for (const line of [...help.stdout.split('\n'), ...stdout.split('\n')])
        assert.ok(line.length <= 80, `${words.join(' ')}: ${line}`);
      assert.match(help.stdout, /\nExample: smart-objects /);
    }
  });

  test('a dry run of a data file shows chosen rows', async () => {
    fs.writeFileSync(path.join(dir, 'rows.csv'), 'seat\nA\nB\nC\nD\n');
    const action = { action: { mint: { template_id: 'tpl_1', num: 1, data: { custom: { seat: '${row:seat}' } } } } };
    fs.writeFileSync(path.join(dir, 'seat.action.json'), JSON.stringify(action));
    const dryRun = (...args: string[]) => run(['run', 'seat.action.json', '--data', 'rows.csv', '--dry-run', ...args]);
    const { code, stdout, stderr } = await dryRun('--rows', '1,3-4', '--format', 'json');
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      [...stdout.matchAll(/"seat": "(\w)"/g)].map(([, seat]) => seat),
      ['A', 'C', 'D'],
    );
    assert.match((await dryRun('--rows', '3-9')).stderr, /--rows: 3-9 is not a range of rows: the data has 4 rows/);
    assert.equal((await run(['run', 'seat.action.json', '--data', 'rows.csv', '--rows', '1'])).code, 2);
    assert.equal(sandbox.recorder.executes, 0);
  });

  test('a file that is a step of a suite is not run a second time', async () => {
    const folder = path.join(dir, 'folder');
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'step.action.json'), JSON.stringify(MINT));
    fs.writeFileSync(path.join(folder, 'own.action.json'), JSON.stringify(MINT));
    fs.writeFileSync(
      path.join(folder, 'all.actions.json'),
      JSON.stringify({ steps: [{ name: 'first', file: 'step.action.json' }] }),
    );
    fs.symlinkSync('folder', path.join(dir, 'link'));
    fs.mkdirSync(path.join(dir, 'suites'));
    fs.writeFileSync(
      path.join(dir, 'suites/other.actions.json'),
      JSON.stringify({ steps: [{ name: 'other', file: '../folder/step.action.json' }] }),
    );
    for (const [names, expected] of [
      [['folder'], ['first', 'own']],
      [['link'], ['first', 'own']],
      [
        ['folder', 'suites/other.actions.json'],
        ['first', 'own', 'other'],
      ],
      [
        ['folder/own.action.json', 'folder/step.action.json', 'suites'],
        ['own', 'step', 'other'],
      ],
    ] as const) {
      const { stdout } = await run(['run', ...names, '--dry-run', '--format', 'json']);
      assert.deepEqual(
        (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name),
        expected,
      );
    }
    fs.rmSync(path.join(folder, 'all.actions.json'));
    const { stdout } = await run(['run', 'folder', 'suites', '--dry-run', '--format', 'json']);
    assert.deepEqual(
      (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name),
      ['own', 'other'],
    );
  });

  test('notes of a run are on standard error, and its report is as Jenkins reads it', async () => {
    fs.writeFileSync(path.join(dir, 'mint.action.json'), JSON.stringify(MINT));
    const { stdout, stderr } = await run(['run', 'mint.action.json', 'mint.action.json', '--junit', 'report.xml'], {
      environment: { SMART_OBJECTS_API_KEY: '' },
    });
    assert.match(stderr, /^note: neither SMART_OBJECTS_API_KEY nor/);
    assert.doesNotMatch(stdout, /^(?:note|warning):/m);
    const report = fs.readFileSync(path.join(dir, 'report.xml'), 'utf8');
    assert.match(
      report,
      /<testsuite name="Smart Object actions on [^"]+" .*timestamp="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"/,
    );
    assert.match(report, /<testcase [^>]+>\n +<failure [^]*<\/failure>\n +<system-out>[^]*\n? *<\/testcase>/);
    assert.match(report, /<skipped /);
    assertJenkinsReport(report);
    await run(['run', 'mint.action.json', 'missing.action.json', '--junit', 'report.xml']);
    assertJenkinsReport(fs.readFileSync(path.join(dir, 'report.xml'), 'utf8'));
  });

  test('the history of an object that does not exist is an error', async () => {
    const { code, stderr } = await run(['history', 'obj_none']);
    assert.equal(code, 1);
    assert.match(stderr, /^error: Could not read the object: [^.]*\.\n$/);
  });
});
