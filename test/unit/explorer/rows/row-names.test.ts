/** Names of rows: the distinguishing part first, no two alike. */
import assert from 'node:assert/strict';
import { createRowNames, getVisibleStart } from '../../../../src/explorer/rows/row-names.ts';
import { isObject } from '../../../../src/platform/json/json.ts';
import { objects } from '../../../../src/platform/resources/objects.ts';
import { startSandbox } from '../../../../src/sandbox/server.ts';

suite('names of rows', () => {
  const name = (...titles: readonly string[]): readonly string[] =>
    createRowNames(titles.map((title, index) => ({ id: `obj_000000${String(index)}`, title, template: 't' }))).map(
      ({ label, prefix = '' }) => `${label} | ${prefix}`,
    );

  test('begin with the part that differs among the objects of a template', () => {
    assert.deepEqual(name('Harbour Ticket · Row F Seat 4', 'Harbour Ticket · Row A Seat 25'), [
      'Row F Seat 4 | Harbour Ticket',
      'Row A Seat 25 | Harbour Ticket',
    ]);
    assert.deepEqual(name('Ticket #1', 'Ticket #22'), ['Ticket #1 | ', 'Ticket #22 | ']);
    assert.deepEqual(name('Band · Weekend #1', 'Band · Weekend #22'), ['Weekend #1 | Band', 'Weekend #22 | Band']);
    assert.deepEqual(name('Pass', 'Pass · Crew'), ['Pass | ', 'Pass · Crew | ']);
    assert.deepEqual(name('Only one'), ['Only one | ']);
  });

  test('of other templates stay whole', () => {
    const names = createRowNames([
      { id: 'a', title: 'Pass 1', template: 't' },
      { id: 'b', title: 'Pass 2', template: 'u' },
      { id: 'c', title: 'Pass 3', template: undefined },
    ]);
    assert.deepEqual(
      names.map(({ label }) => label),
      ['Pass 1', 'Pass 2', 'Pass 3'],
    );
  });

  test('of which one is another, or none at all, leave the rest as it is', () => {
    assert.deepEqual(name('Key · Red', 'Key · Blue', 'Spare', 'obj_0000003'), [
      'Red | Key',
      'Blue | Key',
      'Spare | ',
      'obj_0000003 | ',
    ]);
    assert.deepEqual(name('Alice – Guest', 'Bob – Guest'), ['Alice – Guest | ', 'Bob – Guest | ']);
  });

  test('keep what they share before a mere number', () => {
    assert.deepEqual(name('Limited Print No. 7 · 16', 'Limited Print No. 7 · 13', 'Print · 3 #3'), [
      'Limited Print No. 7 · 16 | ',
      'Limited Print No… 13 | ',
      'Print · 3 #3 | ',
    ]);
  });

  test('do not change when more objects are loaded', () => {
    assert.deepEqual(
      name('Hut Key · Red', 'Hut Key · Red', 'Hut Key · Blue').slice(0, 2),
      name('Hut Key · Red', 'Hut Key · Red'),
    );
  });

  test('are cut if their edition would not be shown', () => {
    assert.deepEqual(name('Walker’s Haute Route #14063', 'Walker’s Haute Route #14062'), [
      'Walker’s Haute Route #14063 | ',
      'Walker’s Hau… #14062 | ',
    ]);
  });

  test('that are equal and without an edition end in that of the id', () => {
    assert.deepEqual(name('Crew', 'Crew'), ['Crew | ', 'Crew …000001 | ']);
    assert.deepEqual(name('A very long name of a thing', 'A very long name of a thing'), [
      'A very long name of a thing | ',
      'A very long… …000001 | ',
    ]);
    // No words are left of a name that ends in an id.
    const untitled = ['Aletsch Panorama of today …-00020', 'Aletsch Panorama of today …-00021'];
    assert.deepEqual(name(...untitled), [`${untitled[0] ?? ''} | `, 'Aletsch Pan… …000001 | ']);
  });

  test('that a narrow side bar would show alike start with the words that differ', () => {
    assert.deepEqual(name('Early access to all evenings, front', 'Early access to all evenings, back', 'Other'), [
      'Early access to all evenings, front | ',
      '…back | ',
      'Other | ',
    ]);
  });

  test('of the objects in the sandbox differ in what a side bar of 250 pixels shows', async () => {
    const sandbox = await startSandbox({ objects: 400 });
    try {
      const answer = await fetch(`${sandbox.baseUrl}/objects?limit=100`, { headers: { 'x-api-key': sandbox.apiKey } });
      const page: unknown = await answer.json();
      const items = isObject(page) && Array.isArray(page['objects']) ? page['objects'].filter(isObject) : [];
      assert.equal(items.length, 100);
      for (let start = 0; start < items.length; start += 25) {
        const names = createRowNames(
          items.slice(start, start + 25).map((raw) => ({
            id: String(raw['id']),
            title: objects.summary(raw).title,
            template: String(raw['template_id']),
          })),
        );
        const starts = names.map(({ label }) => getVisibleStart(label));
        assert.equal(new Set(starts).size, 25, starts.join('\n'));
      }
    } finally {
      await sandbox.close();
    }
  });
});
