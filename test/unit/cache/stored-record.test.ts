import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { createListSchema, StoredRecord, type KeyValueStore } from '../../../src/cache/stored-record.ts';

const createStore = (stored?: unknown): KeyValueStore => {
  const values = new Map([['key', stored]]);
  return { get: (key) => values.get(key), update: (key, value) => Promise.resolve(void values.set(key, value)) };
};

suite('stored records', () => {
  test('beyond the maximum, the values that were stored first are dropped', async () => {
    const store = createStore();
    const record = new StoredRecord(store, 'key', z.number(), 2);
    for (const [name, value] of [
      ['a', 1],
      ['b', 2],
      ['a', 3],
      ['c', 4],
    ] as const)
      await record.set(name, value);
    assert.deepEqual(store.get('key'), { a: 3, c: 4 });
    await record.set('a', undefined);
    assert.deepEqual([record.get('a'), record.get('c'), store.get('key')], [undefined, 4, { c: 4 }]);
  });

  test('a value that does not fit is none, and stays when another one is stored', async () => {
    const store = createStore({ a: 'text', b: 1 });
    const record = new StoredRecord(store, 'key', z.number(), 9);
    assert.deepEqual([record.get('a'), record.get('b'), record.get('toString')], [undefined, 1, undefined]);
    await record.set('b', 2);
    assert.deepEqual(store.get('key'), { a: 'text', b: 2 });
    assert.equal(new StoredRecord(createStore('broken'), 'key', z.unknown(), 9).get('a'), undefined);
  });

  test('a stored list is read without the elements that do not fit', () => {
    const schema = createListSchema(z.object({ id: z.string() }));
    assert.deepEqual(z.parse(schema, [{ id: 'a' }, null, { id: 1 }, 'x', { id: 'b' }]), [{ id: 'a' }, { id: 'b' }]);
    assert.ok(!z.safeParse(schema, { id: 'a' }).success);
  });
});
