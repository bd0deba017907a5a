import assert from 'node:assert/strict';
import {
  formatCsv,
  formatMarkdown,
  listTableColumns,
  layoutSchema,
  listDefaultLayout,
  type TableColumn,
} from '../../../../src/explorer/table/table-columns.ts';
import { RowSelection } from '../../../../src/explorer/table/row-selection.ts';
import { TableRows } from '../../../../src/explorer/table/table-rows.ts';
import { GridSelection } from '../../../../src/webviews/client/table/grid-state.ts';
import type { ResourceDefinition } from '../../../../src/platform/resource.ts';
import { objects } from '../../../../src/platform/resources/objects.ts';
import { useDisplayLanguage } from '../../../support/display-languages.ts';

const items = [
  { id: 'a', raw: { id: 'a', owner: '0x1', metadata: { name: 'Row 10' }, custom: { seat: 10, price: '9.50' } } },
  { id: 'b', raw: { id: 'b', owner: '0x2', metadata: { name: 'Row 9' }, custom: { seat: 9, price: '10.00' } } },
  { id: 'c', raw: { id: 'c', owner: '=1+1', metadata: { name: 'a|b', tier: 'gold' }, custom: {} } },
];
const columns = listTableColumns(objects, items);
const getColumn = (key: string): TableColumn => {
  const column = columns.find((candidate) => candidate.key === key);
  assert.ok(column, key);
  return column;
};
const getIds = (filters: Readonly<Record<string, string>>, key?: string, descending = false): string =>
  new TableRows(objects)
    .select(items, columns, filters, key === undefined ? undefined : { key, descending })
    .map(({ id }) => id ?? '')
    .join('');

suite('table', () => {
  test('columns are fields of the schema and of the loaded items', () => {
    const keys = columns.map(({ key }) => key);
    for (const key of ['summary:Name', 'owner', 'chain.network', 'metadata.name', 'metadata.tier', 'custom.seat'])
      assert.ok(keys.includes(key), key);
    assert.equal(new Set(keys).size, keys.length);
    assert.ok(!keys.includes('summary:State'), 'objects have no state');
  });

  test('stored columns are used where they are valid', () => {
    assert.ok(layoutSchema.safeParse([{ key: 'custom.seat', width: 90 }]).success);
    for (const invalid of [[], [{ key: 'owner', width: -1 }], 'x']) assert.ok(!layoutSchema.safeParse(invalid).success);
    assert.deepEqual(
      listDefaultLayout(columns).map(({ key }) => key),
      ['summary:Name', 'metadata.edition', 'owner', 'template_id', 'custom.seat', 'custom.price', 'summary:Time'],
    );
    const headings = columns.flatMap(({ label, heading }) => (heading === undefined ? [] : [[label, heading]]));
    assert.deepEqual(headings, [
      ['metadata.edition', 'Edition'],
      ['owner', 'Owner'],
      ['template_id', 'Template'],
    ]);
  });

  test('rows are sorted by value, empty cells last', () => {
    assert.equal(getIds({}), 'abc');
    assert.equal(getIds({}, 'custom.seat'), 'bac');
    assert.equal(getIds({}, 'custom.seat', true), 'abc');
    assert.equal(getIds({}, 'custom.price'), 'abc');
    assert.equal(getIds({}, 'custom.price', true), 'bac');
    assert.equal(getIds({}, 'metadata.name'), 'cba');
  });

  test('long integers, amounts with a unit and times of several zones are sorted by value', () => {
    const sort = (values: readonly unknown[]): readonly unknown[] =>
      new TableRows(objects)
        .select(
          values.map((value, index) => ({ id: String(index), raw: { custom: { seat: value } } })),
          columns,
          {},
          { key: 'custom.seat', descending: false },
        )
        .map(({ id }) => values[Number(id)]);
    const [one, two] = ['9007199254740992', '9007199254740993'].map((digits) => JSON.rawJSON(digits));
    assert.deepEqual(sort([two, 1e300, one, 5, '-12345678901234567891', '-12345678901234567890']), [
      '-12345678901234567891',
      '-12345678901234567890',
      5,
      one,
      two,
      1e300,
    ]);
    assert.deepEqual(sort(['0.5 UNIT', '0.25 UNIT', '10 UNIT', '9 UNIT', '9.5 UNIT']), [
      '0.25 UNIT',
      '0.5 UNIT',
      '9 UNIT',
      '9.5 UNIT',
      '10 UNIT',
    ]);
    const times = [
      '2026-03-08T09:00:00+05:45',
      '2026-03-08T04:00:00.25Z',
      '2026-03-08T04:00:00.5Z',
      '2026-03-08T02:30:00-03:30',
    ];
    assert.deepEqual(sort(times.toReversed()), times);
  });

  test('rows have to match every filter, in any case', () => {
    assert.equal(getIds({ 'metadata.name': 'ROW' }), 'ab');
    assert.equal(getIds({ 'metadata.name': 'row', owner: '0x2' }), 'b');
    assert.equal(getIds({ 'no.such.column': 'x' }), 'abc');
    assert.equal(getIds({ 'metadata.name': 'row' }, 'custom.seat'), 'ba');
  });

  test('100,000 rows are summarized once, however often they are sorted and filtered', () => {
    let summaries = 0;
    const counting: ResourceDefinition = {
      ...objects,
      summary(raw) {
        summaries++;
        return objects.summary(raw);
      },
    };
    const many = Array.from({ length: 100_000 }, (_, index) => ({
      id: `obj_${String(index)}`,
      raw: { id: `obj_${String(index)}`, owner: '0x1', metadata: { name: `Row ${String((index * 7919) % 100_000)}` } },
    }));
    const rows = new TableRows(counting);
    const sortBy = (key: string, descending: boolean): readonly { readonly id?: string | undefined }[] =>
      rows.select(many, columns, {}, { key, descending });
    sortBy('owner', false);
    assert.equal(summaries, 0, 'a field needs no summary');
    assert.equal(sortBy('summary:Name', false)[0]?.id, 'obj_0');
    sortBy('summary:Name', true);
    assert.equal(rows.select(many, columns, { 'summary:Name': 'row 4242' }, undefined).length, 11);
    assert.equal(summaries, many.length);
  });

  test('many texts are sorted with few comparisons in the language, in its order', () => {
    const names = ['Ähre', 'ahorn', 'Zebra', 'element', 'éclair', '-', '"quoted"', '12', '9.5', ''];
    const many = Array.from({ length: 2000 }, (_, index) => {
      const number = (index * 7919) % 2000;
      const name = names[number] ?? `${number % 2 === 0 ? 'Ticket' : 'ticket'} ${String(number)}`;
      return { id: String(number), raw: { id: String(number), metadata: { name } } };
    });
    const find = (descending: boolean): (string | undefined)[] =>
      new TableRows(objects).select(many, columns, {}, { key: 'metadata.name', descending }).map(({ id }) => id);
    let comparisons = 0;
    const collator = new Intl.Collator('en', { numeric: true });
    const compare = collator.compare.bind(collator);
    const { prototype } = Intl.Collator;
    const descriptor = Object.getOwnPropertyDescriptor(prototype, 'compare') ?? assert.fail();
    const get = (): typeof compare => {
      comparisons++;
      return compare;
    };
    Object.defineProperty(prototype, 'compare', { ...descriptor, get });
    try {
      const texts = ['-', '"quoted"', 'ahorn', 'Ähre', 'éclair', 'element'].map((name) => String(names.indexOf(name)));
      const tickets = Array.from({ length: 1990 }, (_, index) => String(index + 10));
      assert.deepEqual(find(false), ['8', '7', ...texts, ...tickets, '2', '9']);
      assert.deepEqual(find(true), ['2', ...tickets.toReversed(), ...texts.toReversed(), '7', '8', '9']);
      assert.ok(comparisons > 0 && comparisons < 3 * 2 * many.length, String(comparisons));
    } finally {
      Object.defineProperty(prototype, 'compare', descriptor);
    }
  });

  const named = listTableColumns(objects, items, (kind, id) =>
    kind === 'wallets' && id === '0x1' ? 'Alice' : undefined,
  );

  test('ids with a name are sorted by it, and found by both', () => {
    const rows = new TableRows(objects);
    const find = (owner: string): string =>
      rows
        .select(items, named, { owner }, { key: 'owner', descending: false })
        .map(({ id }) => id)
        .join('');
    assert.equal(find(''), 'cba', '=1+1, 0x2, Alice');
    assert.equal(find('alice'), 'a');
    assert.equal(find('0X1'), 'a');
    assert.equal(find('0x'), 'ba');
  });

  test('an id is shown by the name of its resource, an address beside its label, and both are copied as they are', () => {
    const owner = named.find(({ key }) => key === 'owner') ?? assert.fail();
    const rows = new TableRows(objects);
    const [first, second] = items.map((item) => rows.get(item));
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual(
      [owner.getText(first), owner.getText(second), owner.getValue(first)],
      ['Alice (0x1)', '0x2', '0x1'],
    );
  });

  test('copied cells are neither formulas nor markup', () => {
    const rows = new TableRows(objects);
    const tableItems = items.map((item) => rows.get(item));
    const chosen = [getColumn('owner'), getColumn('metadata.name')];
    assert.equal(formatCsv(chosen, tableItems), "owner,metadata.name\r\n0x1,Row 10\r\n0x2,Row 9\r\n'=1+1,a|b\r\n");
    assert.match(
      formatMarkdown(chosen, tableItems),
      /^\| owner \| metadata\.name \|\n\| --- \| --- \|\n.*a\\\|b \|\n$/s,
    );
  });

  test('rows stay selected when they get other places, also once they were missing', () => {
    const selection = new RowSelection(undefined);
    const [a, b, c] = items;
    assert.ok(a && b && c);
    selection.find([c, a, b]);
    assert.deepEqual([selection.places, selection.ids], [{ row: 0, rows: [0] }, undefined], 'the first row');
    selection.select({ row: 1, rows: [0, 1] }, [a, b, c]);
    selection.find([c, b, a]);
    assert.deepEqual(selection.places, { row: 1, rows: [2, 1] });
    selection.find([c]);
    assert.deepEqual(selection.places, { row: 0, rows: [] });
    const restored = new RowSelection(selection.ids);
    restored.find([b, c, a]);
    assert.deepEqual(restored.places, { row: 0, rows: [2, 0] });
  });

  test('a selection is extended from its anchor, and bounded', () => {
    const selection = new GridSelection();
    selection.select(5);
    selection.extend(3, 100);
    assert.deepEqual([selection.rows, selection.row], [[3, 4, 5], 3]);
    selection.extend(7, 2);
    assert.deepEqual([selection.rows, selection.row], [[5, 6], 6]);
    selection.toggle(9);
    selection.toggle(5);
    assert.deepEqual(selection.rows, [6, 9]);
    // The cursor moves alone, and is the next anchor.
    selection.move(1);
    assert.deepEqual([selection.rows, selection.row], [[6, 9], 1]);
    selection.extend(2, 100);
    assert.deepEqual(selection.rows, [1, 2]);
  });
});

suite('rows of a table in another display language', () => {
  useDisplayLanguage('fr');

  test('the names of columns are translated on the page, and not in CSV', () => {
    const translated = listTableColumns(objects, items);
    const [name, details] = ['summary:Name', 'summary:Details'].map((key) =>
      translated.find((column) => column.key === key),
    );
    assert.ok(name !== undefined && details !== undefined);
    assert.deepEqual([name.label, details.label], ['Nom', 'Détails']);
    assert.equal(formatCsv([name, details], []), 'Name,Details\r\n');
  });
});
