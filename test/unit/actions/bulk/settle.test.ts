/** Unknown rows that the user settles. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { createBatch, resumeBatch, runAgain } from '../../../../src/actions/bulk/open-batch.ts';
import { findOnlyLogs } from '../../../../src/actions/bulk/settle.ts';
import { createData } from '../../../support/batch-data.ts';
import { assertTrue, getStates, readAllResults, startBatchTest, type BatchTest } from './support.ts';

suite('settling unknown rows', () => {
  let fixture: BatchTest;
  setup(async () => {
    fixture = await startBatchTest();
  });
  teardown(() => fixture.close());

  test('by their only logs; the others stay unknown, and no row is sent again', async () => {
    const { ledger } = fixture;
    for (const row of [1, 2, 3])
      ledger.plan(`m${String(row)}`, { fault: { kind: 'reset', when: 'after' }, hiddenFor: 0 });
    ledger.plan('m3', { fault: { kind: 'reset', when: 'after' }, hiddenFor: 0, log: ['failed'] });
    ledger.plan('m4', { fault: { kind: 'reset', when: 'before' } });
    ledger.plan('m5', { fault: { kind: 'reset', when: 'after' }, hiddenFor: 0 });
    ledger.addForeignLog('update', [{ id: 'obj_5', data: { custom: { marker: 'm5' } } }]);
    const options = fixture.options(6);
    const first = await createBatch(options);
    first.start();
    await first.ended;
    assert.deepEqual(getStates(await readAllResults(first)), [...Array<string>(5).fill('unknown'), 'completed']);
    const resumed = await resumeBatch(options);
    const onlyLogs = findOnlyLogs(await readAllResults(resumed));
    assert.deepEqual(
      [...onlyLogs],
      [1, 2, 3].map((row) => [row, ledger.entry(`m${String(row)}`).actionIds[0]]),
    );
    await resumed.settle(onlyLogs);
    resumed.start();
    await resumed.ended;
    const results = await readAllResults(resumed);
    assert.deepEqual(getStates(results), ['completed', 'completed', 'failed', 'unknown', 'unknown', 'completed']);
    assert.equal(results[0]?.reason, 'You settled it by its action log');
    assertTrue(
      ledger,
      results.filter(({ state }) => state !== 'failed'),
    );
    for (const { posts } of ledger.entries.values()) assert.equal(posts, 1);
  });

  test('a log that is possible for two rows settles neither', () => {
    const row = { state: 'unknown' as const };
    assert.deepEqual(
      [
        ...findOnlyLogs([
          { ...row, row: 1, possibleLogs: ['a'] },
          { ...row, row: 2, possibleLogs: ['a'] },
          { ...row, row: 3, possibleLogs: ['b', 'c'] },
          { ...row, row: 4, possibleLogs: ['d'] },
          { ...row, row: 5 },
          { row: 6, state: 'accepted', possibleLogs: ['e'] },
        ]),
      ],
      [[4, 'd']],
    );
  });

  test('the log of a settled row is possible for no other row, even of the same request', async () => {
    fixture.ledger.plan('m1', { fault: { kind: 'reset', when: 'after' }, hiddenFor: 0 });
    const same = ['obj_1', 'm1'];
    const options = fixture.options(2, { data: createData('rows.csv', ['id', 'marker'], [same, same]) });
    const first = await createBatch(options);
    first.start();
    await first.ended;
    const [log, other] = fixture.ledger.entry('m1').actionIds;
    const resumed = await resumeBatch(options);
    await resumed.settle(new Map([[1, log]]));
    resumed.start();
    await resumed.ended;
    assert.deepEqual((await readAllResults(resumed))[1]?.possibleLogs, [other]);
  });

  test('only a row that the user marked as not executed is run again', async () => {
    for (const marker of ['m1', 'm2']) fixture.ledger.plan(marker, { fault: { kind: 'reset', when: 'before' } });
    const options = fixture.options(3);
    const first = await createBatch(options);
    first.start();
    await first.ended;
    const resumed = await resumeBatch(options);
    await resumed.settle(
      new Map([
        [1, undefined],
        [3, undefined],
      ]),
    );
    assert.deepEqual(getStates(await readAllResults(resumed)), ['refused', 'unknown', 'completed']);
    await resumed.close();
    fixture.ledger.plan('m1', {});
    const again = { ...options, journal: path.join(fixture.folder, 'again.jsonl'), formerJournal: options.journal };
    const second = await runAgain(again);
    assert.deepEqual([...second.rowNumbers], [1]);
    await second.close();
  });
});
