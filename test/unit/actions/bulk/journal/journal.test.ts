/** Lines of a journal are on the disk when they are said to be. */
import assert from 'node:assert/strict';
import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { JOURNAL_START } from '../../../../../src/actions/bulk/journal/journal-format.ts';
import { JournalWriter } from '../../../../../src/actions/bulk/journal/journal-writer.ts';
import { formatRowNumbers, parseRowNumbers } from '../../../../../src/actions/bulk/rows/row-numbers.ts';

const ignore = (): void => undefined;

/** Records what is done with a file; `flush` lets the flush under way end. */
function createFile(): { readonly file: FileHandle; readonly calls: string[]; flush: () => void } {
  const calls: string[] = [];
  const state = { calls, flush: ignore };
  const file: unknown = {
    appendFile: (bytes: Buffer) => {
      calls.push(`write ${bytes.toString().trim().split('\n').join(' ')}`);
      return Promise.resolve();
    },
    datasync: () =>
      new Promise<void>((resolve) => {
        calls.push('flush');
        state.flush = resolve;
      }),
  };
  return Object.assign(state, { file: file as FileHandle });
}

/** Waits until what can be done without an end of a flush is done. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await setImmediate();
}

suite('journal', () => {
  test('a flushed line resolves after the flush; lines that wait meanwhile are flushed together', async () => {
    const opened = createFile();
    const writer = new JournalWriter(opened.file, { size: 10, lines: 1 });
    const done: string[] = [];
    const append = (line: string, isFlushed: boolean): void => {
      void writer.append(line, { isFlushed }).then(({ offset }) => done.push(`${line}@${String(offset)}`));
    };
    append('a', true);
    await settle();
    append('b', false);
    append('c', true);
    await settle();
    assert.deepEqual([opened.calls, done], [['write a', 'flush'], []]);
    opened.flush();
    await settle();
    assert.deepEqual([opened.calls, done], [['write a', 'flush', 'write b c', 'flush'], ['a@10']]);
    opened.flush();
    await settle();
    assert.deepEqual(done, ['a@10', 'b@12', 'c@14']);
  });

  test('the result of a row and the next row, which is composed in the same turn, are flushed together', async () => {
    const opened = createFile();
    const writer = new JournalWriter(opened.file, { size: 10, lines: 1 });
    const result = writer.append('result');
    for (let step = 0; step < 20; step++) await Promise.resolve();
    const next = writer.append('next', { isFlushed: true });
    await settle();
    assert.deepEqual(opened.calls, ['write result next', 'flush']);
    opened.flush();
    await Promise.all([result, next]);
  });

  test('after an error that left half a line nothing more is written', async () => {
    const calls: string[] = [];
    const file: unknown = {
      appendFile: () => {
        calls.push('write');
        return Promise.reject(new Error('disk full'));
      },
    };
    const writer = new JournalWriter(file as FileHandle, JOURNAL_START);
    await assert.rejects(writer.append('{"a":1}', { isFlushed: true }), { message: 'disk full' });
    await assert.rejects(writer.append('{"b":1}'), { message: 'disk full' });
    assert.deepEqual(calls, ['write']);
  });

  test('numbers of rows as ranges', () => {
    assert.equal(formatRowNumbers([3, 7, 8, 9, 11]), '3,7-9,11');
    assert.deepEqual([...parseRowNumbers('3,7-9,11', 11)], [3, 7, 8, 9, 11]);
    for (const text of ['', '0', '12', '5-', 'a', '1-1000000000', '1-3,2-4', '3,3', '4-2'])
      assert.throws(() => [...parseRowNumbers(text, 11)]);
  });
});
