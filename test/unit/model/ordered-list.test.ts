import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareItems, OrderedList, type TimedItem } from '../../../src/model/ordered-list.ts';

suite('ordered list', () => {
  test('items stay unique and sorted by time then id, also when repeated or moved', () => {
    const item = fc.record({
      id: fc.constantFrom(...'a,b,c,d,e,f,g,h,i,j,k'.split(',')),
      time: fc.integer({ min: 0, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(fc.array(item, { maxLength: 8 }), { maxLength: 12 }), (batches) => {
        const ordered = new OrderedList<TimedItem>();
        const last = new Map<string, TimedItem>();
        for (const batch of batches) {
          const places = batch.map(({ id, time }) => ({ id, key: id, time }));
          const before = last.size;
          for (const place of places) last.set(place.key, place);
          assert.equal(ordered.put(places), last.size - before);
        }
        assert.deepEqual(ordered.list, [...last.values()].sort(compareItems));
        for (const place of last.values()) assert.equal(ordered.list[ordered.indexOf(place)], place);
      }),
    );
  });
});
