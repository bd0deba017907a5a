/** `--har FILE`: the requests of a command as a file that browsers open. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { parseHar } from '../../support/har-schema.ts';
import { CANARY, CANARY_FORMS } from '../../support/secret-canary.ts';
import { runProgram, startPlatform, type ProgramResult } from './support.ts';

const VALUE_START = 'value-5f1e0c77';
/** JSON has to escape it. */
const VALUE = `${VALUE_START}-"of"-a-\\variable`;

suite('--har', () => {
  let sandbox: Sandbox;
  let dir = '';
  suiteSetup(async () => {
    dir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'soe-har-'));
    sandbox = await startSandbox({ seed: 1, objects: 10, logs: 10 });
  });
  suiteTeardown(async () => {
    await sandbox.close();
    fs.rmSync(dir, { recursive: true });
  });
  const run = (...args: readonly string[]): Promise<ProgramResult> =>
    runProgram(args, {
      cwd: dir,
      environment: { SMART_OBJECTS_BASE_URL: sandbox.baseUrl, SMART_OBJECTS_API_KEY: sandbox.apiKey },
    });
  const read = (name: string): string => fs.readFileSync(path.join(dir, name), 'utf8');

  test('writes the requests of a command, without the credential', async () => {
    const { code, stdout } = await run('list', 'objects', '--limit', '3', '--har', 'list.har');
    assert.equal(code, 0);
    assert.equal(stdout.trim().split('\n').length, 3);
    const har = read('list.har');
    assert.equal(har.includes(sandbox.apiKey), false);
    const [entry] = parseHar(har);
    assert.equal(entry?.request.method, 'GET');
    assert.ok(entry.request.url.startsWith(`${sandbox.baseUrl}/objects`));
    assert.equal(entry.response.status, 200);
    assert.match(entry.response.content.text ?? '', /"objects": \[/);
  });

  test('stands before the command, and is written if the platform refuses', async () => {
    const { code } = await run('--har', 'missing.har', 'get', 'objects', 'obj_missing');
    assert.equal(code, 1);
    assert.deepEqual(
      parseHar(read('missing.har')).map(({ response }) => response.status),
      [404],
    );
  });

  test('records executions with their bodies', async () => {
    fs.writeFileSync(path.join(dir, 'a.action.json'), '{"action": "transfer", "params": {"id": "obj_missing"}}');
    await run('run', 'a.action.json', '--har', 'run.har');
    const execution = parseHar(read('run.har')).find(({ request }) => request.method === 'POST');
    assert.match(execution?.request.postData?.text ?? '', /"action": "transfer"/);
  });

  test('has no form of a secret that is sent, echoed by the platform or the value of a variable', async () => {
    const platform = await startPlatform();
    try {
      const leak = { id: 'obj_1', key: CANARY, note: `key: ${CANARY}`, access_token: CANARY, [CANARY]: VALUE };
      platform.onObject = () => ({ status: 200, body: leak });
      platform.onExecute = () => ({ status: 422, body: { message: `refused ${JSON.stringify(leak)}`, details: leak } });
      const text = '{"action": {"update": {"id": "obj_1", "data": {"custom": {"code": "${env:CODE}"}}}}}';
      fs.writeFileSync(path.join(dir, 'leak.action.json'), text);
      // Before the variable is read, its value is not known to be secret.
      fs.writeFileSync(path.join(dir, 'early.action.json'), '{"action": {"burn": {"id": "obj_1"}}}');
      const environment = {
        SMART_OBJECTS_BASE_URL: platform.baseUrl,
        SMART_OBJECTS_API_KEY: CANARY,
        CODE: VALUE,
      };
      for (const args of [
        ['get', 'objects', 'obj_1'],
        ['run', 'early.action.json', 'leak.action.json', '--allow-env', 'CODE', '--keep-going'],
      ]) {
        await runProgram([...args, '--har', 'leak.har'], { cwd: dir, environment });
        const har = read('leak.har');
        assert.ok(parseHar(har).some(({ request: { headers } }) => headers.some(({ value }) => value === '••••')));
        for (const form of args.includes('CODE') ? [...CANARY_FORMS, VALUE_START] : CANARY_FORMS)
          assert.equal(har.includes(form), false, `${String(args[0])}: ${form}`);
        fs.rmSync(path.join(dir, 'leak.har'));
      }
      assert.match(JSON.stringify(platform.executed), new RegExp(VALUE_START), 'it was sent');
    } finally {
      await platform.close();
    }
  });

  test('a file that cannot be written ends the command before anything is sent', async () => {
    const { code, stderr } = await run('get', 'objects', 'x', '--har', 'missing/a.har');
    assert.equal(code, 2);
    assert.match(stderr, /The HAR file missing\/a\.har cannot be written: its folder does not exist\./);
  });
});
