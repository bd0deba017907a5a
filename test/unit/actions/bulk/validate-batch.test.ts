import assert from 'node:assert/strict';
import { formatResults } from '../../../../src/actions/bulk/results.ts';
import { validateBatch, type Validation } from '../../../../src/actions/bulk/validate-batch.ts';
import { parseActionFile } from '../../../../src/actions/file/action-file.ts';
import type { LiveLookup } from '../../../../src/actions/file/preflight.ts';
import { createData } from '../../../support/batch-data.ts';

const MINT = '{ "action": { "mint": { "template_id": "tpl_1", "num": "${row:count}", "to": "${row:to}" } } }';

function validate(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  { text = MINT, live }: { readonly text?: string; readonly live?: LiveLookup } = {},
): Promise<Validation> {
  return validateBatch({
    action: { name: 'mint', file: parseActionFile(text) },
    data: createData('tickets.csv', columns, rows),
    signal: new AbortController().signal,
    ...(live !== undefined && { live }),
  });
}

const format = ({ findings }: Validation): readonly string[] =>
  findings.map(({ row = '', severity, message }) => `${String(row)} ${severity}: ${message}`);

suite('validation of a batch', () => {
  test('rows that can be sent have no findings, and are summed up', async () => {
    const validation = await validate(
      ['to', 'count'],
      [
        ['0x1', '1'],
        ['0x2', '1'],
      ],
    );
    assert.deepEqual(format(validation), []);
    assert.deepEqual(validation.effects, [
      { effect: 'Mints 1 object from template tpl_1 for 0x1', rowCount: 1 },
      { effect: 'Mints 1 object from template tpl_1 for 0x2', rowCount: 1 },
    ]);
  });

  test('objects and templates that are known have their names, after what may be misleading', async () => {
    const { effects } = await validateBatch({
      action: { name: 'burn', file: parseActionFile('{"action":{"burn":{"id":"${row:id}"}}}') },
      data: createData('objects', ['id'], [['obj_1'], ['obj_2']]),
      getName: (id) => (id === 'obj_1' ? 'Ticket #7' : undefined),
      signal: new AbortController().signal,
    });
    assert.deepEqual(
      effects.map(({ effect }) => effect),
      ['Permanently destroys object obj_1 · “Ticket #7”', 'Permanently destroys object obj_2'],
    );
  });

  test('receivers are shown with their labels', async () => {
    const { effects } = await validateBatch({
      action: { name: 'mint', file: parseActionFile(MINT) },
      data: createData(
        'tickets.csv',
        ['to', 'count'],
        [
          ['0x1', '1'],
          ['0x2', '1'],
        ],
      ),
      labels: {
        get: (value) => ({ value, text: `Label ${value.slice(2)}`, source: value === '0x2' ? 'file' : 'user' }),
      },
      signal: new AbortController().signal,
    });
    assert.deepEqual(
      effects.map(({ effect }) => effect),
      [
        'Mints 1 object from template “Label l_1” (tpl_1) for “Label 1” (0x1)',
        'Mints 1 object from template “Label l_1” (tpl_1) for “Label 2”, a label of this workspace (0x2)',
      ],
    );
  });

  test('columns that do not exist block, and the one that is meant is named', async () => {
    const validation = await validate(['To', 'count'], [['0x1', '1']]);
    assert.deepEqual(format(validation), [' error: tickets.csv has no column to. Did you mean To?']);
    assert.equal(validation.errorCount, 1);
  });

  test('missing and empty values, repeated rows, and what the check of an action finds', async () => {
    const validation = await validate(
      ['to', 'count'],
      [['0x1', '1'], ['0x2'], ['', '1'], ['0x1', '1'], ['0x3', '0'], ['0x4', 'two']],
    );
    assert.deepEqual(format(validation), [
      '2 error: count has no value',
      '3 warning: The value of to is empty',
      '4 warning: The row sends the same request as row 1',
      '5 warning: No objects are minted: `num` must be a whole number greater than 0',
      '6 warning: `num` is normally a whole number',
    ]);
    assert.deepEqual([validation.errorCount, validation.warningCount], [1, 4]);
  });

  test('an empty ID is an error, and an object that two rows change is named', async () => {
    const text = '{ "action": { "transfer": { "id": "${row:id}", "to": "${row:to}" } } }';
    const rows = [
      ['obj_1', '0x1'],
      ['obj_1', '0x2'],
      ['', '0x3'],
      ['obj_2', '0x4'],
    ];
    const validation = await validate(['id', 'to'], rows, { text });
    assert.deepEqual(format(validation), [
      '3 error: `id` is empty. Enter the object to transfer',
      '2 warning: The object is also that of row 1',
      '3 warning: The value of id is empty',
    ]);
    assert.deepEqual(
      [[...validation.rowProblems].sort(([a], [b]) => a - b), validation.isBlocked],
      [
        [
          [2, false],
          [3, true],
        ],
        false,
      ],
    );
  });

  test('findings of the action file itself are reported once', async () => {
    const validation = await validate(['to'], [['0x1'], ['0x2'], ['0x3']], {
      text: '{ "action": { "mint": { "templateId": "tpl_1", "num": 1, "to": "${row:to}" } } }',
    });
    assert.equal(validation.findings.length, 1);
    assert.equal(validation.findings[0]?.row, undefined);
  });

  test('an action file without columns sends the same for every row', async () => {
    const validation = await validate(['to'], [['0x1']], { text: '{ "action": { "burn": { "id": "obj_1" } } }' });
    assert.match(format(validation)[0] ?? '', /uses no column/);
  });

  test('each id is read once, and no more than a limit', async () => {
    const reads: string[] = [];
    const live: LiveLookup = {
      read: (kind, id) => {
        reads.push(`${kind}/${id}`);
        return Promise.resolve(id === 'obj_7' ? undefined : { id });
      },
      can: () => true,
      ownIds: new Set(),
      now: () => 0,
      connection: 'Test',
    };
    const rows = Array.from({ length: 700 }, (_none, index) => [`obj_${String(index % 650)}`, String(index)]);
    const validation = await validate(['id', 'n'], rows, {
      text: '{ "action": { "update": { "id": "${row:id}", "data": { "custom": { "n": "${row:n}" } } } } }',
      live,
    });
    assert.equal(new Set(reads).size, reads.length);
    assert.equal(reads.length, 500);
    const messages = format(validation);
    assert.ok(messages.includes('8 warning: No object with this ID is visible to you on Test'), messages.join('\n'));
    assert.ok(messages.includes(' information: Not all IDs were checked against live data because there are too many'));
  });

  test('numbers of a CSV file are numbers where an action has numbers, and text elsewhere', async () => {
    const text =
      '{ "action": { "drop": { "id": "${row:id}", "latitude": "${row:lat}", "longitude": "${row:lon}" } }, "n": "${row:id}" }';
    const validation = await validate(['id', 'lat', 'lon'], [['12', '91', '8.50']], { text });
    assert.deepEqual(format(validation), ['1 warning: `latitude` must be between -90 and 90 degrees']);
    assert.deepEqual(validation.effects, [{ effect: 'Drops object 12 at 91, 8.50', rowCount: 1 }]);
  });
});

suite('results of a batch', () => {
  test('columns of the input, then the result; formulas are escaped', async () => {
    const data = createData(
      'a.csv',
      ['=to', 'status'],
      [
        ['=1+1', 'x'],
        ['0x2', undefined],
        ['0x3', 'left out'],
      ],
    );
    const states = ['completed', 'failed', undefined] as const;
    const parts: string[] = [];
    const batch = {
      getState: (row: number) => states[row - 1],
      readResults: (rows: readonly number[]) =>
        Promise.resolve(
          rows.map((row) =>
            row === 1
              ? {
                  row,
                  state: 'completed' as const,
                  actionId: 'act_1',
                  objects: ['obj_1', 'obj_2'],
                  ledgerBatch: 'bat_1',
                }
              : { row, state: 'failed' as const, reason: '@sold, out' },
          ),
        ),
    };
    for await (const part of formatResults(batch, data)) parts.push(part);
    assert.equal(
      parts.join(''),
      [
        "'=to,status,_status,action_id,object_ids,batch_id,reason",
        "'=1+1,x,completed,act_1,obj_1 obj_2,bat_1,",
        '0x2,,failed,,,,"\'@sold, out"',
        '',
      ].join('\r\n'),
    );
  });
});
