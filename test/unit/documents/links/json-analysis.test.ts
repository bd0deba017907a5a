/** Marks of a document are at their offsets for any text; drift points at its field. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { analyse, findMarkAt, findSpanOfPath, parsePath } from '../../../../src/documents/links/json-analysis.ts';
import { MASK } from '../../../../src/platform/json/secrets.ts';
import { registry } from '../../../../src/platform/registry.ts';

const definition = registry['action-logs'];
const log = {
  id: 'log_1',
  batch_id: 'bat_1',
  signer: '0xabc',
  hash: '0xdef',
  affected_objects: [{ id: 'obj_1', template_id: 'tpl_1' }],
  when_created: '2025-05-03T12:05:09Z',
  params: [{ site: 'https://example.com/a?b=c', note: 'two words', key: MASK }],
};

suite('analysis of a document', () => {
  const text = JSON.stringify(log, null, 2);
  const { marks, root } = analyse(text, definition);
  const mark = (value: string) => marks.find((one) => one.value === value);

  test('knows ids, links, moments, addresses and hidden values', () => {
    assert.equal(mark('bat_1')?.reference, 'batches');
    assert.equal(mark('obj_1')?.reference, 'objects');
    assert.equal(mark('tpl_1')?.reference, 'templates');
    assert.deepEqual([mark('0xabc')?.reference, mark('0xabc')?.link], ['wallets', 'account']);
    assert.equal(mark('0xdef')?.link, 'action');
    const moment = mark(log.when_created);
    assert.equal(moment?.type === 'time' ? moment.time : undefined, Date.UTC(2025, 4, 3, 12, 5, 9));
    assert.equal(mark('https://example.com/a?b=c')?.type, 'url');
    assert.equal(mark(MASK)?.type, 'hidden');
    assert.equal(mark('log_1')?.type, 'text');
    assert.equal(mark('two words'), undefined);
  });

  test('an object of any shape: each mark is a string of the text, in order, and found at each of its places', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        let end = -1;
        const found = analyse(json, definition).marks;
        for (const one of found) {
          assert.ok(one.offset > end);
          end = one.offset + one.length;
          assert.equal(JSON.parse(json.slice(one.offset - 1, end + 1)), one.value);
          assert.equal(findMarkAt(found, one.offset), one);
          assert.equal(findMarkAt(found, end), one);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('nesting that would break a recursion, and inherited names, do no harm', () => {
    const deep = `${'['.repeat(3000)}"x_1"${']'.repeat(3000)}`;
    assert.doesNotThrow(() => analyse(deep, definition));
    assert.equal(
      analyse('{"constructor": "abcd", "__proto__": "efgh"}', definition).marks.every(({ type: is }) => is === 'text'),
      true,
    );
  });

  test('a list of 200,000 values', () => {
    const text = JSON.stringify({ ids: Array.from({ length: 200_000 }, () => 'a'), owner_id: 'wal_1' });
    assert.doesNotThrow(() => analyse(text, undefined));
  });

  test('drift names the path of the value, or of the missing field', () => {
    assert.ok(root);
    const at = (path: string): string => {
      const { offset, length } = findSpanOfPath(root, path);
      return text.slice(offset, offset + length);
    };
    assert.equal(at('hash'), '"0xdef"');
    assert.equal(at('affected_objects[0].id'), '"obj_1"');
    assert.equal(at('affected_objects'), '"affected_objects"');
    assert.equal(at('affected_objects[0].next_state_root'), '{');
    assert.equal(at('status'), '{');
    assert.equal(at(''), '{');
    assert.deepEqual(parsePath('a[10].b.c[0][1]'), ['a', 10, 'b', 'c', 0, 1]);
  });
});
