import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { formatRows, openDataFile, readColumns, readDataText } from '../../../../../src/actions/bulk/data/open-data.ts';
import { formatCells } from '../../../../../src/actions/bulk/panel/format-row.ts';
import type { BatchData } from '../../../../../src/actions/bulk/batch.ts';

suite('data of a batch', () => {
  let folder: string;
  setup(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'bulk-data-'));
  });
  teardown(() => fs.rm(folder, { recursive: true }));

  async function open(name: string, content: string | Buffer): Promise<BatchData> {
    const file = path.join(folder, name);
    await fs.writeFile(file, content);
    return openDataFile({ path: file, name });
  }

  function getCells({ rows }: BatchData): readonly unknown[] {
    return rows.map(({ number, cells }, index) => {
      assert.equal(number, index + 1);
      return cells;
    });
  }

  for (const [what, content] of [
    ['plain', 'to,name\n0x1,a\n0x2,b\n'],
    ['with a byte order mark and CRLF', '\ufeffto,name\r\n0x1,a\r\n\r\n0x2,b'],
    ['with semicolons', 'to;name\n0x1;a\n0x2;b\n'],
    ['with tabs', 'to\tname\n0x1\ta\n0x2\tb\n'],
    ['with quotes', '"to","name"\n"0x1","a"\n0x2,b\n'],
  ] as const)
    test(`CSV ${what}`, async () => {
      const data = await open('a.csv', content);
      assert.deepEqual(data.columns, ['to', 'name']);
      assert.deepEqual(data.findings, []);
      assert.deepEqual(getCells(data), [
        ['0x1', 'a'],
        ['0x2', 'b'],
      ]);
    });

  test('CSV cells stay text: quotes, delimiters, line ends, formulas, long numbers', async () => {
    const data = await open('a.csv', 'a,b\n"x ""y"", z\nw",=1+1\n00123,12345678901234567890\n');
    assert.deepEqual(getCells(data), [
      ['x "y", z\nw', '=1+1'],
      ['00123', '12345678901234567890'],
    ]);
  });

  test('UTF-16 with a byte order mark is decoded', async () => {
    const data = await open('a.csv', Buffer.from('\ufeffto;name\r\n0x1;ä\r\n', 'utf16le'));
    assert.deepEqual(data.columns, ['to', 'name']);
    assert.deepEqual(getCells(data), [['0x1', 'ä']]);
  });

  test('text that is not UTF-8 is refused with its line', async () => {
    await assert.rejects(open('a.csv', Buffer.from('to\n0x1\nM\xfcller\n', 'latin1')), {
      message: 'a.csv, line 3: the text is not UTF-8. Save the file as UTF-8',
    });
  });

  test('a character may be split between two reads', async () => {
    const head = `name\n${'x'.repeat(256 * 1024 - 6)}`;
    const data = await open('a.csv', `${head}ä\n`);
    assert.deepEqual(getCells(data), [[`${'x'.repeat(256 * 1024 - 6)}ä`]]);
  });

  test('a quote that is never closed is refused with its line', async () => {
    await assert.rejects(
      open('a.csv', 'a,b\n1,2\n"3,4\n'),
      /^Error: a\.csv, line \d: a quoted cell has no closing quote$/,
    );
  });

  test('a cell with a quote in it is refused with its line', async () => {
    await assert.rejects(
      open('a.csv', 'a,b\n1,Max "M" M\n'),
      /^Error: a\.csv, line 2: quotes in a cell must be doubled, and the whole cell quoted$/,
    );
  });

  test('a row of more than a megabyte is refused with its line', async () => {
    const long = 'x'.repeat(2 * 1024 * 1024);
    for (const [name, content, message] of [
      [
        'a.csv',
        `to\n0x1\n"${long}"\n`,
        /^Error: a\.csv, line \d: a row is longer than 1 MB\. A closing quote may be missing$/,
      ],
      ['a.ndjson', `{"to":"0x1"}\n{"to":"${long}"}\n`, /^Error: a\.ndjson, line 2: a row is longer than 1 MB$/],
      ['a.json', `[{"to":"0x1"},\n{"to":"${long}"}]`, /^Error: a\.json, line 2: a row is longer than 1 MB$/],
    ] as const)
      await assert.rejects(open(name, content), message);
  });

  test('repeated and empty headers are findings, and keep apart', async () => {
    const data = await open('a.csv', 'to,to,,__proto__\n1,2,3,4\n');
    assert.deepEqual(data.columns, ['to', 'to (2)', 'column 3', '__proto__']);
    assert.deepEqual(
      data.findings.map(({ severity, message }) => [severity, message]),
      [
        ['error', 'Two columns are named to. Rename one of them'],
        ['warning', 'Column 3 has no name in the header'],
      ],
    );
    assert.deepEqual(getCells(data), [['1', '2', '3', '4']]);
  });

  test('rows with more or fewer cells than the header are findings', async () => {
    const data = await open('a.csv', 'a,b\n1\n1,2,3\n');
    assert.deepEqual(
      data.findings.map(({ row, message }) => [row, message]),
      [
        [1, 'The row has 1 cell, but the header has 2'],
        [2, 'The row has 3 cells, but the header has 2'],
      ],
    );
    assert.deepEqual(getCells(data), [['1'], ['1', '2']]);
  });

  test('an empty file and one with a header alone have no rows', async () => {
    for (const content of ['', 'a,b\n', '\ufeff']) {
      const data = await open('a.csv', content);
      assert.deepEqual(data.findings, [{ severity: 'error', message: 'a.csv has no rows' }]);
    }
  });

  test('NDJSON and JSON arrays keep types and digits; columns are those of all rows', async () => {
    const rows = ['{"n":12345678901234567890,"s":"x"}', '{"s":"{]\\"","o":{"a":[1]}}'];
    for (const [name, content] of [
      ['a.ndjson', `${rows.join('\n')}\n`],
      ['a.json', `[\n  ${rows.join(',\n  ')}\n]\n`],
    ] as const) {
      const data = await open(name, content);
      assert.deepEqual(data.columns, ['n', 's', 'o']);
      assert.equal(JSON.stringify(getCells(data)), '[[12345678901234567890,"x"],[null,"{]\\"",{"a":[1]}]]');
    }
  });

  for (const [name, content, message] of [
    ['a.ndjson', '{"a":1}\n{"a":\n', 'a.ndjson, line 2: expected a JSON object'],
    ['a.ndjson', '[1]\n', 'a.ndjson, line 1: expected a JSON object'],
    ['a.json', '{"a":1}', 'a.json, line 1: expected a JSON array of objects'],
    ['a.json', '[{"a":1},\n2]', 'a.json, line 2: expected a JSON array of objects'],
    ['a.json', '[{"a":1}', 'a.json, line 1: expected a JSON array of objects'],
    ['a.txt', 'a', 'a.txt is not a data file. Supported extensions: .csv, .tsv, .ndjson, .jsonl, .json'],
    ['a.csv', 'a\0b\n', 'a.csv is not a text file, or is UTF-16 without a byte order mark'],
  ] as const)
    test(`${name} with ${JSON.stringify(content)} is refused`, async () => {
      await assert.rejects(open(name, content), { message });
    });

  test('a row without some columns is shown with empty cells there', async () => {
    const data = await open('a.ndjson', '{"id":"obj_1","custom.seat":"A"}\n{"id":"obj_2","custom.days":2}\n');
    const cells = getCells(data);
    assert.deepEqual(
      [data.columns, cells[1]],
      [
        ['id', 'custom.seat', 'custom.days'],
        ['obj_2', undefined, 2],
      ],
    );
    assert.deepEqual(
      data.rows.map((row) => formatCells(row.cells)),
      [
        ['obj_1', 'A'],
        ['obj_2', '', '2'],
      ],
    );
  });

  test('a file that changes after it was opened changes no row', async () => {
    const data = await open('a.csv', 'a\n1\n2\n');
    await fs.writeFile(path.join(folder, 'a.csv'), 'a\n1\n9\n');
    assert.deepEqual(getCells(data), [['1'], ['2']]);
  });

  test('a link that replaced the file, a folder and a missing file are refused', async () => {
    await fs.writeFile(path.join(folder, 'a.csv'), 'a\n1\n');
    await fs.symlink(path.join(folder, 'a.csv'), path.join(folder, 'b.csv'));
    await assert.rejects(openDataFile({ path: path.join(folder, 'b.csv'), name: 'b.csv' }), {
      message: 'b.csv could not be read',
    });
    await fs.mkdir(path.join(folder, 'c.csv'));
    await assert.rejects(openDataFile({ path: path.join(folder, 'c.csv'), name: 'c.csv' }), {
      message: 'c.csv is not a file',
    });
    await assert.rejects(openDataFile({ path: path.join(folder, 'd.csv'), name: 'd.csv' }), {
      message: 'The file d.csv does not exist',
    });
  });

  test('the columns of a file are read without its rows', async () => {
    for (const [name, content] of [
      ['a.csv', 'to,name\n"never closed'],
      ['a.ndjson', '{"to":1,"name":2}\n{"broken'],
    ] as const) {
      await fs.writeFile(path.join(folder, name), content);
      assert.deepEqual(await readColumns({ path: path.join(folder, name), name }), ['to', 'name']);
    }
  });

  test('the rows of a text have the digest of the file in which they are stored', async () => {
    const columns = ['id', 'name'];
    const rows = [['obj_1', 'ä'], ['obj_2']];
    const data = await readDataText('a.json', '[{"id":"obj_1","name":"ä"},{"id":"obj_2"}]');
    assert.equal(data.digest, (await open('a.ndjson', formatRows(columns, rows))).digest);
    assert.deepEqual(getCells(data), rows);
  });

  test('nothing is read behind the rows that are allowed', async () => {
    const file = path.join(folder, 'long.csv');
    // Bytes that are not UTF-8 would be another error.
    await fs.writeFile(file, Buffer.concat([Buffer.from(`to\n${'0x1\n'.repeat(200_000)}`), Buffer.from([0xff, 0xff])]));
    const options = { path: file, name: 'long.csv', maxRows: 50_000 };
    await assert.rejects(openDataFile(options), {
      message: 'long.csv has more than 50,000 rows. Split it into several files',
    });
  });

  test('a million rows take little more memory than their text', async () => {
    const file = path.join(folder, 'big.csv');
    const block = Array.from(
      { length: 10_000 },
      (_none, index) => `0x${String(index)},"name, ${String(index)}"\n`,
    ).join('');
    const handle = await fs.open(file, 'w');
    await handle.write('to,name\n');
    for (let count = 0; count < 100; count++) await handle.write(block);
    await handle.close();
    v8.setFlagsFromString('--expose-gc');
    const collectGarbage = vm.runInNewContext('gc') as () => void;
    const measure = (): number => {
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = measure();
    const data = await openDataFile({ path: file, name: 'big.csv' });
    const bytes = (measure() - before) / data.rows.length;
    assert.equal(data.rows.length, 1_000_000);
    assert.ok(bytes < 200, `${String(bytes)} bytes a row`);
  });
});
