/** `--har FILE`: the requests of a command as a file that browsers open. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { parseHar } from '../../support/har-schema.ts';
import { runProgram, type ProgramResult } from './support.ts';

suite('--har', function () {
  this.timeout(30_000);
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

  test('a file that cannot be written ends the command before anything is sent', async () => {
    const { code, stderr } = await run('get', 'objects', 'x', '--har', 'missing/a.har');
    assert.equal(code, 2);
    assert.match(stderr, /The HAR file missing\/a\.har cannot be written: its folder does not exist\./);
  });
});
