/** Export formats: every item, exact numbers, and no formulas. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { getColumns, OTHER_COLUMN, getOtherFields } from '../../../../src/model/export/columns.ts';
import { formatCsvCell, exportFormats, createExportWriter } from '../../../../src/model/export/export-writer.ts';
import { parseJson } from '../../../../src/platform/json/parse-json.ts';
import { kinds, registry } from '../../../../src/platform/registry.ts';
import type { ResourceDefinition } from '../../../../src/platform/resource.ts';

/** Parses CSV by RFC 4180. */
function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; ; at++) {
        if (text[at] !== '"') cell += text.charAt(at);
        else if (text[at + 1] === '"') cell += text.charAt(at++);
        else break;
      }
      at++;
    } else {
      while (at < text.length && text[at] !== ',' && text[at] !== '\r') cell += text.charAt(at++);
    }
    cells.push(cell);
    if (text[at] === ',') at++;
    else {
      assert.equal(text.slice(at, at + 2), '\r\n');
      at += 2;
      lines.push(cells);
      cells = [];
    }
  }
  return lines;
}

const definition = registry.objects;
const formatPages = (format: 'ndjson' | 'json' | 'csv', pages: readonly (readonly unknown[])[]): string => {
  const writer = createExportWriter(format, definition);
  let count = 0;
  const parts = pages.map((items) => {
    const text = writer.rows(items, count);
    count += items.length;
    return text;
  });
  return [writer.head, ...parts, writer.tail(count)].join('');
};
const anyText = fc.string({ unit: 'grapheme' });

suite('export formats', () => {
  test('a CSV cell reads back as the text, with at most apostrophes before formulas', () => {
    fc.assert(
      fc.property(anyText, anyText, (first, second) => {
        const [[one, two] = []] = parseCsv(`${formatCsvCell(first)},${formatCsvCell(second)}\r\n`);
        for (const [text, read] of [
          [first, one],
          [second, two],
        ])
          assert.equal(read?.replaceAll("'", ''), text?.replaceAll("'", ''));
      }),
    );
  });

  test('no cell of text begins as a formula', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'),
        anyText,
        (start, rest) => {
          fc.pre(!/^-\d+(?:\.\d+)?$/.test(start + rest));
          const [[cell = ''] = []] = parseCsv(`${formatCsvCell(start + rest)}\r\n`);
          assert.ok(cell.startsWith("'"), cell);
        },
      ),
    );
  });

  test('no text begins as a formula in a program that separates cells by semicolons or tabs', () => {
    for (const separator of [';', '\t', '\n', ';"', ';""'])
      for (const start of ['=', '+', '-', '@', '＝']) {
        const text = `a${separator}${start}1+1`;
        const [[cell = ''] = []] = parseCsv(`${formatCsvCell(text)}\r\n`);
        assert.equal(cell, `a${separator}'${start}1+1`);
      }
    const [[json = ''] = []] = parseCsv(`${formatCsvCell({ name: 'a;=1+1' })}\r\n`);
    assert.ok(!json.includes(';='));
    assert.deepEqual(JSON.parse(json), { name: 'a;=1+1' });
    assert.equal(formatCsvCell('a; b=1'), 'a; b=1');
  });

  test('numbers stay as they are, also below zero and past 2^53', () => {
    const raw = parseJson('{"nonce": 9007199254740993, "version": -1}') as Record<string, unknown>;
    assert.equal(formatCsvCell(raw['nonce']), '9007199254740993');
    assert.equal(formatCsvCell(raw['version']), '-1');
    // Decimals are texts.
    for (const decimal of ['-12.50', '-9007199254740993']) assert.equal(formatCsvCell(decimal), decimal);
    assert.equal(formatCsvCell('-12.50+1'), "'-12.50+1");
    assert.equal(formatCsvCell(null), '');
    assert.equal(formatCsvCell(''), '""');
  });

  test('every field of a CSV row is in a column or in the last one', () => {
    const items = fc.record(
      {
        id: anyText,
        owner: anyText,
        metadata: fc.oneof(
          fc.constant(null),
          fc.dictionary(fc.constantFrom('name', 'category', 'more'), fc.jsonValue()),
        ),
        extra: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(items, { minLength: 1, maxLength: 4 }), (raws) => {
        const [head = [], ...lines] = parseCsv(formatPages('csv', [raws]));
        assert.equal(head.at(-1), OTHER_COLUMN);
        assert.equal(lines.length, raws.length);
        for (const [index, raw] of raws.entries()) {
          const cells = lines[index] ?? [];
          assert.equal(cells.length, head.length);
          const other = cells.at(-1) === '' ? {} : (JSON.parse(cells.at(-1) ?? '') as Record<string, unknown>);
          if ('extra' in raw) assert.deepEqual(other['extra'], JSON.parse(JSON.stringify(raw.extra)));
          assert.equal(cells[head.indexOf('id')] === '', raw.id === undefined || raw.id === '');
        }
      }),
    );
  });

  test('an item that is not an object is exported', () => {
    assert.equal(getOtherFields('broken', getColumns(definition)), 'broken');
    assert.match(formatPages('csv', [['broken']]), /"""broken"""\r\n$/);
  });

  test('JSON and NDJSON contain the same items for any split into pages', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.jsonValue(), { maxLength: 3 }), { maxLength: 4 }), (pages) => {
        const items = JSON.parse(JSON.stringify(pages.flat())) as unknown;
        assert.deepEqual(JSON.parse(formatPages('json', pages)), items);
        const lines = formatPages('ndjson', pages).split('\n').slice(0, -1);
        assert.deepEqual(
          lines.map((line) => JSON.parse(line) as unknown),
          items,
        );
      }),
    );
  });

  test('each kind with a list has its columns, each once, the id among them', () => {
    for (const kind of kinds) {
      const of: ResourceDefinition = registry[kind];
      if (of.list === undefined) continue;
      const names = getColumns(of).map(({ name }) => name);
      assert.ok(names.includes('id'), kind);
      assert.equal(new Set(names).size, names.length);
      for (const format of exportFormats) assert.equal(typeof createExportWriter(format, of).head, 'string');
    }
  });
});
