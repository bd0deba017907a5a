/** What a scenario file says of its sandbox and its faults. */
import assert from 'node:assert/strict';
import { readScenario } from '../../../../src/actions/testing/scenario.ts';
import { formatState } from '../../../../src/sandbox/state.ts';

suite('scenario files', () => {
  const noFile = (): Promise<undefined> => Promise.resolve(undefined);
  const read = (scenario: object, readState: (name: string) => Promise<string | undefined> = noFile) =>
    readScenario(JSON.stringify(scenario), readState);

  test('the sandbox is a small one that settles at once, unless the file says more', async () => {
    const { from, faults } = await read({ steps: [] });
    assert.deepEqual(
      [from, faults],
      [{ seed: 1, objects: 500, indexDelay: 50, settleDelay: 150, batchDelay: 150 }, []],
    );
    const own = await read({ sandbox: { objects: 3 } });
    assert.deepEqual([own.from.seed, own.from.objects], [1, 3]);
  });

  test('a saved state goes on, also that of a paused clock', async () => {
    const state = { seed: 7, objects: 2, start: 1, firstLog: 5, pausedAt: 9, executions: [] };
    const asked: string[] = [];
    const { from } = await read({ sandbox: { state: 'saved.json' } }, (name) => {
      asked.push(name);
      return Promise.resolve(formatState(state));
    });
    assert.deepEqual(asked, ['saved.json']);
    assert.partialDeepStrictEqual(from, { ...state, pausedAt: undefined, settleDelay: 150 });
    await assert.rejects(read({ sandbox: { state: 'gone.json' } }), /gone\.json is not the state of a sandbox/);
  });

  test('a fault is that of a request of the API: with another one it would never happen', async () => {
    const fault = (route: string) => ({ faults: [{ route, fault: 'conflict' }] });
    for (const route of ['*', 'POST /ebus/execute', 'POST /auth/refresh', 'GET /objects', 'GET /objects/{objectId}'])
      assert.equal((await read(fault(route))).faults[0]?.route, route);
    await assert.rejects(read(fault('GET /nothing')), /GET \/nothing is not a request of the API/);
  });

  test('what is not known is named with its place', async () => {
    await assert.rejects(read({ sandbox: { seed: -1, speed: 2 } }), /sandbox\.seed: .*; sandbox\.speed: /);
    await assert.rejects(
      read({ faults: [{ fault: 'resetbefore' }] }),
      /faults\.0\.fault must be one of refuse, resetBefore, htmlBadGateway, /,
    );
    await assert.rejects(readScenario('[]', noFile), /must be a JSON object/);
  });
});
