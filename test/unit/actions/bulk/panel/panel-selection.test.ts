import assert from 'node:assert/strict';
import { parseSelectedResources } from '../../../../../src/actions/bulk/panel/panel-selection.ts';
import { useDisplayLanguage } from '../../../../support/display-languages.ts';

suite('rows of a selection', () => {
  const raw = {
    id: 'obj_1',
    template_id: 'tpl_1',
    owner: '0x1',
    metadata: { name: 'Ticket' },
    custom: { seat: 'A-1', price: 10 },
  };

  test('rows of a table have the columns of the object and of its custom fields', () => {
    const items = [
      { id: 'obj_1', raw },
      { id: 'obj_2', raw: { id: 'obj_2', template_id: 'tpl_1', custom: { scanned: true } } },
    ];
    const selection = parseSelectedResources({ connection: 'Test', kind: 'objects', items }, undefined);
    assert.deepEqual(selection, {
      connection: 'Test',
      kind: 'objects',
      name: '2 objects',
      columns: ['id', 'name', 'template', 'owner', 'custom.seat', 'custom.price', 'custom.scanned'],
      rows: [
        ['obj_1', 'Ticket', 'tpl_1', '0x1', 'A-1', 10, undefined],
        ['obj_2', 'obj_2', 'tpl_1', undefined, undefined, undefined, true],
      ],
    });
  });

  test('rows of the tree: the clicked one, or all that are selected', () => {
    const node = (id: string): object => ({
      type: 'resource',
      key: id,
      connection: 'Test',
      resource: { connection: 'Test', kind: 'objects', id },
      item: { raw: { ...raw, id } },
    });
    const [a, b] = [node('obj_1'), node('obj_2')];
    assert.equal(parseSelectedResources(a, undefined)?.name, '1 object');
    const selection = parseSelectedResources(a, [a, b]);
    assert.deepEqual(
      selection?.rows.map(([id]) => id),
      ['obj_1', 'obj_2'],
    );
  });

  test('a mixed selection is refused, and a row without a resource is none', () => {
    const one = { connection: 'Test', kind: 'objects', id: 'obj_1' };
    for (const other of [
      { ...one, connection: 'Live' },
      { ...one, kind: 'templates' },
    ])
      assert.throws(() => parseSelectedResources(one, [one, other]), /one kind and of one connection/);
    assert.equal(parseSelectedResources(undefined, undefined), undefined);
    assert.equal(parseSelectedResources({ type: 'note', key: 'x', connection: 'Test' }, undefined), undefined);
  });
});

suite('rows of a selection in another display language', () => {
  useDisplayLanguage('de');

  test('the name of a selection has a plural of that language', () => {
    const items = ['obj_1', 'obj_2'].map((id) => ({ id, raw: { id } }));
    const parse = (kind: string): string | undefined =>
      parseSelectedResources({ connection: 'Test', kind, items }, undefined)?.name;
    assert.deepEqual([parse('objects'), parse('templates'), parse('faces')], ['2 Objekte', '2 Vorlagen', '2 Zeilen']);
  });
});
