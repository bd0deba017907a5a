/** The command-line runner over a server that shares no code with it: outcomes, and exit codes once something was sent. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { LedgerServer, type Plan } from '../../support/ledger-server.ts';
import { runProgram, type ProgramResult } from './support.ts';

suite('the command-line runner over a ledger', () => {
  let ledger: LedgerServer;
  let dir: string;
  setup(async () => {
    ledger = await LedgerServer.start();
    dir = await fs.mkdtemp(path.join(await fs.realpath(os.tmpdir()), 'soe-ledger-'));
  });
  teardown(async () => {
    await ledger.close();
    await fs.rm(dir, { recursive: true, force: true });
  });

  /** Runs a suite of equal updates, one step for each plan. */
  const run = async (plans: readonly Plan[], base = ''): Promise<ProgramResult> => {
    const steps = plans.map((plan, index) => {
      const marker = `step ${String(index + 1)}`;
      ledger.plan(marker, plan);
      return { name: marker, request: { action: { update: { id: 'obj_1', data: { custom: { marker } } } } } };
    });
    const file = path.join(dir, 'story.actions.json');
    await fs.writeFile(file, JSON.stringify({ steps }));
    return runFile(file, `${ledger.baseUrl}${base}`, '--follow', '600', '--keep-going');
  };
  const runFile = (file: string, baseUrl: string, ...args: readonly string[]): Promise<ProgramResult> =>
    runProgram(['run', file, '--base-url', baseUrl, ...args], {
      cwd: dir,
      environment: { SMART_OBJECTS_API_KEY: 'key-of-the-ledger' },
    });

  test('a response nested 4,600 deep does not count as not sent', async () => {
    const { code, out } = await run([{ depth: 4600 }]);
    assert.match(out, /ok {4}step 1: completed/);
    assert.equal(code, 0, out);
    assert.equal(ledger.entry('step 1').executed, 1);
  });

  test('the log of an earlier equal step is not that of a later one', async () => {
    // All four actions are equal.
    const equal = { name: 'first', request: { action: { burn: { id: 'obj_1' } } } };
    const again = { ...equal, name: 'again', expect: { status: 'refused' } };
    const answers: Plan[] = [
      { hiddenFor: 0 },
      { fault: { kind: 'status', when: 'before', status: 400 } },
      { fault: { kind: 'status', when: 'before', status: 409 } },
      { fault: { kind: 'replayed' } },
    ];
    const posts = await LedgerServer.start({
      onPost: (marker) => {
        posts.plan(marker, answers.shift() ?? assert.fail());
      },
    });
    try {
      const file = path.join(dir, 'equal.actions.json');
      await fs.writeFile(
        file,
        JSON.stringify({
          steps: [
            equal,
            again,
            { ...equal, name: 'doubtful', expect: { status: 'unknown' } },
            { ...equal, name: 'replayed', expect: { status: 'unknown' } },
          ],
        }),
      );
      // The runner searches the logs after each refusal.
      const { code, out } = await runFile(file, posts.baseUrl, '--follow', '1');
      assert.match(out, /ok {4}again: refused \(\d+ ms\)/);
      assert.match(out, /ok {4}doubtful: outcome unknown/);
      assert.match(out, /ok {4}replayed: outcome unknown/);
      assert.doesNotMatch(out, /possibly/);
      assert.equal(code, 0, out);
    } finally {
      await posts.close();
    }
  });

  test('a base URL that is not the API’s is named as the likely cause', async () => {
    const { code, out } = await run([{}], '/v9');
    assert.match(out, /base URL is probably wrong/);
    assert.equal(code, 1, out);
  });

  test('waiting is printed, and a missing batch is waited for briefly', async () => {
    // --follow 600 exceeds the limit of a test.
    const { code, out } = await run([{ batch: [] }, { batch: ['proving', 'finalized'] }]);
    assert.match(out, /waiting for its action log[\s\S]*log completed, waiting for its batch/);
    assert.match(out, /waiting for its batch, 3 s at most/);
    assert.match(out, /log completed, batch \S+ proving, waiting/);
    assert.doesNotMatch(out, /finalized, waiting/);
    assert.equal(code, 0, out);
  });
});
