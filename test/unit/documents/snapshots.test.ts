/** Earlier texts: the latest first, never more of them than allowed, in number or size. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Snapshots } from '../../../src/documents/snapshots.ts';

const of = (id: string) => ({ connection: 'Test', kind: 'objects', id });

suite('snapshots', () => {
  test('remember each other text once, the latest first', () => {
    const snapshots = new Snapshots();
    for (const [readAt, text] of [
      [1, 'a'],
      [2, 'a'],
      [3, 'b'],
      [4, 'a'],
    ] as const)
      snapshots.add(of('x'), { readAt, text });
    assert.deepEqual(
      snapshots.of(of('x')).map(({ readAt }) => readAt),
      [4, 3, 1],
    );
    assert.deepEqual(snapshots.of(of('y')), []);
  });

  test('stay within their limits whatever comes, and keep the last text of the last resource', () => {
    const limits = { each: 3, size: 50 };
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.string({ maxLength: 20 })), { minLength: 1 }),
        (adds) => {
          const snapshots = new Snapshots(limits);
          adds.forEach(([id, text], readAt) => {
            snapshots.add(of(id), { readAt, text });
          });
          const kept = ['a', 'b', 'c'].map((id) => snapshots.of(of(id)));
          assert.ok(kept.every((list) => list.length <= limits.each));
          assert.equal(
            kept.flat().reduce((sum, { text }) => sum + text.length, 0),
            snapshots.size,
          );
          assert.ok(snapshots.size <= limits.size);
          const [id, text] = adds.at(-1) ?? ['', ''];
          assert.equal(snapshots.of(of(id))[0]?.text, text);
        },
      ),
    );
  });
});
