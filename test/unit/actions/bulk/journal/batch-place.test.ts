/** Which journal of a batch may be resumed, and how long that is stored. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { claimPlace } from '../../../../../src/actions/bulk/journal/batch-place.ts';
import { appendLine, JOURNAL_START, type JournalEnd } from '../../../../../src/actions/bulk/journal/journal-format.ts';

suite('place of a batch', () => {
  const dataHome = process.env['XDG_DATA_HOME'];
  let folder: string;
  let journal: string;
  setup(async () => {
    folder = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'place-')));
    journal = path.join(folder, 'batch.jsonl');
    process.env['XDG_DATA_HOME'] = path.join(folder, 'data');
  });
  teardown(async () => {
    if (dataHome === undefined) delete process.env['XDG_DATA_HOME'];
    else process.env['XDG_DATA_HOME'] = dataHome;
    await fs.rm(folder, { recursive: true });
  });

  async function write(...rows: readonly number[]): Promise<JournalEnd> {
    let end = JOURNAL_START;
    let text = '';
    for (const row of rows) {
      const [line, next] = appendLine(JSON.stringify({ row }), end);
      text += line;
      end = next;
    }
    await fs.writeFile(journal, text);
    return end;
  }

  const claim = async (end: JournalEnd): Promise<void> => {
    const place = await claimPlace('1', journal, end);
    await place.release(end);
  };

  test('is that of the journal with the lines that were stored, and maybe more', async () => {
    await claim(await write(1, 2, 3));
    await claim(await write(1, 2, 3));
    await claim(await write(1, 2, 3, 4));
    // As continued on another computer, from an earlier state.
    for (const rows of [[], [1], [1, 2, 3], [1, 2, 3, 5], [1, 2, 5, 4], [1, 2, 3, 5, 6], [0, 1, 2, 3, 4]])
      await assert.rejects(write(...rows).then(claim), /is an older copy of/, rows.join());
    await claim(await write(1, 2, 3, 4, 5, 6));
  });

  test('of the oldest of more than 2,000 batches is forgotten', async () => {
    const batches = path.join(folder, 'data/smart-objects/batches');
    await fs.mkdir(batches, { recursive: true });
    const ids = Array.from({ length: 2002 }, (_, index) => `2026-${String(index).padStart(4, '0')}`);
    for (const id of ids.toReversed()) await fs.writeFile(path.join(batches, `${id}.json`), '');
    await fs.writeFile(path.join(batches, '2026-0001.other'), '');
    await claim(await write(1));
    const left = await fs.readdir(batches);
    assert.deepEqual(left.sort(), ['1.json', ...ids.slice(2).map((id) => `${id}.json`)]);
  });

  test('must be writable', async () => {
    await fs.writeFile(path.join(folder, 'data'), 'a file');
    await assert.rejects(write(1).then(claim), /^Error: Batches are recorded in .*batches, which can’t be written: /);
  });
});
