/** The index of ids: bounded, by connection, and the same after its file. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseIds, serializeIds } from '../../../src/cache/id-file.ts';
import { IdIndex, type KnownId } from '../../../src/cache/id-index.ts';
import { Item } from '../../../src/platform/page.ts';
import { registry } from '../../../src/platform/registry.ts';

const entry = fc.record(
  {
    connection: fc.constantFrom('A', 'B'),
    kind: fc.constantFrom('objects', 'faces'),
    id: fc.oneof(fc.constantFrom('x', 'y', '__proto__'), fc.string({ minLength: 1, maxLength: 10 })),
    title: fc.string(),
    state: fc.constantFrom('pending', 'done'),
    when: fc.constant('2025-01-01T00:00:00Z'),
    pictureUrl: fc.constant('/files/1.png'),
  },
  { requiredKeys: ['connection', 'kind', 'id', 'title'], noNullPrototype: true },
) as fc.Arbitrary<KnownId>;

suite('index of ids', () => {
  test('is bounded, and drops the least recently recorded ids', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 60 }), (entries) => {
        const index = new IdIndex(10);
        for (const one of entries) index.add(one);
        const all = [...index.newestFirst()];
        assert.equal(all.length, index.size);
        assert.ok(index.size <= 10);
        const last = entries.at(-1);
        if (last !== undefined)
          assert.ok(
            index.find(last.id).some(({ connection, kind }) => connection === last.connection && kind === last.kind),
          );
        index.forget('A');
        assert.ok([...index.newestFirst()].every(({ connection }) => connection === 'B'));
        assert.equal([...index.newestFirst()].length, index.size);
      }),
    );
  });

  test('records names, states and owners of items; a role by its document id', () => {
    const index = new IdIndex();
    let changeCount = 0;
    index.onDidChange(() => changeCount++);
    index.record('A', registry.objects, [
      new Item(
        { id: 'obj_1', owner: 'wal_1', metadata: { name: 'Ticket', image: { url: '/1.png' } } },
        registry.objects.schema,
      ),
    ]);
    index.record(
      'A',
      registry.roles,
      [new Item({ id: 'rol_1', name: 'Admin' }, registry.roles.schema)],
      ['org_1', 'myrole'],
    );
    index.record('A', registry['action-logs'], [new Item('no object', registry['action-logs'].schema)]);
    assert.equal(index.find('obj_1')[0]?.title, 'Ticket');
    assert.equal(index.find('obj_1')[0]?.pictureUrl, '/1.png');
    assert.deepEqual(index.find('wal_1'), [
      { connection: 'A', kind: 'wallets', id: 'wal_1', title: 'owner of Ticket' },
    ]);
    assert.equal(index.find('rol_1')[0]?.documentId, 'org_1/rol_1');
    assert.equal(changeCount, 3);
  });

  test('entries recorded before the file is loaded stay the newest', () => {
    const index = new IdIndex(2);
    index.add({ connection: 'A', kind: 'faces', id: 'new', title: 'new' });
    index.restore([
      { connection: 'A', kind: 'faces', id: 'old', title: 'old' },
      { connection: 'A', kind: 'faces', id: 'new', title: 'stale' },
    ]);
    assert.deepEqual(
      [...index.newestFirst()].map(({ title }) => title),
      ['new', 'old'],
    );
  });

  test('is restored from its file for connections with the same base URL', () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const urls = new Map([
          ['A', 'http://a'],
          ['B', 'http://b'],
        ]);
        const text = serializeIds(entries, urls);
        const back = parseIds(text, urls).known;
        for (const name of urls.keys())
          assert.deepEqual(
            back.filter(({ connection }) => connection === name),
            entries.filter(({ connection }) => connection === name),
          );
        assert.ok(parseIds(text, new Map([['A', 'http://other']])).known.length === 0);
        assert.ok(!serializeIds(entries, new Map([['A', 'http://a']])).includes('"B":'));
      }),
    );
    for (const text of [
      '',
      '{',
      '[]',
      '{"version":2}',
      '{"version":1,"connections":{"A":{"baseUrl":"http://a","ids":[1,[2]]}}}',
    ])
      assert.deepEqual(parseIds(text, new Map([['A', 'http://a']])).known, []);
  });

  test('keeps the template of the objects that are read, with its picture', () => {
    const index = new IdIndex(4);
    const picture = { type: 'image/png', url: '/files/1.png' };
    index.record('A', registry.templates, [
      new Item({ id: 'tpl_1', name: 'Pass', object: { metadata: { image: picture } } }, registry.templates.schema),
    ]);
    for (let number = 0; number < 10; number++)
      index.record('A', registry.objects, [
        new Item({ id: `obj_${String(number)}`, template_id: 'tpl_1' }, registry.objects.schema),
      ]);
    assert.deepEqual([index.size, index.find('tpl_1')[0]?.pictureUrl], [4, '/files/1.png']);
  });
});
