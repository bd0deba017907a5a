/** The command-line runner: what it sends, what it refuses, its exit codes and its report. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readConnectionProfile } from '../../../src/cli/connection/read-connection.ts';
import { formatJunitReport } from '../../../src/cli/run/junit.ts';
import { requireProductionPermission } from '../../../src/cli/run/require-permission.ts';
import { UsageError } from '../../../src/cli/usage-error.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { runProgram, type ProgramResult } from './support.ts';

const EXECUTE = 'POST /ebus/execute';

suite('command line', () => {
  let sandbox: Sandbox;
  let dir = '';
  let template = '';
  suiteSetup(async () => {
    sandbox = await startSandbox({ seed: 1, objects: 100, logs: 20, indexDelay: 10, settleDelay: 20, batchDelay: 10 });
    dir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'soe-cli-'));
    template = sandbox.world.templates.source.idAt(8);
  });
  suiteTeardown(async () => {
    fs.rmSync(dir, { recursive: true });
    await sandbox.close();
  });
  setup(() => {
    sandbox.recorder.reset();
    for (const name of fs.readdirSync(dir)) fs.rmSync(path.join(dir, name), { recursive: true });
  });
  const write = (name: string, value: unknown): void => {
    fs.writeFileSync(path.join(dir, name), typeof value === 'string' ? value : JSON.stringify(value));
  };
  const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<ProgramResult> =>
    runProgram(args[0] === 'run' ? args : ['run', ...args], {
      cwd: dir,
      environment: { SMART_OBJECTS_API_KEY: sandbox.apiKey, ...environment },
    });

  test('--labels shows labels beside the values that are sent; a file without labels is refused', async () => {
    write('labels.json', { [template]: 'Gala ticket' });
    write('mint.action.json', { action: { mint: { template_id: template, num: 1 } } });
    const connection = ['--base-url', sandbox.baseUrl];
    const { code, out } = await run(['run', 'mint.action.json', ...connection, '--labels', 'labels.json']);
    assert.equal(code, 0, out);
    assert.match(out, new RegExp(`Mints 1 object from template “Gala ticket” \\(${template}\\)$`, 'm'));
    write('labels.json', '[]');
    for (const file of ['labels.json', 'missing.json']) {
      const refused = await run(['run', 'mint.action.json', ...connection, '--labels', file]);
      assert.equal(refused.code, 2);
      assert.match(refused.out, new RegExp(`--labels: .*${file.replace('.', '\\.')}`));
    }
    assert.equal(sandbox.recorder.counts[EXECUTE], 1);
  });

  test('a suite whose steps build on each other, with a report and exit code 0', async () => {
    write('story.actions.json', {
      steps: [
        {
          name: 'mint',
          request: { action: { mint: { template_id: template, num: 1 } } },
          expect: { batch: { status: 'completed' } },
        },
        {
          name: 'change',
          request: {
            action: {
              update: { id: '${run:mint.steps[0].output.ids[0]}', data: { custom: { note: '${secret:NOTE}' } } },
            },
          },
          expect: { objects: { '*': { nonce: 1 } } },
        },
      ],
    });
    const secret = 'a-secret-that-is-long';
    const { code, out } = await run(['.', '--base-url', sandbox.baseUrl, '--junit', 'report.xml'], {
      SMART_OBJECTS_SECRET_NOTE: secret,
    });
    assert.equal(code, 0, out);
    assert.match(out, /ok {4}mint: completed/);
    assert.match(out, /2 passed, 0 failed/);
    assert.equal(sandbox.recorder.counts[EXECUTE], 2);
    const report = fs.readFileSync(path.join(dir, 'report.xml'), 'utf8');
    assert.match(report, /tests="2" failures="0"/);
    for (const text of [out, report])
      for (const hidden of [secret, sandbox.apiKey]) assert.equal(text.includes(hidden), false);
  });

  test('a failure ends the run with 1 and a line that names file, line and reason', async () => {
    write('a.action.json', { action: { mint: { template_id: template } } });
    write('a.expect.json', { status: 'failed' });
    write('b.action.json', { action: { mint: { template_id: template } } });
    const { code, out } = await run([
      'run',
      'a.action.json',
      'b.action.json',
      '--base-url',
      sandbox.baseUrl,
      '--no-batch',
    ]);
    assert.equal(code, 1, out);
    assert.match(out, /^a\.action\.json:1:1: error: status: expected failed, got completed/m);
    assert.match(out, /skip {2}b: not sent, because a failed/);
    assert.match(out, /^0 passed, 1 failed, 1 skipped$/m);
    assert.equal(sandbox.recorder.counts[EXECUTE], 1);
  });

  test('broken files, missing values and production send nothing', async () => {
    write('ok.action.json', { action: { mint: { template_id: template } } });
    write('broken.action.json', '{"action": ');
    write('input.action.json', { action: { burn: { id: '${input:id}' } } });
    write('env.action.json', { action: { burn: { id: '${env:PATH}' } } });
    write('outside.action.json', { action: { burn: { id: '${file:../../etc/hosts}' } } });
    const local = ['--base-url', sandbox.baseUrl];
    assert.equal((await run(['ok.action.json', 'broken.action.json', ...local])).code, 2);
    assert.match((await run(['input.action.json', ...local])).out, /use --input id=/);
    assert.match((await run(['env.action.json', ...local])).out, /use --allow-env PATH/);
    assert.match((await run(['outside.action.json', ...local])).out, /outside the workspace folder|not found/);
    const guarded = await run(['ok.action.json', ...local, '--environment', 'production', '--name', 'Main']);
    assert.equal(guarded.code, 2);
    assert.match(guarded.out, /--allow-production Main/);
    assert.equal(sandbox.recorder.counts[EXECUTE], undefined);
    const allowed = await run([
      'ok.action.json',
      ...local,
      '--environment',
      'production',
      '--name',
      'Main',
      '--allow-production',
      'Main',
      '--no-batch',
    ]);
    assert.equal(allowed.code, 0, allowed.out);
    assert.equal(sandbox.recorder.counts[EXECUTE], 1);
  });

  test('warnings, a missing credential and the ids are printed', async () => {
    write('lax.action.json', { action: { mint: { template_id: template, num: 1, custom: {} } }, signature: '' });
    const local = ['lax.action.json', '--base-url', sandbox.baseUrl, '--no-batch'];
    const bare = await run(local, { SMART_OBJECTS_API_KEY: '' });
    assert.equal(bare.code, 1);
    assert.match(bare.out, /^note: neither SMART_OBJECTS_API_KEY nor SMART_OBJECTS_ACCESS_TOKEN is set/m);
    // A signature replaces an empty one: a server might use either of two.
    const signer = JSON.stringify([process.execPath, '-e', "console.log('sig-of-mine')"]);
    const { code, out } = await run(local, { SMART_OBJECTS_SIGNER: signer });
    assert.match(out, /^lax\.action\.json:1:\d+: warning: `custom` directly in mint is ignored by the platform/m);
    assert.match(out, /^ {6}action act_\w+ · objects obj_\w+/m);
    assert.match(out, /^ok {4}lax: completed/m);
    assert.equal(code, 0, out);
    assert.equal(sandbox.recorder.counts[EXECUTE], 2);
    const answer = await fetch(`${sandbox.baseUrl}/ebus/action-logs?limit=1&order=desc&sortBy=when_created`, {
      headers: { 'x-api-key': sandbox.apiKey },
    });
    assert.match(await answer.text(), /"signature":"sig-of-mine"/);
  });

  test('another machine without an environment needs permission by name', async () => {
    const baseUrl = 'https://api.example.org';
    const require = async (allowed: string | undefined, values: object = {}) => {
      const profile = await readConnectionProfile({ baseUrl, timeout: '1', ...values }, {}, dir);
      requireProductionPermission(profile, allowed);
      return profile.name;
    };
    await assert.rejects(require(undefined), UsageError);
    await assert.rejects(require('other'), /names other, not api\.example\.org/);
    assert.equal(await require('api.example.org'), 'api.example.org');
    assert.equal(await require(undefined, { environment: 'staging' }), 'api.example.org');
    await assert.rejects(require(undefined, { baseUrl: 'https://u:p@h' }), /credential/);
    const wrong = await run(['a.json', '--base-url', baseUrl, '--environment', 'prod']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.out, /Allowed choices are sandbox, development, staging, production/);
  });

  test('the report is valid XML whatever a server returns', () => {
    const xml = formatJunitReport('a<b', [
      { name: '"&\u0000\ud800', path: 'p', duration: 5, failures: ['<x>\n\u001b[31m'] },
    ]);
    assert.match(xml, /name="&quot;&amp; �"/);
    assert.match(xml, /&lt;x&gt;&#10;\[31m/);
  });
});
