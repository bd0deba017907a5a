import assert from 'node:assert/strict';
import { LogBuffer } from '../../../../src/logs/stream/buffer.ts';
import { entry } from '../entries.ts';

const MAX_ENTRY_LENGTH = 32_768;
suite('log buffer', () => {
  test('drops and counts the oldest entries, and does not add them again', () => {
    const buffer = new LogBuffer(100);
    buffer.add(Array.from({ length: 130 }, (_, index) => entry(`id${String(index).padStart(3, '0')}`, 1000)));
    assert.equal(buffer.size, 100);
    assert.equal(buffer.dropped, 30);
    assert.equal(buffer.list[0]?.id, 'id030');
    const again = buffer.add([entry('id005', 1000), entry('id999', 1000)]);
    assert.equal(again.added, 1);
    assert.deepEqual(again.removed, ['Test\nid030']);
    assert.equal(new LogBuffer(5_000_000).limit, 100_000);
    assert.equal(new LogBuffer(Number.NaN).limit, 10_000);
  });

  test('a dropped entry does not come back, also after others were removed, until it starts over', () => {
    const buffer = new LogBuffer(100);
    const all = Array.from({ length: 110 }, (_, index) => entry(`log_${String(index).padStart(3, '0')}`, index * 1000));
    buffer.add(all);
    buffer.remove(all.slice(50, 60).map(({ key }) => key));
    const again = buffer.add(all.slice(0, 10));
    assert.deepEqual(again, { changed: [], removed: [], added: 0 });
    assert.deepEqual([buffer.size, buffer.dropped], [90, 10]);
    // Equal in time to the newest dropped entry, and not dropped itself: only a later id is added.
    assert.equal(buffer.add([entry('log_008b', 9000)]).added, 0);
    assert.equal(buffer.add([entry('log_009b', 9000)]).added, 1);
    buffer.setLimit(200);
    assert.equal(buffer.add(all.slice(0, 10)).added, 0);
    buffer.clear();
    assert.equal(buffer.add(all.slice(0, 10)).added, 10);
  });

  test('drops the JSON of the oldest entries beyond the limit, and keeps their rows', () => {
    const buffer = new LogBuffer(1000, 20_000);
    for (let index = 0; index < 300; index++) buffer.add([entry(`id${index}`, index, { note: 'x'.repeat(200) })]);
    assert.equal(buffer.size, 300);
    assert.ok(buffer.textLength <= 20_000);
    assert.equal(
      buffer.textLength,
      buffer.list.reduce((sum, { text }) => sum + (text?.length ?? 0), 0),
    );
    assert.equal(buffer.list[0]?.text, undefined);
    assert.notEqual(buffer.list.at(-1)?.text, undefined);
    assert.equal(entry('big', 1, { params: ['x'.repeat(MAX_ENTRY_LENGTH)] }).text, undefined);
  });

  test('only entries from its start on are requested: all, until it is full', () => {
    const buffer = new LogBuffer(100);
    const entries = Array.from({ length: 101 }, (_, index) => entry(`id${String(index)}`, 1000 * (index + 1)));
    buffer.add(entries.slice(2, 101));
    assert.deepEqual([buffer.full, buffer.minTime], [false, -Infinity]);
    buffer.add(entries.slice(1, 2));
    assert.deepEqual([buffer.full, buffer.minTime], [true, 2000]);
    // It was added and dropped at once.
    const { changed, removed } = buffer.add(entries.slice(0, 1));
    assert.deepEqual([changed, removed], [[], [entries[0]?.key]]);
    assert.deepEqual([buffer.dropped, buffer.countBefore(4000)], [1, 2]);
    assert.deepEqual(buffer.removeBefore(4000), {
      changed: [],
      removed: entries.slice(1, 3).map(({ key }) => key),
      added: 0,
    });
    assert.deepEqual([buffer.size, buffer.dropped, buffer.minTime], [98, 1, 4000]);
    assert.equal(buffer.add(entries.slice(0, 3)).added, 0);
    assert.deepEqual(buffer.setLimit(100), { changed: [], removed: [], added: 0 });
    buffer.clear();
    assert.deepEqual([buffer.size, buffer.textLength, buffer.minTime], [0, 0, -Infinity]);
  });

  test('an entry whose JSON was dropped changes with its row; one that is the same does not', () => {
    const buffer = new LogBuffer(100, 0);
    const read = (status: string) => [entry('a', 5000, { status })];
    buffer.add(read('pending'));
    assert.deepEqual([buffer.get('Test\na')?.text, buffer.textLength], [undefined, 0]);
    assert.equal(buffer.add(read('pending')).changed.length, 0);
    assert.equal(buffer.add(read('failed')).changed.length, 1);
    assert.deepEqual([buffer.get('Test\na')?.row.status, buffer.textLength], ['failed', 0]);
    const whole = new LogBuffer(100);
    whole.add(read('pending'));
    assert.equal(whole.add(read('pending')).changed.length, 0);
    whole.add(read('failed'));
    assert.equal(whole.textLength, whole.get('Test\na')?.text?.length);
    whole.remove(['Test\na']);
    assert.equal(whole.textLength, 0);
  });

  test('an answer without a time updates the status but not the position', () => {
    const buffer = new LogBuffer();
    buffer.add([entry('a', 5000, { status: 'pending' })]);
    buffer.add([entry('a', 0, { when_created: null, status: 'failed' })]);
    assert.equal(buffer.list[0]?.time, 5000);
    assert.equal(buffer.list[0].row.status, 'failed');
    assert.equal(buffer.add([entry('a', 0, { when_created: null, status: 'failed' })]).added, 0);
  });
});
