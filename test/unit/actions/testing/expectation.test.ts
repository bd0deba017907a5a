/** What an expectation accepts. */
import assert from 'node:assert/strict';
import { findMismatches } from '../../../../src/actions/testing/expectation.ts';
import type { RunRecord } from '../../../../src/model/runs/run-record.ts';
import { createRecord } from '../support.ts';

const run: RunRecord = {
  ...createRecord('{"action": {"mint": {}}}'),
  outcome: 'completed',
  log: JSON.stringify({ list: [1, 2, 3], nothing: null, empty: '' }),
};

/** The paths of what is not as expected. */
async function listPaths(log: unknown): Promise<readonly string[]> {
  return (await findMismatches(run, { log })).map(({ path }) => path);
}

suite('expectations', () => {
  test('an array has exactly the expected elements, in their order', async () => {
    assert.deepEqual(await listPaths({ list: [1, 2, 3] }), []);
    for (const list of [[], [1, 2], [1, 2, 3, 4], [1, 2, 3, null], [2, 1, 3]])
      assert.notDeepEqual(await listPaths({ list }), [], JSON.stringify(list));
  });

  test('null does not exist; an empty text does', async () => {
    assert.deepEqual(await listPaths({ nothing: { $exists: true } }), ['log.nothing']);
    assert.deepEqual(await listPaths({ missing: { $exists: true } }), ['log.missing']);
    assert.deepEqual(await listPaths({ empty: { $exists: true } }), []);
    assert.deepEqual(
      await listPaths({ nothing: { $exists: false }, missing: { $exists: false }, empty: { $exists: false } }),
      ['log.empty'],
    );
  });
});
