/** What inserting or dropping a resource writes: a file that was JSON stays JSON, and an action file gets an action. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { getInsertions, parseDragData, type TargetFile } from '../../../../src/documents/commands/insertions.ts';
import { formatDragData } from '../../../../src/model/resources/drag-data.ts';

const object = { connection: 'Test', kind: 'objects', id: 'obj_1' };
const template = { connection: 'Test', kind: 'templates', id: 'tpl_1' };

/** The text after the most likely insertion at `|`. */
function insertAt(type: TargetFile['type'], marked: string, what = object): string {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const [first] = getInsertions([what], { type, text }, offset);
  assert.ok(first);
  return text.slice(0, first.start) + first.text + text.slice(first.end);
}

const parseAt = (type: TargetFile['type'], marked: string, what = object): unknown =>
  JSON.parse(insertAt(type, marked, what));

suite('inserting a resource', () => {
  test('code and prose get the id, a role’s without its organization', () => {
    assert.equal(insertAt('other', 'const id = "REPLACE_|ME";'), 'const id = "REPLACE_obj_1ME";');
    assert.equal(insertAt('other', '|', { ...object, kind: 'roles', id: 'org_1/rol_1' }), 'rol_1');
    assert.equal(getInsertions([object, template], { type: 'other', text: '' }, 0)[0]?.text, 'obj_1\ntpl_1');
  });

  test('JSON gets it in quotes, a string without', () => {
    assert.deepEqual(parseAt('json', '{"id": |}'), { id: 'obj_1' });
    assert.deepEqual(parseAt('json', '{"id": "|"}'), { id: 'obj_1' });
    assert.deepEqual(parseAt('action', '{"action":{"burn":{"id":"|"}}}'), { action: { burn: { id: 'obj_1' } } });
    assert.deepEqual(parseAt('action', '{"action":{"burn":{"id":|}}}'), { action: { burn: { id: 'obj_1' } } });
    assert.equal(insertAt('json', '{"id": "|'), '{"id": "obj_1', 'a string that is being typed');
  });

  test('a placeholder, a variable and another id are replaced, wherever the cursor is in them', () => {
    for (const content of [
      'REPLACE_WITH_OBJECT_ID',
      '<OBJECT_ID>',
      'TODO: the object',
      '${input:object}',
      'obj_0123456789abcdef01234567',
      '0123456789abcdef01234567',
      '0x52908400098527886E0F7030069857D2E4169EE7',
      'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
    ]) {
      for (const at of [0, 8, content.length]) {
        const marked = `{"id": "${content.slice(0, at)}|${content.slice(at)}", "num": 1}`;
        assert.deepEqual(parseAt('action', marked), { id: 'obj_1', num: 1 }, marked);
      }
    }
    assert.deepEqual(parseAt('json', '{"REPLACE_|ID": 1}'), { obj_1: 1 });
  });

  test('any other string is kept', () => {
    assert.deepEqual(parseAt('json', '{"note": "see | for more"}'), { note: 'see obj_1 for more' });
    assert.deepEqual(parseAt('json', '{"url": "https://example.org/|"}'), { url: 'https://example.org/obj_1' });
  });

  test('an empty action file gets a whole action, an open one the part that belongs there', () => {
    assert.deepEqual(parseAt('action', '|'), { action: { transfer: { id: 'obj_1', to: '' } } });
    assert.deepEqual(parseAt('action', '{|}', template), { action: { mint: { template_id: 'tpl_1', num: 1 } } });
    assert.deepEqual(parseAt('action', '{"action": {|}}'), { action: { transfer: { id: 'obj_1', to: '' } } });
  });

  test('any id survives a JSON string and a drag', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (id) => {
        assert.deepEqual(parseAt('json', '{"id": "|"}', { ...object, id }), { id });
        assert.deepEqual(parseAt('json', '{"id": "REPLACE_|ID"}', { ...object, id }), { id });
        assert.deepEqual(parseDragData(formatDragData([{ ...object, id }])), [{ ...object, id }]);
      }),
    );
    for (const text of ['', '{}', 'null', '[1, null, {"id": 7}]', '[{"connection":"a","kind":"b","id":""}]'])
      assert.deepEqual(parseDragData(text), []);
  });
});
