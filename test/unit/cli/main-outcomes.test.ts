/** Outcomes, output and reports of the runner, also when it is terminated. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readConnectionProfile } from '../../../src/cli/connection/read-connection.ts';
import { formatSentence, sanitizeTerminalLine } from '../../../src/cli/output/sanitize.ts';
import {
  createLog,
  runProgram,
  startPlatform,
  startProgram,
  type Platform,
  type ProgramResult,
  type RunningProgram,
} from './support.ts';

const KEY = 'a-key-that-is-never-shown';
const UPDATE = { action: { update: { id: 'obj_1', data: { custom: { a: 1 } } } } };

suite('command line: outcomes', () => {
  let platform: Platform;
  let dir = '';
  setup(async () => {
    platform = await startPlatform();
    dir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'soe-cli-'));
  });
  teardown(async () => {
    fs.rmSync(dir, { recursive: true });
    await platform.close();
  });
  const write = (name: string, value: unknown): void => {
    fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    fs.writeFileSync(path.join(dir, name), typeof value === 'string' ? value : JSON.stringify(value));
  };
  const getCommand = (
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Parameters<typeof startProgram> => [
    ['run', ...args, '--base-url', platform.baseUrl],
    { cwd: dir, environment: { SMART_OBJECTS_API_KEY: KEY, ...environment } },
  ];
  const start = (args: readonly string[]): RunningProgram => startProgram(...getCommand(args));
  const run = (...command: Parameters<typeof getCommand>): Promise<ProgramResult> =>
    runProgram(...getCommand(...command));
  const report = (): string => fs.readFileSync(path.join(dir, 'report.xml'), 'utf8');

  test('SIGTERM while the answer is awaited: the outcome is unknown, the rest is not sent, and the report is written', async () => {
    platform.onExecute = () => undefined;
    write('a.action.json', UPDATE);
    write('b.action.json', UPDATE);
    const { child, ended } = start(['a.action.json', 'b.action.json', '--junit', 'report.xml']);
    await platform.arrived(1);
    child.kill('SIGTERM');
    const { code, out } = await ended;
    assert.equal(code, 1, out);
    assert.match(out, /^FAIL {2}a: outcome unknown/m);
    assert.match(out, /^skip {2}b: canceled$/m);
    assert.match(out, /^ {6}next step: Check the action logs before you run it again: it may have been executed\.$/m);
    assert.match(report(), /\boutcome: unknown\b/);
    assert.match(report(), /<skipped message="canceled"\/>/);
    assert.equal(platform.executed.length, 1);
  });

  test('SIGTERM while the log is awaited: the accepted execution is printed, and the report is written', async () => {
    platform.onLogs = () => ({ status: 200, body: { action_logs: [] } });
    write('a.action.json', UPDATE);
    const { child, ended, waitFor } = start(['a.action.json', '--junit', 'report.xml']);
    await waitFor(/waiting for its action log, 300 s at most/);
    child.kill('SIGTERM');
    const { code, out } = await ended;
    assert.equal(code, 1, out);
    assert.match(out, /^FAIL {2}a: not finished/m);
    assert.match(report(), /\baction_id: act_1\b/);
  });

  test('one Ctrl-C waits for the pending response; a second one does not', async () => {
    platform.onExecute = () => undefined;
    write('a.action.json', UPDATE);
    const { child, ended, waitForError } = start(['a.action.json', '--junit', 'report.xml']);
    await platform.arrived(1);
    child.kill('SIGINT');
    await waitForError(/^Canceled: nothing more is sent\. Press Ctrl-C again to stop waiting\.$/m);
    assert.equal(child.exitCode, null);
    child.kill('SIGINT');
    const { code, out } = await ended;
    assert.equal(code, 1, out);
    assert.match(out, /^FAIL {2}a: outcome unknown/m);
    assert.match(report(), /\boutcome: unknown\b/);
  });

  test('the log of an earlier step does not match a doubtful one', async () => {
    platform.onExecute = (count) =>
      count === 1
        ? { status: 200, body: { action_id: 'act_1', steps: [] } }
        : { status: 409, body: { message: 'nonce was used' } };
    platform.onLogs = () => ({
      status: 200,
      body: { action_logs: [createLog('act_1', { params: [UPDATE.action.update] })] },
    });
    write('twice.actions.json', {
      steps: [
        { name: 'one', request: UPDATE },
        { name: 'two', request: UPDATE },
      ],
    });
    const { code, out } = await run(['twice.actions.json', '--follow', '1']);
    assert.equal(code, 1, out);
    assert.match(out, /^ok {4}one: completed/m);
    assert.match(out, /^FAIL {2}two: outcome unknown/m);
    assert.doesNotMatch(out, /possibly its log/);
  });

  test('every wrong shape in suites and expectations is printed with its position, and nothing is sent', async () => {
    write('a.action.json', UPDATE);
    write('a.expect.json', '{\n  "objects": [{"id": "obj_1"}],\n  "satus": "completed"\n}');
    write(
      'b.actions.json',
      '{\n  "steps": [\n    {"request": {"action": {}}, "expects": {"status": "failed"}}\n  ]\n}',
    );
    write('c.action.json', '{\n  "action": \n');
    write('d.actions.json', { steps: [{ name: 'x', file: 'none.action.json' }] });
    const { code, out } = await run(['.', '--junit', 'report.xml']);
    assert.equal(code, 2, out);
    assert.deepEqual(out.trim().split('\n'), [
      'a.expect.json:2:14: error: `objects` of an expectation must be an object whose keys are object IDs or `*`.',
      'a.expect.json:3:3: error: Property `satus` is not allowed. Did you mean `status`?',
      'b.actions.json:3:33: error: Property `expects` is not allowed. Did you mean `expect`?',
      'c.action.json:3:1: error: Invalid JSON: value expected.',
      'd.actions.json:1:11: error: File none.action.json was not found.',
    ]);
    assert.match(report(), /tests="5" failures="0" errors="5"/);
    assert.match(report(), /<testcase name="b\.actions\.json:3:33" classname="b\.actions\.json"/);
    assert.equal(platform.executed.length, 0);
  });

  test('mistakes on the command line are sentences, in the report too; a report that cannot be written stops everything', async () => {
    write('a.action.json', UPDATE);
    for (const [args, message] of [
      [['a.action.json', '--timeout', 'soon'], /^error: --timeout must be a number of seconds\.$/],
      [['none.action.json'], /^error: File none\.action\.json was not found\.$/],
      [['a.action.json', '--colour'], /^error: Unknown option '--colour'\.$/],
      [[], /^error: No files specified: specify action files, suites or folders\.$/],
    ] as const) {
      fs.rmSync(path.join(dir, 'report.xml'), { force: true });
      const { code, out } = await run([...args, '--junit', 'report.xml']);
      assert.equal(code, 2, out);
      assert.match(out.trim(), message);
      assert.match(report(), /errors="1".*\n.*\n {6}<error message="/);
    }
    fs.mkdirSync(path.join(dir, 'folder'));
    fs.symlinkSync('a.action.json', path.join(dir, 'planted.xml'));
    for (const [file, why] of [
      ['no/such/report.xml', 'its folder does not exist'],
      ['folder', 'folder is a folder'],
      ['a.action.json/report.xml', 'a.action.json is not a folder'],
      ['planted.xml', 'planted.xml is a link. Delete it, or use another file'],
    ] as const) {
      const { code, out } = await run(['a.action.json', '--junit', file]);
      assert.equal(code, 2, out);
      assert.equal(out.trim(), `error: The report ${file} cannot be written: ${why}; nothing was sent.`);
    }
    const action = fs.readFileSync(path.join(dir, 'a.action.json'), 'utf8');
    for (const args of [
      ['--junit', 'a.action.json'],
      ['--colour', '--junit=a.action.json'],
    ]) {
      const { code, out } = await run(['run', ...args]);
      assert.equal(code, 2, out);
      assert.match(out, /^error: (--junit writes an XML report|Unknown option)/);
      assert.equal(fs.readFileSync(path.join(dir, 'a.action.json'), 'utf8'), action);
    }
    assert.equal(platform.executed.length, 0);
  });

  test('a failure is printed with position, reason and next step; the report contains the ids', async () => {
    write('a.action.json', UPDATE);
    platform.onExecute = () => ({ status: 401, body: { message: 'No credential.' } });
    const bare = await run(['a.action.json'], { SMART_OBJECTS_API_KEY: '' });
    assert.equal(bare.code, 1);
    assert.match(bare.out, /^a\.action\.json:1:1: error: status: expected completed, got refused: .*No credential\.$/m);
    assert.match(bare.out, /^ {6}next step: Set SMART_OBJECTS_API_KEY or SMART_OBJECTS_ACCESS_TOKEN\.$/m);
    const wrong = await run(['a.action.json']);
    assert.match(wrong.out, /^ {6}next step: Check SMART_OBJECTS_API_KEY: /m);
    for (const { out } of [bare, wrong]) assert.doesNotMatch(out, /--help|\.\.(?!\.)/);
    platform.onExecute = () => ({ status: 200, body: { action_id: 'act_7', steps: [{ action: 'update' }] } });
    const { code, out } = await run(['a.action.json', '--junit', 'report.xml']);
    assert.equal(code, 0, out);
    for (const [name, value] of [
      ['outcome', 'completed'],
      ['reason', 'The action and its batch completed'],
      ['action_id', 'act_7'],
      ['transaction', '0xfeed'],
    ])
      assert.ok(report().includes(`${String(name)}: ${String(value)}`), name);
  });

  test('waiting is printed with its reason', async () => {
    write('a.action.json', UPDATE);
    let reads = 0;
    platform.onLogs = (query) => {
      reads++;
      const status = reads < 3 ? 'pending' : 'completed';
      const id = query.get('action_id') ?? query.get('id') ?? '';
      return { status: 200, body: { action_logs: [createLog(id, { status })] } };
    };
    let batches = 0;
    platform.onBatch = (id) => ({ status: 200, body: { id, status: ++batches < 2 ? 'pending' : 'completed' } });
    const { out } = await run(['a.action.json', '--follow', '50', '--timeout', '20']);
    assert.match(out, /^ {6}sent, waiting for the response, 20 s at most$/m);
    assert.match(out, /^ {6}log pending, waiting for it to be completed or failed, 50 s at most$/m);
    assert.match(out, /^ {6}log completed, batch batch_1 pending, waiting for it to be completed, 50 s at most$/m);
  });

  test('no text of a server or a file reaches the terminal as a control sequence or a command of a CI system', async () => {
    const evil = '\u001b]52;c;ZXZpbA==\u0007\r\n::add-mask::x\u202e##[error]y##vso[task.setvariable]z';
    write('evil.actions.json', {
      steps: [{ name: `\r::error::${evil}`, request: { action: { [evil]: { id: evil } } } }],
    });
    platform.onExecute = () => ({ status: 200, body: { action_id: evil, steps: [{ action: evil, error: evil }] } });
    platform.onLogs = () => ({
      status: 200,
      body: { action_logs: [createLog(evil, { status: evil, affected_objects: [{ id: evil }] })] },
    });
    const { out } = await run(['evil.actions.json', '--follow', '1', '--junit', 'report.xml']);
    for (const text of [out, report()]) {
      assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      assert.doesNotMatch(text, /^\s*::/m);
    }
    assert.doesNotMatch(out, /##\w*\[/);
    assert.equal(sanitizeTerminalLine('  ::error::x'), '  : :error::x');
    assert.equal(formatSentence('It ended..'), 'It ended.');
  });

  test('steps of a suite are read only inside the working folder, links resolved', async () => {
    write('work/ok.action.json', UPDATE);
    write('outside.action.json', UPDATE);
    fs.symlinkSync(path.join(dir, 'outside.action.json'), path.join(dir, 'work/link.action.json'));
    for (const file of ['../outside.action.json', 'link.action.json', path.join(dir, 'outside.action.json')]) {
      write('work/s.actions.json', { steps: [{ name: 'x', file }] });
      const args = ['run', 's.actions.json', '--base-url', platform.baseUrl];
      const { code, out } = await runProgram(args, { cwd: path.join(dir, 'work') });
      assert.equal(code, 2, out);
      assert.match(out, /^s\.actions\.json:1:11: error: .*(?:is outside the working folder|use a path relative)/);
    }
    assert.equal(platform.executed.length, 0);
  });

  test('the content of a file that a variable sends is named by its real path', async () => {
    write('.env', 'TOKEN=x');
    write('sub/a.action.json', { action: { update: { id: 'obj_1', data: { custom: { a: '${file:note.txt}' } } } } });
    fs.symlinkSync('../.env', path.join(dir, 'sub/note.txt'));
    const { out } = await run(['sub/a.action.json']);
    assert.match(out, /^ {6}sends the content of \.env$/m);
  });

  test('plain http to another machine needs a flag', async () => {
    const readName = async (baseUrl: string, values: object = {}) =>
      (await readConnectionProfile({ baseUrl, timeout: '1', ...values }, {}, dir)).name;
    await assert.rejects(
      readName('http://api.example.org'),
      /^UsageError: --base-url sends to api\.example\.org over unencrypted HTTP.*--allow-plain-http$/,
    );
    assert.equal(await readName('http://api.example.org', { allowPlainHttp: true }), 'api.example.org');
    for (const url of ['http://127.0.0.1:1', 'http://localhost', 'http://[::1]:2', 'https://api.example.org'])
      assert.ok(await readName(url));
  });
});
