import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  groupFailures,
  getFailureGroup,
  formatFailureGroup,
} from '../../../../../src/webviews/protocol/failure-groups.ts';
import { RowsModel } from '../../../../../src/webviews/client/logs/table/rows-model.ts';
import { viewStateSchema, type LogRow } from '../../../../../src/webviews/protocol/logs.ts';
import { row } from '../../../logs/entries.ts';

suite('failure groups', () => {
  const failed = (id: string, time: number, more: object): LogRow => row(id, time, { status: 'failed', ...more });

  test('groups failures of the same action and reason, ignoring ids; the largest group first', () => {
    const mint = (id: string, time: number, error: string, action_name = 'mint'): LogRow =>
      failed(id, time, { error, action_name });
    const groups = groupFailures([
      mint('a', 1, 'object obj_0123456789ab is gone'),
      mint('b', 9, 'object obj_ffff56789abc is gone'),
      mint('c', 5, 'object obj_0123456789ab is gone', 'burn'),
      row('d', 3),
    ]);
    assert.deepEqual(
      groups.map(({ action, count, first, last, latest }) => [action, count, first, last, latest.id]),
      [
        ['mint', 2, 1, 9, 'b'],
        ['burn', 1, 5, 5, 'c'],
      ],
    );
  });

  test('groups failures without a reason by their action; the signers are details', () => {
    const rows = [
      failed('a', 1, { action_name: 'mint', signer: '0x1' }),
      failed('b', 2, { action_name: 'mint', signer: '0x2' }),
      failed('c', 3, { action_name: 'mint', signer: '0x1' }),
      failed('d', 4, { action_name: 'mint', signer: '0x1', error: 'sold out' }),
      failed('e', 5, { action_name: 'mint', signer: '0x2', error: 'sold out' }),
    ];
    const groups = groupFailures(rows);
    assert.deepEqual(
      groups.map(({ key, count, signers, reasonFrom }) => [formatFailureGroup(key), count, signers, reasonFrom]),
      [
        ['mint', 3, ['0x1', '0x2'], undefined],
        ['mint: sold out', 2, ['0x2', '0x1'], 'log'],
      ],
    );
  });

  test('a group without a reason shows the failures of its action once their reasons are read', () => {
    const model = new RowsModel();
    const rows = [failed('a', 1, { action_name: 'mint' }), failed('b', 2, { action_name: 'burn' })];
    model.update({ reset: true, rows, removed: [] });
    model.setFailure(getFailureGroup(rows[0] ?? assert.fail()));
    const list = (): readonly string[] => model.visibleRows.map(({ row: { id } }) => id);
    assert.deepEqual(list(), ['a']);
    model.update({ reset: false, rows: [failed('a', 1, { action_name: 'mint', error: 'sold out' })], removed: [] });
    assert.deepEqual(list(), ['a']);
  });

  test('filtering by a group shows exactly its failures, for any message', () => {
    const message = fc
      .array(fc.constantFrom('object ', 'obj_0123456789ab', '0xabcdef01', ' 12', '"gone"', ' was “…” ', 'x'.repeat(90)))
      .map((parts) => parts.join(''));
    const failure = fc.record({
      error: message,
      action_name: fc.constantFrom('mint', 'burn'),
      action_alias: fc.constantFrom('', 'Make "one"'),
      status: fc.constantFrom('failed', 'failed', 'completed'),
    });
    fc.assert(
      fc.property(fc.array(failure), (failures) => {
        const model = new RowsModel();
        model.update({ reset: true, rows: failures.map((more, index) => row(`a${index}`, index, more)), removed: [] });
        for (const { key, count, latest } of groupFailures(model.visibleRows.map((one) => one.row))) {
          assert.ok(viewStateSchema.shape.failure.safeParse(key).success);
          model.setFailure(key);
          assert.equal(model.visibleRows.length, count);
          assert.ok(
            model.visibleRows.every(
              (one) => one.row.status === 'failed' && getFailureGroup(one.row) === getFailureGroup(latest),
            ),
          );
          assert.equal(model.visibleRows[0]?.key, latest.key);
          assert.equal(model.getExportKeys('logs')?.length, count);
        }
        model.setFailure(undefined);
        assert.equal(model.visibleRows.length, failures.length);
      }),
    );
  });
});
