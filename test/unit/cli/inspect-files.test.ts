/** `run --dry-run` and `run --check`: what they print, their exit codes, and that nothing is sent. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { runProgram, type ProgramResult } from './support.ts';

const SECRET = 'canary-3c5d7e-of-a-variable';

suite('smart-objects run without sending', () => {
  let sandbox: Sandbox;
  let folder: string;
  let template: string;
  suiteSetup(async () => {
    sandbox = await startSandbox({ objects: 40, logs: 60 });
    template = sandbox.world.templates.source.idAt(8);
  });
  suiteTeardown(() => sandbox.close());
  setup(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'soe-inspect-'));
    sandbox.recorder.reset();
  });
  teardown(() => {
    fs.rmSync(folder, { recursive: true });
    assert.equal(sandbox.recorder.executes, 0, 'an action was sent');
    sandbox.faults.clear();
  });
  const write = (name: string, content: unknown): void => {
    fs.writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<ProgramResult> =>
    runProgram(['run', ...args], { cwd: folder, environment });
  const getEnvironment = (): Record<string, string> => ({
    SMART_OBJECTS_BASE_URL: sandbox.baseUrl,
    SMART_OBJECTS_API_KEY: sandbox.apiKey,
    SMART_OBJECTS_SECRET_PIN: SECRET,
  });
  const mint = (fields: object): object => ({ action: { mint: { template_id: template, num: 1, ...fields } } });

  test('--dry-run prints the request and its effect, also for production', async () => {
    write('mint.action.json', mint({ to: '${input:to}', data: { custom: { pin: '${secret:PIN}' } } }));
    const args = ['mint.action.json', '--dry-run', '--input', 'to=0xme', '--environment', 'production'];
    const { code, stdout, stderr } = await run(args, getEnvironment());
    assert.equal(code, 0, stderr);
    for (const part of [
      /^# Preview of mint\n\nMints 1 object from template “[^”]+” \(\S+\) for 0xme\. Nothing was sent\.\n/,
      /^- Connection: PRODUCTION · /m,
      /^- Fee: /m,
      /^ {10}"pin": "••••"$/m,
      /^## Template\n\n- “/m,
      /^curl /m,
    ])
      assert.match(stdout, part);
    assert.ok(!stdout.includes(SECRET) && !stdout.includes(sandbox.apiKey));
    const json = await run([...args, '--format', 'json'], getEnvironment());
    const [preview] = JSON.parse(json.stdout) as { request: unknown; prediction: { template: { id: string } } }[];
    assert.equal(preview?.prediction.template.id, template);
    assert.deepEqual(preview.request, mint({ to: '0xme', data: { custom: { pin: '••••' } } }));
  });

  test('a variable that is set to nothing masks no other value', async () => {
    write('mint.action.json', mint({ data: { custom: { pin: '${secret:PIN}', note: '' } } }));
    const { code, stdout } = await run(['mint.action.json', '--dry-run'], {
      ...getEnvironment(),
      SMART_OBJECTS_SECRET_PIN: '',
    });
    assert.equal(code, 0);
    assert.match(stdout, /^ {10}"note": ""$/m);
  });

  test('--check passes what can be run, without a platform and with it', async () => {
    write('mint.action.json', mint({ data: { custom: { pin: '${secret:PIN}' } } }));
    write('mint.expect.json', { status: 'completed' });
    write('burn.action.json', { action: { burn: { id: '${run:mint.steps[0].output.ids[0]}' } } });
    const files = ['mint.action.json', 'burn.action.json', '--check'];
    const alone = await run(files);
    assert.equal(alone.code, 0, alone.stdout + alone.stderr);
    assert.match(alone.stdout, /^mint\.action\.json:1:\d+: note: \$\{secret:PIN\}: set SMART_OBJECTS_SECRET_PIN\.$/m);
    const { code, stdout } = await run(files, getEnvironment());
    assert.equal(code, 0, stdout);
    assert.match(
      stdout,
      /^ok {4}mint\nok {4}burn\n.*is known once mint has run\.\n2 without problems, 0 with problems/m,
    );
  });

  test('--check fails with the place of each problem, and reports it', async () => {
    write(
      'mint.action.json',
      `{\n "action": { "mint": { "template_id": "${template}", "num": 0, "to": "\${input:to}" } } }`,
    );
    write('burn.action.json', '{\n "action": { "burn":\n { "id": "obj_none" } } }');
    write('later.action.json', { action: { burn: { id: '${run:nothing.id}' } } });
    const args = ['mint.action.json', 'burn.action.json', 'later.action.json', '--check', '--junit', 'report.xml'];
    const { code, stdout } = await run(args, getEnvironment());
    assert.equal(code, 1);
    for (const line of [
      /^mint\.action\.json:2:\d+: warning: No objects are minted/m,
      /^mint\.action\.json:2:\d+: error: \$\{input:to\}: use --input to=…$/m,
      /^burn\.action\.json:3:10: warning: No object with this ID is visible to you/m,
      /^later\.action\.json:1:\d+: error: .*no earlier action has this name\.$/m,
      /^0 without problems, 3 with problems; nothing was sent$/m,
    ])
      assert.match(stdout, line);
    const report = fs.readFileSync(path.join(folder, 'report.xml'), 'utf8');
    assert.match(report, /tests="3" failures="3"/);
    assert.match(report, /<failure message="No object with this ID/);
  });

  test('--check fails where live data could not be read, and names an id from a variable', async () => {
    write('burn.action.json', { action: { burn: { id: '${input:id}' } } });
    const args = ['burn.action.json', '--check', '--input', 'id=obj_none'];
    const unknown = await run(args, getEnvironment());
    assert.equal(unknown.code, 1);
    assert.match(unknown.stdout, /warning: No object with this ID is visible to you/);
    sandbox.faults.add({ route: 'GET /objects/{objectId}', fault: 'forbidden', count: null });
    const refused = await run(args, getEnvironment());
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, /note: Could not be checked against live data/);
  });

  test('a wrong file, expectation or command line ends with 2', async () => {
    write('good.action.json', mint({}));
    write('good.expect.json', { colour: 'red' });
    const wrong = await run(['good.action.json', '--check', '--junit', 'report.xml']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /^good\.expect\.json:1:\d+: error: /m);
    assert.match(fs.readFileSync(path.join(folder, 'report.xml'), 'utf8'), /errors="1"/);
    fs.rmSync(path.join(folder, 'good.expect.json'));
    for (const args of [
      ['--check', '--dry-run'],
      ['--check', '--format', 'json'],
      ['--format', 'json', '--base-url', sandbox.baseUrl],
      ['--dry-run', '--junit', 'report.xml'],
    ])
      assert.equal((await run(['good.action.json', ...args])).code, 2, args.join(' '));
  });
});
