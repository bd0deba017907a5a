/** Calls of agents that repeat another one. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { RepeatGuard } from '../../../src/agents/run-tool.ts';

suite('repeated calls', () => {
  teardown(() => mock.restoreAll());

  test('a clock that is set back refuses no later call', async () => {
    const repeats = new RepeatGuard();
    const call = (): Promise<number> =>
      repeats.run(
        'key',
        () => Promise.resolve(1),
        () => true,
      );
    await call();
    await assert.rejects(call(), /^ToolInputError: Nothing was sent/);
    const [now, elapsed] = [Date.now(), performance.now()];
    mock.method(Date, 'now', () => now - 3_600_000);
    mock.method(performance, 'now', () => elapsed + 2000);
    assert.equal(await call(), 1);
  });
});
