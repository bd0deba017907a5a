/** Search of what was seen: names, ids, labels, values, and the terms that narrow. */
import assert from 'node:assert/strict';
import { IdIndex } from '../../../../src/cache/id-index.ts';
import {
  explainNoResults,
  parseSearchTerms,
  searchKnown,
  selectKinds,
  type KnownSearchOptions,
} from '../../../../src/explorer/search/known-search.ts';
import { Item } from '../../../../src/platform/page.ts';
import { registry } from '../../../../src/platform/registry.ts';

const ANNA = '0xaaaa000000000000000000000000000000000001';
const BEN = '0xbbbb000000000000000000000000000000000002';
const labels = new Map([[ANNA, 'Anna']]);

function createIndex(size = 50_000): IdIndex {
  const index = new IdIndex(size);
  const record = (
    definition: typeof registry.objects | typeof registry.templates,
    ...raws: readonly object[]
  ): void => {
    index.record(
      'Work',
      definition,
      raws.map((raw) => new Item(raw, definition.schema)),
    );
  };
  record(registry.templates, { id: 'tpl_wool', name: 'Wool Passport' }, { id: 'tpl_pass', name: 'Alpine Pass' });
  record(
    registry.objects,
    { id: 'obj_1', template_id: 'tpl_wool', owner: ANNA, metadata: { name: 'Jacket', edition: 14063 } },
    {
      id: 'obj_2',
      template_id: 'tpl_pass',
      owner: ANNA,
      metadata: { name: 'Day' },
      custom: { peak: 'Eiger' },
    },
    { id: 'obj_3', template_id: 'tpl_wool', owner: BEN, metadata: { name: 'Jacket' }, custom: { size: 52 } },
  );
  return index;
}

function search(text: string, index = createIndex(), connection = 'Work'): readonly string[] {
  const options: KnownSearchOptions = {
    connection,
    known: index.newestFirst(),
    definitions: registry,
    labels: {
      get: () => undefined,
      all: [...labels].map(([value, name]) => ({ value, text: name, source: 'user' })),
    },
    getTitle: (_kind, id) => index.find(id)[0]?.title,
    subject: BEN,
  };
  const { byName, byField } = searchKnown(parseSearchTerms(text), options, 20);
  return [...byName, ...byField].filter(({ kind }) => kind !== 'wallets').map(({ id }) => id);
}

suite('search of what was seen', () => {
  test('finds by name, id, label and the value of a field; names before values', () => {
    assert.deepEqual(search('jacket'), ['obj_3', 'obj_1']);
    assert.deepEqual(search('OBJ_2'), ['obj_2']);
    assert.deepEqual(search('eiger'), ['obj_2']);
    assert.deepEqual(search('52'), ['obj_3']);
    assert.deepEqual(search('anna'), ['obj_2', 'obj_1']);
    assert.deepEqual(search('anna jacket'), ['obj_1']);
    // In the name of a template, and in a field of its objects.
    assert.deepEqual(search('tpl_wool'), ['tpl_wool', 'obj_3', 'obj_1']);
    assert.deepEqual(search('jacket', createIndex(), 'Other'), []);
  });

  test('@owner, #template and :kind narrow, also by label, account, name and edition', () => {
    assert.deepEqual(search('jacket @anna'), ['obj_1']);
    assert.deepEqual(search('@me'), ['obj_3']);
    assert.deepEqual(search(`@${ANNA.slice(0, 8)} #"alpine pass"`), ['obj_2']);
    assert.deepEqual(search('#wool'), ['obj_3', 'obj_1']);
    assert.deepEqual(search('#14063'), ['obj_1']);
    assert.deepEqual(search('wool :temp'), ['tpl_wool']);
    assert.deepEqual(search('jacket :templates'), []);
    // A prefix that is still being typed.
    assert.deepEqual(search('jacket @ # :'), ['obj_3', 'obj_1']);
  });

  test('the words that the platform is sent have no narrowing terms; a kind excludes the lists of others', () => {
    const terms = parseSearchTerms('Wool  jacket @anna #"two words" :obj 12:30');
    assert.deepEqual(terms, {
      words: ['wool', 'jacket', '12:30'],
      owners: ['anna'],
      templates: ['two words'],
      kinds: ['obj'],
    });
    assert.deepEqual(Object.keys(selectKinds(terms, registry)), ['objects']);
  });

  test('a kind is also named by a later word of its name, if it is the first word of none', () => {
    const select = (text: string): readonly string[] => Object.keys(selectKinds(parseSearchTerms(text), registry));
    assert.deepEqual(select(':logs'), ['action-logs']);
    assert.deepEqual(select(':keys'), ['api-keys']);
    assert.deepEqual(select(':templates'), ['templates']);
    assert.deepEqual(select('12:30 :xyz'), []);
  });

  test('says why nothing can match: an unknown kind, or an account that the credential does not name', () => {
    const explain = (text: string, subject?: string): string =>
      explainNoResults(parseSearchTerms(text), { definitions: registry, subject });
    assert.match(explain('jacket :xyz'), /^the kinds are Objects, .*Action Logs/);
    assert.match(explain('jacket @me'), /^the account of this credential is unknown, .* instead of @me$/);
    assert.equal(explain('jacket @me', BEN) + explain('jacket @anna :obj'), '');
  });

  test('an id that was stored by an earlier window is found by name and id', () => {
    const index = new IdIndex();
    index.restore([{ connection: 'Work', kind: 'faces', id: 'fac_1', title: 'Harbour' }]);
    assert.deepEqual(search('harb', index), ['fac_1']);
    assert.deepEqual(search('fac_1', index), ['fac_1']);
  });

  test('long values, such as hashes, are not kept, and the text of a resource is bounded', () => {
    const index = new IdIndex();
    const raw = {
      id: 'obj_1',
      state_root: `0x${'ab'.repeat(32)}`,
      custom_hash: 'ab'.repeat(32),
      data: { custom: { note: 'x'.repeat(64), many: Array.from({ length: 500 }, (_, at) => `v${String(at)}`) } },
    };
    index.record('Work', registry.objects, [new Item(raw, registry.objects.schema)]);
    const text = index.find('obj_1')[0]?.text ?? '';
    assert.ok(text.length <= 400 && text.includes('v10') && !text.includes('abab'), text);
  });

  test('one pass over 100,000 resources finds the one that matches', () => {
    const index = new IdIndex(100_000);
    for (let at = 0; at < 1000; at++)
      index.record(
        'Work',
        registry.objects,
        Array.from({ length: 100 }, (_, item) => {
          const id = `obj_${String(at * 100 + item)}`;
          return new Item(
            { id, owner: ANNA, template_id: 'tpl_wool', data: { custom: { seat: `S${id}` } } },
            registry.objects.schema,
          );
        }),
      );
    assert.deepEqual(search('sobj_99998', index), ['obj_99998']);
  });
});
