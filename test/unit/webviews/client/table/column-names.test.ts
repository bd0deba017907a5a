import assert from 'node:assert/strict';
import { getColumnNames } from '../../../../../src/webviews/client/table/column-names.ts';

suite('names of table columns', () => {
  const name = (...labels: readonly string[]): string[] => [
    ...getColumnNames(labels.map((label) => ({ key: label, label }))).values(),
  ];

  test('are the last part of the path, with more parts if another column ends with it', () => {
    assert.deepEqual(name('State', 'owner', 'custom.event', 'metadata.edition'), [
      'State',
      'owner',
      'event',
      'edition',
    ]);
    assert.deepEqual(name('Name', 'custom.name', 'metadata.name', 'custom.seat'), [
      'Name',
      'custom.name',
      'metadata.name',
      'seat',
    ]);
    assert.deepEqual(name('id', 'custom.id', 'a.custom.id'), ['id', 'custom.id', 'a.custom.id']);
    // A path that is twice there, and parts without text.
    assert.deepEqual(name('custom.', 'custom..x'), ['custom.', 'x']);
  });
});
