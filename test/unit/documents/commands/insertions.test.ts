/** What dropping a resource writes: a file that was JSON stays JSON, and an action file gets an action. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { getInsertions } from '../../../../src/documents/commands/insertions.ts';
import { parseDragData, formatDragData } from '../../../../src/model/drag-data.ts';

const object = { connection: 'Test', kind: 'objects', id: 'obj_1' };
const template = { connection: 'Test', kind: 'templates', id: 'tpl_1' };
const getInsertionsFor = (name: string, text: string, offset = text.length, what = object) =>
  getInsertions([what], { name, text }, offset);
const applyInsertion = (name: string, text: string, offset: number, what = object): unknown => {
  const [first] = getInsertionsFor(name, text, offset, what);
  return JSON.parse(text.slice(0, offset) + (first?.text ?? '') + text.slice(offset));
};

suite('inserting a resource', () => {
  test('code and prose get the id, a role’s without its organization', () => {
    assert.deepEqual(getInsertionsFor('a.ts', 'const id = '), [{ label: 'Insert id', text: 'obj_1' }]);
    assert.equal(getInsertionsFor('.env', '', 0, { ...object, kind: 'roles', id: 'org_1/rol_1' })[0]?.text, 'rol_1');
    assert.equal(getInsertions([object, template], { name: 'a.md', text: '' }, 0)[0]?.text, 'obj_1\ntpl_1');
  });

  test('JSON gets it in quotes, a string without', () => {
    assert.deepEqual(applyInsertion('a.json', '{"id": }', 7), { id: 'obj_1' });
    assert.deepEqual(applyInsertion('a.json', '{"id": ""}', 8), { id: 'obj_1' });
    assert.deepEqual(applyInsertion('a.action.json', '{"action":{"burn":{"id":""}}}', 25), {
      action: { burn: { id: 'obj_1' } },
    });
  });

  test('an empty action file gets a whole action, an open one the part that belongs there', () => {
    assert.deepEqual(applyInsertion('a.action.json', '', 0), { action: { transfer: { id: 'obj_1', to: '' } } });
    assert.deepEqual(applyInsertion('a.action.json', '{}', 1, template), {
      action: { mint: { template_id: 'tpl_1', num: 1 } },
    });
    assert.deepEqual(applyInsertion('a.action.json', '{"action": {}}', 12), {
      action: { transfer: { id: 'obj_1', to: '' } },
    });
  });

  test('any id survives a JSON string and a drag', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (id) => {
        assert.deepEqual(applyInsertion('a.json', '{"id": ""}', 8, { ...object, id }), { id });
        assert.deepEqual(parseDragData(formatDragData([{ ...object, id }])), [{ ...object, id }]);
      }),
    );
    for (const text of ['', '{}', 'null', '[1, null, {"id": 7}]', '[{"connection":"a","kind":"b","id":""}]'])
      assert.deepEqual(parseDragData(text), []);
  });
});
