/** What is read of a journal that was left behind, and what is not a journal. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { appendLine, JOURNAL_START } from '../../../../../src/actions/bulk/journal/journal-format.ts';
import { readJournalSummary } from '../../../../../src/actions/bulk/journal/journal-reader.ts';
import { MAX_LINE_BYTES, readJournal, readResults } from '../../../../../src/actions/bulk/journal/read-journal.ts';

const DIGEST = 'ab'.repeat(32);
const HEADER = {
  format: 'smart-objects-batch',
  version: 3,
  id: '2026-1',
  created: 5,
  action: { name: 'mint.action.json', digest: DIGEST },
  data: { name: 'rows.csv', digest: DIGEST, rowCount: 9 },
  connection: { name: 'Shop', baseUrl: 'https://shop.example' },
};

suite('reading a journal', () => {
  let folder: string;
  let journal: string;
  setup(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'journal-'));
    journal = path.join(folder, 'batch.jsonl');
  });
  teardown(() => fs.rm(folder, { recursive: true }));

  function format(...lines: readonly object[]): string {
    let end = JOURNAL_START;
    return lines
      .map((line) => {
        const [text, next] = appendLine(JSON.stringify(line), end);
        end = next;
        return text;
      })
      .join('');
  }
  const write = (...rows: readonly object[]): Promise<void> => fs.writeFile(journal, format(HEADER, ...rows));

  test('rows are open until they are decided, with their ledger batch', async () => {
    const successor = { id: '2026-2', journal: '/w/again.jsonl', rows: '5' };
    await write(
      { row: 1, state: 'sending', signature: DIGEST },
      { row: 1, state: 'completed', actionId: 'act_1' },
      { row: 2, state: 'completed', ledgerBatch: 'bat_1' },
      { row: 3, state: 'completed', ledgerBatch: 'bat_1', ledgerBatchStatus: 'completed' },
      { row: 4, state: 'unknown' },
      { row: 5, state: 'failed', reason: 'no supply' },
      { row: 6, state: 'accepted', actionId: 'act_6' },
      { row: 7, state: 'accepted', actionId: 'act_7' },
      { row: 7, state: 'unknown' },
      { row: 8, state: 'refused' },
      { successor },
    );
    const found = await readJournal(journal);
    assert.deepEqual([...found.openRows.keys()], [2, 4, 6, 7]);
    assert.deepEqual([...found.knownActions], ['act_1', 'act_6']);
    assert.deepEqual([found.signatures.isOfOneRow(DIGEST), found.signatures.isOfOneRow('x')], [true, false]);
    assert.deepEqual(found.successors, [successor]);
    assert.deepEqual(
      [1, 5, 9].map((row) => found.table.getState(row)),
      ['completed', 'failed', 'notSent'],
    );
    assert.equal(found.end.lines, 12);
    assert.equal(found.end.size, (await fs.stat(journal)).size);
    assert.deepEqual(await readResults(journal, found.table, [9, 5, 1]), [
      { row: 9, state: 'notSent' },
      { row: 5, state: 'failed', reason: 'no supply' },
      { row: 1, state: 'completed', actionId: 'act_1' },
    ]);
    await write({ row: 1, state: 'sending' });
    await assert.rejects(readResults(journal, found.table, [5]), { message: 'The result of row 5 could not be read' });
  });

  test('a batch is unfinished while a row waits, or is unknown and was not looked up', async () => {
    const decided = Array.from({ length: 8 }, (_, index) => ({ row: index + 1, state: 'completed' }));
    for (const [last, isUnfinished] of [
      [[], true],
      [[{ row: 9, state: 'sending' }], true],
      [[{ row: 9, state: 'accepted', actionId: 'act_9' }], true],
      [[{ row: 9, state: 'unknown' }], true],
      [[{ row: 9, state: 'unknown', isLookedUp: true }], false],
      [[{ row: 9, state: 'failed' }], false],
    ] as const) {
      await write(...decided, ...last);
      const summary = await readJournalSummary(journal);
      assert.deepEqual([summary.isUnfinished, summary.isOpen], [isUnfinished, false], JSON.stringify(last));
      assert.equal(summary.header.id, HEADER.id);
    }
  });

  test('a journal of the first version has no checksums', async () => {
    const { format: name, version: _version, ...header } = HEADER;
    const lines = [
      { format: name, version: 1, ...header },
      { row: 1, state: 'sending' },
      { row: 2, state: 'completed' },
    ];
    await fs.writeFile(journal, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { end, openRows, table } = await readJournal(journal);
    assert.deepEqual([...openRows.keys(), table.getState(2)], [1, 'completed']);
    assert.deepEqual(end, { size: (await fs.stat(journal)).size, lines: 3 });
  });

  test('lines that a stopped system damaged at the end are left out; damage before others is an error', async () => {
    const good = format(HEADER, { row: 1, state: 'sending' }, { row: 2, state: 'sending' });
    const twoLines = good.slice(0, good.indexOf('{"row":2'));
    for (const rest of ['', '{"row":2,"st', '\0\0\0\n', '\n\n', '{"row":10,"state":"sending"}\n']) {
      await fs.writeFile(journal, twoLines + rest);
      const { end, openRows } = await readJournal(journal);
      assert.deepEqual([end.lines, end.size, [...openRows.keys()]], [2, twoLines.length, [1]], rest);
    }
    for (const text of [
      good.replace('{"row":1', '{"row":3'),
      good.replace('{"row":1', '\0'),
      good.replace(/\{"row":1.*\n/, ''),
    ]) {
      await fs.writeFile(journal, text);
      await assert.rejects(readJournal(journal), {
        message: 'batch.jsonl is damaged at line 2, so it can’t be resumed',
      });
    }
    await fs.writeFile(journal, good.replace('"created":5', '"created":6'));
    await assert.rejects(readJournal(journal), { message: 'batch.jsonl is damaged at line 1, so it can’t be resumed' });
  });

  test('what is not a journal is not read', async () => {
    await assert.rejects(readJournal(journal), { message: 'The journal batch.jsonl does not exist' });
    const other = { message: 'batch.jsonl is not a batch journal' };
    for (const text of [
      '',
      'text\n',
      '{}\n',
      format({ ...HEADER, version: 4 }),
      format({ ...HEADER, id: '../x' }),
      format({ ...HEADER, id: 'x/1' }),
      format({ ...HEADER, action: { name: 'a', digest: `${DIGEST}0` } }),
      format({ ...HEADER, action: { name: 'a', digest: `x${DIGEST}` } }),
      format({ ...HEADER, rows: '1-10' }),
      'x'.repeat(MAX_LINE_BYTES + 1),
    ]) {
      await fs.writeFile(journal, text);
      await assert.rejects(readJournal(journal), other, text.slice(0, 80));
    }
    await fs.rm(journal);
    await fs.mkdir(journal);
    await assert.rejects(readJournal(journal), other);
    await assert.rejects(readJournal(path.join(folder, `${'x'.repeat(300)}.jsonl`)), /could not be read$/);
  });
});
