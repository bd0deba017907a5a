import assert from 'node:assert/strict';
import { parseLabelsCsv } from '../../../../src/connections/labels/parse-labels-csv.ts';

suite('labels from CSV', () => {
  test('columns are found by their headers, in any order and with any delimiter', () => {
    const expected = { entries: [['0xabc', 'Box, office']], ignored: 0 };
    assert.deepEqual(parseLabelsCsv('\ufeffid,Name,Address\r\n1,"Box, office",0xabc\r\n'), expected);
    assert.deepEqual(parseLabelsCsv('label;address\n"Box, office";0xabc\n'), expected);
    assert.deepEqual(parseLabelsCsv('address\tlabel\n0xabc\tBox, office'), expected);
  });

  test('without headers the first two columns are read', () => {
    assert.deepEqual(parseLabelsCsv('0xabc,Gate,more\n0xdef,Door\n').entries, [
      ['0xabc', 'Gate'],
      ['0xdef', 'Door'],
    ]);
  });

  test('rows without a valid value or label are counted, and formulas stay text', () => {
    const read = parseLabelsCsv('address,label\n0xabc\n,Gate\na b,Gate\n0xdef,=1+1\n\n');
    assert.deepEqual(read, { entries: [['0xdef', '=1+1']], ignored: 3 });
  });

  test('text that is not CSV is refused', () => {
    assert.throws(() => parseLabelsCsv('address,label\n"0xabc,Gate\n'));
  });
});
