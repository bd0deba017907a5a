/** Responses that are those of other rows or requests: no row is told to be what another one is. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { createBatch, resumeBatch } from '../../../../src/actions/bulk/open-batch.ts';
import type { BatchOptions, RowResult } from '../../../../src/actions/bulk/batch.ts';
import type { Fault } from '../../../support/ledger-server.ts';
import { assertTrue, getStates, readAllResults, startBatchTest, type BatchTest } from './support.ts';

suite('the response of another row', () => {
  let fixture: BatchTest;
  setup(async () => {
    fixture = await startBatchTest({ plan: { hiddenFor: 0 } });
  });
  teardown(() => fixture.close());

  const plan = (kind: Fault['kind'], ...rows: readonly number[]): void => {
    for (const row of rows) fixture.ledger.plan(`m${String(row)}`, { fault: { kind } as Fault, hiddenFor: 0 });
  };
  const run = async (rows: number, options: Partial<BatchOptions> = {}): Promise<readonly RowResult[]> => {
    const batch = await createBatch(fixture.options(rows, options));
    batch.start();
    await batch.ended;
    const results = await readAllResults(batch);
    assertTrue(fixture.ledger, results);
    return results;
  };
  /** Looked up again, each row has its own log as the only possible one. */
  const assertPossible = async (rows: number, unknown: readonly number[]): Promise<void> => {
    const resumed = await resumeBatch(fixture.options(rows));
    resumed.start();
    await resumed.ended;
    const results = await readAllResults(resumed);
    for (const row of unknown)
      assert.deepEqual(results[row - 1]?.possibleLogs, fixture.ledger.entry(`m${String(row)}`).actionIds);
  };
  const one = { pacing: { concurrency: 1 } };

  test('replayed by a gateway: only the row that was executed is completed', async () => {
    plan('replayed', 2, 3, 4, 5, 6);
    const results = await run(6, one);
    assert.deepEqual(getStates(results), ['completed', ...Array<string>(5).fill('unknown')]);
    assert.match(results[1]?.reason ?? '', /^The response names another action, act_\S+\. No action log was found$/);
    assert.equal(results[1]?.possibleLogs, undefined);
  });

  test('replayed from before the batch', async () => {
    const first = await createBatch(fixture.options(1));
    first.start();
    await first.ended;
    const [result] = await readAllResults(first);
    plan('replayed', 1, 2);
    const journal = path.join(fixture.folder, 'second.jsonl');
    const known = await createBatch(
      fixture.options(2, { ...one, journal, knownLogs: () => new Set([result?.actionId ?? '']) }),
    );
    known.start();
    assert.equal((await known.ended).counts.unknown, 2);
  });

  test('swapped: each log is possible for its own row', async () => {
    plan('swapped', 2, 3);
    const results = await run(4, { pacing: { concurrency: 2 } });
    assert.deepEqual(getStates(results), ['completed', 'unknown', 'unknown', 'completed']);
    await assertPossible(4, [2, 3]);
  });

  test('swapped with a failed one: neither has failed for certain', async () => {
    plan('swapped', 1, 2);
    fixture.ledger.plan('m1', {
      fault: { kind: 'swapped' },
      hiddenFor: 0,
      failedStep: { at: 1, of: 1, error: 'sold out' },
    });
    assert.deepEqual(getStates(await run(2)), ['unknown', 'unknown']);
  });

  test('swapped, and the process ends before the logs are read', async () => {
    plan('swapped', 1, 2);
    const options = fixture.options(2);
    const blind = {
      ...options.platform,
      logs: refuse,
      logPages: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) }),
    };
    const first = await createBatch({ ...options, platform: blind });
    const isAccepted = Promise.withResolvers<undefined>();
    first.listen(() => {
      if (first.totals.counts.accepted === 2) isAccepted.resolve(undefined);
    });
    first.start();
    await isAccepted.promise;
    await first.close();
    const resumed = await resumeBatch(options);
    resumed.start();
    await resumed.ended;
    const results = await readAllResults(resumed);
    assert.deepEqual(getStates(results), ['unknown', 'unknown']);
    assertTrue(fixture.ledger, results);
  });

  test('of the row before, on and on', async () => {
    plan('surplus', 3);
    const results = await run(6, one);
    assert.deepEqual(getStates(results), ['completed', 'completed', ...Array<string>(4).fill('unknown')]);
    await assertPossible(6, [3, 4, 5, 6]);
  });
});

function refuse(): Promise<never> {
  return Promise.reject(new Error('not now'));
}
