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

  test('shows the name of a template by a row that begins with it', () => {
    const model = new RowsModel();
    const item = (id: string, time: number, ...templates: string[]) =>
      row(id, time, { affected_objects: templates.map((template_id) => ({ id: `obj_${id}`, template_id })) });
    model.update({ reset: true, rows: [item('a', 1, 'one'), item('b', 2, 'two', 'one')], removed: [] });
    assert.deepEqual(
      model
        .countFacets()
        .get('template')
        ?.map(({ value, example }) => [value, example.id]),
      [
        ['one', 'a'],
        ['two', 'b'],
      ],
    );
  });

  test('counts the values of each field among the rows that the other fields, the words and the range leave', () => {
    const model = new RowsModel();
    const item = (id: string, time: number, action: string, status: string, template: string) =>
      row(id, time, {
        action_name: action,
        status,
        signer: '0xA',
        affected_objects: [{ id: `obj_${id}`, template_id: template }],
      });
    model.update({
      reset: true,
      rows: [
        item('a', 1000, 'mint', 'completed', 'tpl_1'),
        item('b', 2000, 'mint', 'failed', 'tpl_1'),
        item('c', 3000, 'burn', 'failed', 'tpl_2'),
        item('d', 4000, 'burn', 'processing', 'tpl_2'),
      ],
      removed: [],
    });
    const counts = (): Record<string, string> =>
      Object.fromEntries(
        [...model.countFacets()].map(([facet, values]) => [
          facet,
          values.map(({ value, count }) => `${value} ${String(count)}`).join(', '),
        ]),
      );
    assert.deepEqual(counts(), {
      status: 'failed 2, completed 1, other 1',
      action: 'mint 2, burn 2',
      signer: '0xA 4',
      template: 'tpl_1 2, tpl_2 2',
    });
    model.setSearch('status:failed');
    assert.deepEqual(
      model.visibleRows.map(({ id }) => id),
      ['c', 'b'],
    );
    assert.deepEqual(counts(), {
      status: 'failed 2, completed 1, other 1',
      action: 'mint 1, burn 1',
      signer: '0xA 2',
      template: 'tpl_1 1, tpl_2 1',
    });
    model.setSearch('-status:failed template:tpl_2');
    model.setBrush({ from: 2500, to: 9000 });
    assert.deepEqual(
      model.visibleRows.map(({ id }) => id),
      ['d'],
    );
    assert.deepEqual(counts(), {
      status: 'failed 1, other 1',
      action: 'burn 1',
      signer: '0xA 1',
      template: 'tpl_2 1',
    });
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
