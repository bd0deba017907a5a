/** What the cells of a column are sent as: what they look like, what the platform has, and what the user chose. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { BatchData, BatchOptions } from '../../../../src/actions/bulk/batch.ts';
import { openDataFile, setTypes } from '../../../../src/actions/bulk/data/open-data.ts';
import { createBatch, resumeBatch, runAgain } from '../../../../src/actions/bulk/open-batch.ts';
import { describeColumns } from '../../../../src/actions/bulk/rows/row-variables.ts';
import { validateBatch, type Validation } from '../../../../src/actions/bulk/validate-batch.ts';
import { parseActionFile } from '../../../../src/actions/file/action-file.ts';
import type { LiveLookup } from '../../../../src/actions/file/preflight.ts';
import type { JsonObject } from '../../../../src/platform/json/json.ts';
import { createData } from '../../../support/batch-data.ts';
import { startBatchTest, type BatchTest } from './support.ts';

const UPDATE =
  '{"action":{"update":{"id":"${row:id}","data":{"custom":{"marker":"${row:marker}","scanned":"${row:scanned}","price":"${row:price}"}}}}}';
const COLUMNS = ['id', 'marker', 'scanned', 'price'] as const;

suite('types of columns', () => {
  let fixture: BatchTest;
  setup(async () => {
    fixture = await startBatchTest();
  });
  teardown(() => fixture.close());

  async function openCsv(text: string): Promise<BatchData> {
    const file = path.join(fixture.folder, 'rows.csv');
    await fs.writeFile(file, text);
    return openDataFile({ path: file, name: 'rows.csv' });
  }

  test('text of a CSV file looks like a type only if all of its values do, and ids stay text', async () => {
    const data = await openCsv(
      [
        'flag,price,zip,long,phone,hash,day,time,badDay,mixed,empty,count',
        'true,12.50,04109,1234567890123456,+49341,1e10,2026-03-31,2026-03-31T10:00:00Z,2026-02-30,1,,1',
        'FALSE,-3,10115,1234567890123457,+49342,2e11,2024-02-29,2026-03-31T10:00:00+02:00,2026-02-28,x,,2',
        ',,,,,,,,,,,3',
      ].join('\n'),
    );
    const mint = parseActionFile('{"action":{"mint":{"template_id":"t","num":"${row:count}"}}}');
    const columns = describeColumns(mint, data);
    assert.deepEqual(Object.fromEntries(data.columns.map((name, index) => [name, columns[index]?.guess])), {
      flag: 'boolean',
      price: 'number',
      zip: 'text',
      long: 'text',
      phone: 'text',
      hash: 'text',
      day: 'date',
      time: 'date',
      badDay: 'text',
      mixed: 'text',
      empty: 'text',
      count: 'number',
    });
    // Nothing is sent as what it looks like, but for a field that takes only numbers.
    assert.deepEqual(
      data.columns.filter((_name, index) => columns[index]?.type !== 'text'),
      ['count'],
    );
  });

  test('values of other sources keep their types', () => {
    const rows = [
      [true, 1.5, 'x', 1],
      [false, JSON.rawJSON('12.50'), 'y', 'z'],
    ];
    const data = createData('rows', ['flag', 'price', 'name', 'mixed'], rows);
    assert.deepEqual(
      data.guesses.map(({ type }) => type),
      ['boolean', 'number', 'text', 'text'],
    );
  });

  /** The bodies that the rows send, in their order. */
  async function send(how: (options: BatchOptions) => ReturnType<typeof createBatch>, data: BatchData, rows?: number) {
    const bodies: string[] = [];
    const options = fixture.options(0, { text: UPDATE, data, pacing: { concurrency: 1 } });
    const { platform } = options;
    const batch = await how({
      ...options,
      platform: {
        ...platform,
        execute: (body, ...others) => {
          const isLast = bodies.push(body) === rows;
          return platform.execute(body, ...others).finally(() => (isLast ? void batch.stop() : undefined));
        },
      },
    });
    batch.start();
    const totals = await batch.ended;
    return { custom: bodies.map((body) => /"custom":(\{[^}]*\})/.exec(body)?.[1]), totals };
  }

  const CSV = 'id,marker,scanned,price\nobj_1,m1,true,12.50\nobj_2,m2,FALSE,0.10\n';

  test('cells of a CSV file are sent as text', async () => {
    const { custom } = await send(createBatch, await openCsv(CSV));
    assert.deepEqual(custom, [
      '{"marker":"m1","scanned":"true","price":"12.50"}',
      '{"marker":"m2","scanned":"FALSE","price":"0.10"}',
    ]);
  });

  test('a resumed batch, and one of its failed rows, send the types that the first one was started with', async () => {
    const data = await openCsv(CSV);
    fixture.ledger.plan('m1', { fault: { kind: 'status', when: 'before', status: 400 } });
    const first = await send(createBatch, setTypes(data, { scanned: 'boolean', price: 'number' }), 1);
    assert.deepEqual(first.custom, ['{"marker":"m1","scanned":true,"price":12.50}']);
    const { journal } = fixture.options(0);
    const header = (await fs.readFile(journal, 'utf8')).split('\n')[0] ?? '';
    assert.match(header, /"version":3,/, 'an earlier program, which would send text, does not resume it');
    const second = await send(resumeBatch, data);
    assert.deepEqual(second.custom, ['{"marker":"m2","scanned":false,"price":0.10}']);
    fixture.ledger.plan('m1', {});
    const again = (options: BatchOptions) =>
      runAgain({ ...options, journal: path.join(fixture.folder, 'again.jsonl'), formerJournal: journal });
    const third = await send(again, data);
    assert.deepEqual(third.custom, first.custom);
    assert.equal(third.totals.counts.completed, 1);
  });

  const template = { id: 'tpl_1', object: { custom: { scanned: false, note: 'n' } } };
  const object = { id: 'obj_1', template_id: 'tpl_1', custom: { scanned: true, price: 1, marker: 'm0', note: null } };

  function validate(data: BatchData, text = UPDATE): Promise<Validation> {
    const live: LiveLookup = {
      read: (kind): Promise<JsonObject | undefined> => Promise.resolve(kind === 'objects' ? object : template),
      can: () => true,
      ownIds: new Set(),
      now: () => 0,
      connection: 'Test',
    };
    const action = { name: 'update', file: parseActionFile(text) };
    return validateBatch({ action, data, live, signal: new AbortController().signal });
  }
  const format = ({ findings }: Validation): readonly string[] =>
    findings.map(({ row = '', severity, message }) => `${String(row)} ${severity}: ${message}`);

  const rows = [
    ['obj_1', 'm1', 'true', '12.50'],
    ['obj_2', 'm2', 'false', '3'],
  ];

  test('a column of another type than the field of the object is reported once', async () => {
    const found = await validate(createData('rows.csv', COLUMNS, rows));
    assert.deepEqual(format(found), [
      ' warning: scanned is text here, but true or false on the platform. Change the type of the column to “Boolean”',
      ' warning: price is text here, but a number on the platform. Change the type of the column to “Number”',
    ]);
    assert.equal(found.rowProblems.size, 0, 'no row is to be skipped for it');
    const typed = setTypes(createData('rows.csv', COLUMNS, rows), { scanned: 'boolean', price: 'number' });
    assert.deepEqual(format(await validate(typed)), []);
  });

  test('a new object is compared with those of its template, and a value of the file itself names its field', async () => {
    const mint =
      '{"action":{"mint":{"template_id":"tpl_1","num":1,"data":{"custom":{"scanned":"${row:scanned}","note":5}}}}}';
    assert.deepEqual(format(await validate(createData('rows.csv', ['scanned'], [['true']]), mint)), [
      ' warning: scanned is text here, but true or false on the platform. Change the type of the column to “Boolean”',
      ' warning: custom.note is a number here, but text on the platform',
    ]);
  });

  test('a value that is not of its type, or empty, is an error of its row', async () => {
    const data = setTypes(
      createData('rows.csv', COLUMNS, [
        ['obj_1', 'm1', 'yes', '1'],
        ['obj_2', 'm2', 'true', '1,5'],
        ['obj_3', 'm3', '', '1'],
        ['obj_4', '31.3.2026', 'true', '1'],
        ['obj_5', '2026-03-31', 'True', '1e3'],
      ]),
      { scanned: 'boolean', price: 'number', marker: 'date' },
    );
    const text = UPDATE.replace('"marker":"${row:marker}",', '');
    assert.deepEqual(format(await validate(data, text)), [
      '1 error: The value of scanned is neither true nor false: yes',
      '2 error: The value of price is not a number: 1,5',
      '3 error: The value of scanned is empty',
    ]);
    assert.deepEqual(
      format(await validate(data, '{"action":{"update":{"id":"obj_1","data":{"custom":{"day":"${row:marker}"}}}}}')),
      [1, 2, 3]
        .map((row) => `${String(row)} error: The value of marker is not a date such as 2026-03-31: m${String(row)}`)
        .concat('4 error: The value of marker is not a date such as 2026-03-31: 31.3.2026'),
    );
  });

  test('chosen text is sent for values of any source', async () => {
    const data = createData('rows.ndjson', COLUMNS, [['obj_1', 'm1', true, JSON.rawJSON('12.50')]]);
    const { custom } = await send(createBatch, setTypes(data, { scanned: 'text', price: 'text' }));
    assert.deepEqual(custom, ['{"marker":"m1","scanned":"true","price":"12.50"}']);
  });
});
