/** The runner with several identities: which credential an action carries, and what happens without one. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { createSaleFiles } from '../../support/owner-and-buyer.ts';
import { runProgram, type ProgramResult } from './support.ts';

suite('identities of the runner', () => {
  let sandbox: Sandbox;
  let folder = '';
  setup(async () => {
    sandbox = await startSandbox({ seed: 1, objects: 50, logs: 20, indexDelay: 10, settleDelay: 20, batchDelay: 10 });
    folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'identities-'));
  });
  teardown(async () => {
    fs.rmSync(folder, { recursive: true });
    await sandbox.close();
  });
  const write = (files: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), JSON.stringify(value));
  };
  const run = (environment: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<ProgramResult> =>
    runProgram(['run', 'sale.actions.json', '--base-url', sandbox.baseUrl, ...args], {
      cwd: folder,
      environment: { SMART_OBJECTS_API_KEY: sandbox.apiKey, ...environment },
    });
  const countPosts = (): number => sandbox.recorder.counts['POST /ebus/execute'] ?? 0;

  test('an owner sells to a buyer, who may not act before: each action carries the credential of its identity', async () => {
    write(createSaleFiles(sandbox));
    const { accessToken } = sandbox.buyer;
    const { code, out } = await run(
      { SMART_OBJECTS_ACCESS_TOKEN_BUYER: accessToken },
      '--junit',
      'report.xml',
      '--no-batch',
    );
    assert.equal(code, 0, out);
    assert.match(out, /^run {3}theft as buyer: /m);
    assert.match(out, /^run {3}sale: /m);
    assert.match(out, /4 passed, 0 failed/);
    assert.equal(countPosts(), 4);
    const report = fs.readFileSync(path.join(folder, 'report.xml'), 'utf8');
    assert.equal(report.match(/\bidentity: buyer\b/g)?.length, 2);
    for (const text of [out, report]) assert.ok(!text.includes(accessToken) && !text.includes(sandbox.apiKey));
  });

  test('without the credential of an identity nothing is sent, and the missing variables are named', async () => {
    write(createSaleFiles(sandbox));
    const { code, out } = await run({ SMART_OBJECTS_ACCESS_TOKEN_BUYER: '' });
    assert.equal(code, 2, out);
    assert.match(
      out,
      /^sale\.actions\.json:1:\d+: error: the identity buyer has no credential: set SMART_OBJECTS_API_KEY_BUYER or SMART_OBJECTS_ACCESS_TOKEN_BUYER/im,
    );
    assert.equal(countPosts(), 0);
  });

  test('two names of one variable are refused: one of them would act as the other', async () => {
    const request = { action: { burn: { id: 'obj_1' } } };
    write({
      'sale.actions.json': { steps: ['my-buyer', 'my_buyer'].map((as) => ({ name: as, as, request })) },
    });
    const { code, out } = await run({ SMART_OBJECTS_API_KEY_MY_BUYER: 'a-key-of-one-of-them' });
    assert.equal(code, 2, out);
    assert.match(out, /the identity my_buyer has the same variable SMART_OBJECTS_API_KEY_MY_BUYER as my-buyer/i);
    assert.equal(countPosts(), 0);
  });

  test('a refused credential of an identity is named by its variable, and never shown', async () => {
    const key = 'a-key-that-nobody-knows';
    write({ 'sale.actions.json': { steps: [{ as: 'buyer', request: { action: { burn: { id: 'obj_1' } } } }] } });
    const { code, out } = await run({ SMART_OBJECTS_API_KEY_BUYER: key });
    assert.equal(code, 1, out);
    assert.match(out, /next step: Check SMART_OBJECTS_API_KEY_BUYER: /);
    assert.ok(!out.includes(key));
  });

  test('a check and a dry run read as each identity, and say where one has no credential', async () => {
    write(createSaleFiles(sandbox));
    const { code, out } = await run({}, '--check');
    assert.equal(code, 0, out);
    assert.match(out, /note: the identity buyer has no credential: set SMART_OBJECTS_API_KEY_BUYER or /);
    const dry = await run({ SMART_OBJECTS_ACCESS_TOKEN_BUYER: sandbox.buyer.accessToken }, '--dry-run');
    assert.equal(dry.code, 0, dry.out);
    assert.match(dry.out, / as buyer, /);
    assert.equal(countPosts(), 0);
  });
});
