/** Scenarios: a sandbox of its own, faults, expectations, and what is refused. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isObject } from '../../../src/platform/json/json.ts';
import { errorShapes, faultNames, faultSchema } from '../../../src/sandbox/faults/faults.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { formatState } from '../../../src/sandbox/state.ts';
import { runProgram, type ProgramResult } from './support.ts';

/** Harbour Concert Ticket of seed 1. */
const TICKET = 'tpl_a988a8ed2db28a1f66a20b18';
const MINT = { action: { mint: { template_id: TICKET, num: 1 } } };

suite('scenarios', () => {
  let dir = '';
  setup(() => {
    dir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'soe-scenario-'));
  });
  teardown(() => {
    fs.rmSync(dir, { recursive: true });
  });
  const write = (name: string, value: unknown): void => {
    fs.writeFileSync(path.join(dir, name), typeof value === 'string' ? value : JSON.stringify(value));
  };
  const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<ProgramResult> =>
    runProgram(['run', ...args], { cwd: dir, environment });

  test('a lost response is an unknown outcome, the next execution completes; no platform is named', async () => {
    write('mint.action.json', MINT);
    write('lost.scenario.json', {
      sandbox: { seed: 1, objects: 20 },
      faults: [{ route: 'POST /ebus/execute', fault: 'resetBefore', phase: 'after', count: 1 }],
      steps: [
        { name: 'lost', file: 'mint.action.json', expect: { status: 'unknown' } },
        { name: 'again', request: MINT, expect: { status: 'completed', objects: { '*': { version: 1 } } } },
        { name: 'as buyer', as: 'buyer', request: MINT, expect: { status: 'completed' } },
      ],
    });
    // What the environment names is not used.
    const { code, out } = await run(['lost.scenario.json', '--follow', '5'], {
      SMART_OBJECTS_BASE_URL: 'http://127.0.0.1:9',
      SMART_OBJECTS_API_KEY: 'key-of-another-platform',
    });
    assert.equal(code, 0, out);
    assert.match(out, /3 passed, 0 failed/);
  });

  test('a failed expectation fails the scenario', async () => {
    write('bad.scenario.json', { sandbox: { objects: 5 }, steps: [{ request: MINT, expect: { status: 'failed' } }] });
    const { code, out } = await run(['bad.scenario.json']);
    assert.equal(code, 1, out);
    assert.match(out, /bad\.scenario\.json:1:\d+: error: /);
  });

  test('it starts from a saved state', async () => {
    const sandbox = await startSandbox({ seed: 1, objects: 4 });
    const { ownAccount } = sandbox.world;
    const start = sandbox.world.context.epoch;
    await sandbox.close();
    const body = { action: { mint: { template_id: TICKET, num: 1 } } };
    const execution = { when: start + 10, walletId: ownAccount.id, address: ownAccount.address, body };
    const state = { seed: 1, objects: 4, start, firstLog: 0x2000_0000, executions: [JSON.stringify(execution)] };
    write('saved.sandbox.json', formatState(state));
    const again = await startSandbox({ seed: 1, objects: 4 });
    const id = again.world.objects.idAt(0x2000_0000);
    await again.close();
    write('state.scenario.json', {
      sandbox: { state: 'saved.sandbox.json' },
      steps: [{ request: { action: { transfer: { id, to: ownAccount.address } } }, expect: { status: 'completed' } }],
    });
    const { code, out } = await run(['state.scenario.json']);
    assert.equal(code, 0, out);
  });

  test('what makes no sense is refused before anything runs', async () => {
    const steps = [{ request: MINT }];
    write('good.scenario.json', { sandbox: { objects: 1 }, steps });
    write('fault.scenario.json', { faults: [{ fault: 'nonsense' }], steps });
    write('key.scenario.json', { sandbox: { objects: 1 }, fault: [], steps });
    write('route.scenario.json', { faults: [{ fault: 'rateLimited', rout: 'GET /objects' }], steps });
    write('typing.scenario.json', { faults: [{ fault: 'failedStep', route: 'POST /ebus/exeucte' }], steps });
    write('size.scenario.json', { sandbox: { size: 1 }, steps });
    write('state.scenario.json', { sandbox: { state: 'missing.json' }, steps });
    write('large.scenario.json', { sandbox: { objects: 1e9 }, steps });
    for (const [args, message] of [
      [['fault.scenario.json'], /faults\.0\.fault/],
      [['key.scenario.json'], /key\.scenario\.json:1:\d+: .*`fault` is not allowed\. Did you mean `faults`\?/],
      [['route.scenario.json'], /faults\.0\.rout/],
      [['typing.scenario.json'], /POST \/ebus\/exeucte is not a request of the API/],
      [['size.scenario.json'], /sandbox\.size/],
      [['state.scenario.json'], /missing\.json/],
      [['large.scenario.json'], /objects: a whole number from 0 to/],
      [['good.scenario.json', '--base-url', 'http://127.0.0.1:9'], /leave out --base-url/],
      [['good.scenario.json', 'fault.scenario.json'], /without other files/],
    ] as const) {
      const { code, out } = await run(args);
      assert.equal(code, 2, out);
      assert.match(out, message);
      if (args.length > 1) continue;
      const checked = await run([...args, '--check']);
      assert.equal(checked.code, 2, checked.out);
      assert.match(checked.out, message);
    }
    const { code, out } = await run(['good.scenario.json', '--check']);
    assert.equal(code, 0, out);
  });

  test('in a folder it is left out, and named', async () => {
    const sandbox = await startSandbox({ seed: 1, objects: 4 });
    write('all.scenario.json', { steps: [{ request: MINT }] });
    const environment = { SMART_OBJECTS_BASE_URL: sandbox.baseUrl, SMART_OBJECTS_API_KEY: sandbox.apiKey };
    const none = await run(['.'], environment);
    write('mint.action.json', MINT);
    const { code, out } = await run(['.', '--no-batch'], environment);
    const checked = await run(['.', '--check'], environment);
    await sandbox.close();
    assert.deepEqual([none.code, code], [2, 0], out);
    assert.match(none.out, /contains no action files/);
    for (const text of [out, checked.out]) assert.match(text, /note: all\.scenario\.json is a scenario/);
    assert.match(out, /1 passed, 0 failed/);
  });

  test('the schema knows every fault', () => {
    const file = path.resolve(import.meta.dirname, '../../../media/scenario.schema.json');
    const schema: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    const read = (...keys: readonly string[]): unknown =>
      keys.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), schema);
    const fault = ['properties', 'faults', 'items', 'properties'];
    assert.deepEqual(Object.keys(read(...fault) ?? {}).sort(), Object.keys(faultSchema.shape).sort());
    assert.deepEqual(read(...fault, 'fault', 'enum'), faultNames);
    assert.deepEqual(read(...fault, 'shape', 'enum'), errorShapes);
  });
});
