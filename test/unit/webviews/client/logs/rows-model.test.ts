import assert from 'node:assert/strict';
import { RowsModel } from '../../../../../src/webviews/client/logs/table/rows-model.ts';
import { row } from '../../../logs/entries.ts';

suite('rows of the logs table', () => {
  test('shows rows that pass search and time range, newest first, through updates and removals', () => {
    const model = new RowsModel();
    model.update({
      reset: true,
      rows: [row('a', 1000), row('b', 2000, { action_name: 'mint' }), row('c', 3000, { action_name: 'mint' })],
      removed: [],
    });
    assert.deepEqual(
      model.visibleRows.map(({ id }) => id),
      ['c', 'b', 'a'],
    );
    model.setSearch('mint');
    model.setBrush({ from: 0, to: 2500 });
    assert.deepEqual(
      model.visibleRows.map(({ id }) => id),
      ['b'],
    );
    assert.equal(model.found.length, 2);
    model.update({ reset: false, rows: [row('b', 2000, { action_name: 'burn' })], removed: ['Test\nc'] });
    assert.deepEqual(model.visibleRows, []);
    assert.equal(model.loaded, 2);
  });

  test('exports the shown rows, in the failures view only failed ones', () => {
    const model = new RowsModel();
    const rows = [row('a', 1000), row('b', 2000, { status: 'failed' }), row('c', 3000, { status: 'failed' })];
    model.update({ reset: true, rows, removed: [] });
    assert.equal(model.getExportKeys('logs'), undefined, 'all loaded rows');
    assert.deepEqual(model.getExportKeys('failures'), ['Test\nc', 'Test\nb']);
    model.setBrush({ from: 0, to: 2500 });
    assert.deepEqual(model.getExportKeys('logs'), ['Test\nb', 'Test\na']);
    assert.deepEqual(model.getExportKeys('failures'), ['Test\nb']);
  });
});
