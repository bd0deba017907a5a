import assert from 'node:assert/strict';
import { addTemplateTitle, IdIndex } from '../../../src/cache/id-index.ts';
import { createTitleLookup, getTitleOrId } from '../../../src/cache/title-lookup.ts';
import { getItemTitle } from '../../../src/model/resources/item-title.ts';
import { parseEntry } from '../../../src/logs/entry.ts';
import { addRowNames } from '../../../src/logs/view/add-row-names.ts';
import { Item } from '../../../src/platform/page.ts';
import { registry } from '../../../src/platform/registry.ts';

const read = (metadata: object) =>
  new Item({ id: 'obj_1', template_id: 'tpl_1', owner: '0xabc', metadata }, registry.objects.schema);

suite('titles of resources', () => {
  const index = new IdIndex();
  index.record('A', registry.objects, [read({ name: 'Aletsch Panorama', edition: 14063 })]);
  const sources = {
    knownIds: { index },
    sessions: { get: () => undefined },
    labels: {
      get: (value: string) => (value === 'tpl_2' ? { value, text: 'Mine', source: 'user' as const } : undefined),
    },
  };

  test('have the edition, once, and are the id without both', () => {
    const getTitle = (metadata: object): string => registry.objects.summary(read(metadata).raw).title;
    assert.equal(getTitle({ name: 'Print', edition: 7 }), 'Print #7');
    assert.equal(getTitle({ name: 'Print 7', edition: 7 }), 'Print 7');
    assert.equal(getTitle({ name: 'Print 17', edition: 7 }), 'Print 17 #7');
    assert.equal(getTitle({ name: 'Print' }), 'Print');
    assert.equal(getTitle({ name: '', edition: 7 }), '#7');
    assert.equal(getTitle({ name: '' }), 'obj_1');
  });

  test('without a name begin with that of the template, also if it is read later', () => {
    const unnamed = new IdIndex();
    const ids = ['obj_22e947', 'obj_a1bef0'];
    const items = ids.map((id, place) => ({
      id,
      template_id: 'tpl_1',
      metadata: place === 0 ? { edition: 14063 } : {},
    }));
    const record = () => {
      unnamed.record(
        'A',
        registry.objects,
        items.map((raw) => new Item(raw, registry.objects.schema)),
      );
    };
    record();
    const getTitle = createTitleLookup({ ...sources, knownIds: { index: unnamed } }, ['A']);
    const listTitles = () => [
      ...ids.map((id) => getTitle('objects', id)),
      ...items.map((raw) => getItemTitle(registry.objects, raw, getTitle)),
      ...[...unnamed.newestFirst()]
        .flatMap((known) => (known.kind === 'objects' ? [addTemplateTitle(unnamed, known).title] : []))
        .reverse(),
    ];
    assert.deepEqual(listTitles(), Array(3).fill(['#14063', 'obj_a1bef0']).flat());
    const template = { id: 'tpl_1', name: 'Aletsch Panorama', actions: [] };
    unnamed.record('A', registry.templates, [new Item(template, registry.templates.schema)]);
    const expected = ['Aletsch Panorama #14063', 'Aletsch Panorama …a1bef0'];
    assert.deepEqual(listTitles(), Array(3).fill(expected).flat());
    record();
    assert.deepEqual(listTitles(), Array(3).fill(expected).flat());
  });

  test('are found by id alone, on their own connection, and not for what a wallet was found in', () => {
    const getTitle = createTitleLookup(sources, ['A']);
    assert.equal(getTitle(undefined, 'obj_1'), 'Aletsch Panorama #14063');
    assert.equal(getTitle('faces', 'obj_1'), undefined);
    assert.equal(getTitle(undefined, 'tpl_2'), 'Mine');
    assert.equal(getTitle(undefined, '0xabc'), undefined);
    assert.equal(getTitleOrId(sources, { connection: 'B', kind: 'objects', id: 'obj_1' }), 'obj_1');
  });

  test('are in the rows of action logs', () => {
    const parse = (id: string) =>
      parseEntry('A', { id: 'log_1', action_name: 'update', affected_objects: [{ id }], signer: '0x1' }, 0)?.row;
    const [known, unknown] = [parse('obj_1'), parse('obj_2')];
    assert.ok(known !== undefined && unknown !== undefined);
    assert.equal(addRowNames(sources, known).objectName, 'Aletsch Panorama #14063');
    assert.equal(addRowNames(sources, unknown).objectName, undefined);
  });
});
