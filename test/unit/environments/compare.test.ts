/** What counts as the same in two environments: nothing that differs in meaning is equal, and nothing else is shown. */
import assert from 'node:assert/strict';
import { compareInventories, type Mapping } from '../../../src/environments/compare.ts';
import type { ComparedKind, Inventory, InventoryItem } from '../../../src/environments/inventory.ts';
import { formatDocument } from '../../../src/environments/report.ts';

type Resource = Readonly<Record<string, unknown>>;

const item = (kind: ComparedKind, raw: Resource): InventoryItem => ({
  kind,
  raw,
  id: String(raw['id']),
  name: [raw['name'], raw['tag']].filter((text) => typeof text === 'string').join(' · '),
});
const inventory = (items: Readonly<Partial<Record<ComparedKind, readonly Resource[]>>>): Inventory => ({
  items: Object.entries(items).flatMap(([kind, list]) => list.map((raw) => item(kind as ComparedKind, raw))),
  unread: new Map(),
});

type Items = Parameters<typeof inventory>[0];

/** `~ templates Ticket: path: value → value`, and the number of equal ones. */
const compare = (from: Items, to: Items, mapping?: Mapping): readonly string[] => {
  const { differences, equal } = compareInventories(inventory(from), inventory(to), mapping);
  return [
    ...differences.map(({ kind, name, change, details }) => [change, kind, name, ...details].join(' | ')),
    `${String(equal)} equal`,
  ];
};

const template = (id: string, more: Resource = {}): Resource => ({ id, name: 'Ticket', actions: [], ...more });

suite('comparing environments', () => {
  test('the address that an action calls counts', () => {
    const withUrl = (id: string, url: string): Items => ({
      templates: [template(id, { actions: [{ name: 'remote', url }] })],
    });
    assert.deepEqual(compare(withUrl('t1', 'https://one.example'), withUrl('t2', 'https://two.example')), [
      'changed | templates | Ticket | actions.remote.url: "https://one.example" → "https://two.example"',
      '0 equal',
    ]);
  });

  test('the address where an asset is stored does not count, also within faces and objects', () => {
    const world = (mark: string): Items => ({
      faces: [
        { id: `f${mark}`, name: 'Card', url: 'https://face.example', assets: [{ id: mark, url: `https://${mark}` }] },
      ],
      templates: [template(`t${mark}`, { object: { metadata: { image: { id: mark, url: `https://${mark}` } } } })],
      assets: [{ id: `a${mark}`, name: 'Logo', tag: 'logo', url: `https://${mark}` }],
    });
    assert.deepEqual(compare(world('one'), world('two')), ['3 equal']);
    const moved = { ...world('two'), faces: [{ ...world('two').faces?.[0], url: 'https://other.example' }] };
    assert.deepEqual(compare(world('one'), moved), [
      'changed | faces | Card | url: "https://face.example" → "https://other.example"',
      '2 equal',
    ]);
  });

  test('another image is a difference, the same one under another id is none', () => {
    const world = (mark: string, image: string): Items => ({
      templates: [template(`t${mark}`, { object: { metadata: { image: { id: image, url: 'x' } } } })],
      assets: [
        { id: `${mark}-gold`, name: 'Gold', tag: '', url: 'x' },
        { id: `${mark}-silver`, name: 'Silver', tag: '', url: 'x' },
      ],
    });
    assert.deepEqual(compare(world('a', 'a-gold'), world('b', 'b-gold')), ['3 equal']);
    assert.deepEqual(compare(world('a', 'a-gold'), world('b', 'b-silver')), [
      'changed | templates | Ticket | object.metadata.image.id: "b-gold" → "b-silver"',
      '2 equal',
    ]);
  });

  test('resources of one name belong to their organizations', () => {
    const world = (mark: string, shop: string, branch: string): Items => ({
      organizations: [
        { id: `${mark}-shop`, name: 'Shop' },
        { id: `${mark}-branch`, name: 'Branch' },
      ],
      faces: [
        { id: `${mark}1`, name: 'Card', org_id: `${mark}-shop`, content: shop },
        { id: `${mark}2`, name: 'Card', org_id: `${mark}-branch`, content: branch },
      ],
    });
    assert.deepEqual(compare(world('a', 'one', 'two'), world('b', 'one', 'two')), ['4 equal']);
    assert.deepEqual(compare(world('a', 'one', 'two'), world('b', 'two', 'one')), [
      'changed | faces | Card | content: "one" → "two"',
      'changed | faces | Card | content: "two" → "one"',
      '2 equal',
    ]);
  });

  test('equal ones of one name meet, whatever else has that name', () => {
    const faces = (mark: string, ...contents: readonly string[]): Items => ({
      faces: contents.map((content, index) => ({ id: `${mark}${String(index)}`, name: 'Card', content })),
    });
    assert.deepEqual(compare(faces('a', '1', '2', '3', '4'), faces('b', '4', '2', '3')), [
      'removed | faces | Card',
      '3 equal',
    ]);
  });

  test('a name is more than a number that both platforms count up', () => {
    const list = (...names: readonly string[]): Items => ({
      templates: names.map((name, index) => ({ id: String(index), name, actions: [{ name: name }] })),
    });
    assert.deepEqual(compare(list('A', 'B', 'C'), list('C', 'A', 'B')), ['3 equal']);
    assert.deepEqual(compare(list('A', 'B'), list('A', 'X')), [
      'changed | templates | X | actions.B: {"name":"B"} → absent | actions.X: absent → {"name":"X"} | name: "B" → "X"',
      '1 equal',
    ]);
  });

  test('a mapping comes before everything else', () => {
    const from: Items = {
      faces: [
        { id: 'x', name: 'A' },
        { id: 'old', name: 'B' },
      ],
    };
    assert.deepEqual(compare(from, { faces: [{ id: 'x', name: 'B' }] }, { old: 'x' }), [
      'removed | faces | A',
      '1 equal',
    ]);
  });

  test('ids within a text are replaced as a whole', () => {
    const world = (one: string, ten: string): Items => ({
      templates: [template(one, { name: 'One' }), template(ten, { name: 'Ten' })],
      faces: [{ id: one, name: 'Card', content: `<a href="/t/${ten}">, /t/${one}.png, x_${one}_y` }],
    });
    assert.deepEqual(compare(world('template-1', 'template-10'), world('prod-5', 'prod-6')), ['3 equal']);
    assert.deepEqual(compare(world('template-1', 'template-10'), world('prod-5', 'template-10')), ['3 equal']);
  });

  test('fields that a template makes public have no order; line ends of a face mean nothing', () => {
    const world = (mark: string, custom: readonly string[], content: string): Items => ({
      templates: [template(`t${mark}`, { public_access: { custom } })],
      faces: [{ id: `f${mark}`, name: 'Card', content }],
    });
    assert.deepEqual(compare(world('1', ['a', 'b'], '<p>\n</p>'), world('2', ['b', 'a'], '\ufeff<p>\r\n</p>')), [
      '2 equal',
    ]);
  });

  test('an object of nothing but empty fields is the same as none; in free-form data it counts', () => {
    const one = template('t1', {
      public_access: { custom: null },
      object: { metadata: { name: '', image: null }, assets: [] },
      factory: { start_time: null, whitelist: [] },
      actions: [{ name: 'mint', access: { tokens: {} }, config: {} }],
    });
    const other = template('t2', { actions: [{ name: 'mint' }] });
    assert.deepEqual(compare({ templates: [one] }, { templates: [other] }), ['1 equal']);
    assert.deepEqual(compare({ templates: [other] }, { templates: [one] }), ['1 equal']);
    const free = template('t2', { object: { custom: { seat: '' } }, actions: [{ name: 'mint' }] });
    assert.deepEqual(compare({ templates: [one] }, { templates: [free] }), [
      'changed | templates | Ticket | object: absent → {"custom":{"seat":""}}',
      '0 equal',
    ]);
  });

  test('an entry of a list that is null does not count; in free-form data it does', () => {
    const mint = { name: 'mint', access: { type: 'public' } };
    const one = template('t1', { actions: [mint, null, { name: 'burn' }], factory: { whitelist: [null] } });
    const other = template('t2', { actions: [{ name: 'burn' }, mint] });
    assert.deepEqual(compare({ templates: [one] }, { templates: [other] }), ['1 equal']);
    const withTags = (tags: unknown): Items => ({ templates: [template('t', { object: { custom: { tags } } })] });
    assert.deepEqual(compare(withTags([null]), withTags([])), [
      'changed | templates | Ticket | object.custom.tags: [null] → []',
      '0 equal',
    ]);
  });

  test('a difference within a long text is shown', () => {
    const face = (id: string, word: string): Items => ({
      faces: [{ id, name: 'Card', content: `${'<p>Hello</p>'.repeat(50)}${word}${'<i></i>'.repeat(50)}` }],
    });
    const [line] = compare(face('1', 'ONE'), face('2', 'TWO'));
    assert.match(
      line ?? '',
      /^changed \| faces \| Card \| content: "…\S*<p>Hello<\/p>ONE<i>\S*… → "…\S*<p>Hello<\/p>TWO<i>/,
    );
  });

  test('an asset with another tag or another name is the same if only one has the other', () => {
    const world = (mark: string, name: string, tag: string): Items => ({
      assets: [
        { id: `${mark}1`, name, tag },
        { id: `${mark}2`, name: 'Photo', tag: `${mark}1` },
        { id: `${mark}3`, name: 'Photo', tag: `${mark}2` },
      ],
    });
    const others = ['removed | assets | Photo · a1', 'removed | assets | Photo · a2'];
    const added = ['added | assets | Photo · b1', 'added | assets | Photo · b2', '0 equal'];
    assert.deepEqual(compare(world('a', 'Logo', 'old'), world('b', 'Logo', 'new')), [
      ...['changed | assets | Logo · new | tag: "old" → "new"', ...others, ...added],
    ]);
    assert.deepEqual(compare(world('a', 'Logo', 'logo'), world('b', 'Brand', 'logo')), [
      ...['changed | assets | Brand · logo | name: "Logo" → "Brand"', ...others, ...added],
    ]);
  });

  test('a text of several lines is compared line by line', () => {
    const value = { content: '<p>\n  "1"\n</p>', n: JSON.rawJSON('12345678901234567890'), name: 'Card' };
    assert.equal(
      formatDocument(value),
      `{
  "content": [
    "<p>",
    "  \\"1\\"",
    "</p>"
  ],
  "n": 12345678901234567890,
  "name": "Card"
}
`,
    );
  });

  test('organizations and roles of connections that name none are not said to be equal', () => {
    const [faces, organizations] = [[{ id: '1', name: 'Card' }], [{ id: 'o', name: 'Shop' }]];
    const listUnread = (items: Items): readonly (readonly [string, string])[] => [
      ...compareInventories(inventory(items), inventory(items)).unread,
    ];
    const reason = 'The organizations must be added to both connections';
    assert.deepEqual(listUnread({ faces }), [
      ['organizations', reason],
      ['roles', reason],
    ]);
    assert.deepEqual(listUnread({ faces, organizations }), []);
  });

  test('organizations of a connection are not said to be removed if the other names none', () => {
    const named = inventory({ organizations: [{ id: 'o', name: 'Shop' }], roles: [{ id: 'o/default', name: 'Shop' }] });
    for (const [from, to] of [
      [named, inventory({})],
      [inventory({}), named],
    ] as const) {
      const { differences, missed } = compareInventories(from, to);
      assert.deepEqual([differences, missed], [[], ['organizations', 'roles']]);
    }
  });

  test('templates are the same whose faces could not be read', () => {
    const world = (id: string): Inventory =>
      inventory({ organizations: [{ id: 'o' }], templates: [template('t', { face_id: `face_${id}` })] });
    const { differences, missed } = compareInventories(world('1'), { ...world('2'), unread: new Map([['faces', '']]) });
    assert.deepEqual([differences, missed], [[], ['faces']]);
  });

  test('a short id is replaced in fields with ids only', () => {
    const world = (id: string, level: string): Items => ({
      faces: [{ id, name: 'Card' }],
      templates: [template('t', { face_id: id, object: { metadata: {}, custom: { level } } })],
    });
    assert.deepEqual(compare(world('1', '1'), world('2', '1')), ['2 equal']);
    assert.deepEqual(compare(world('1', '1'), world('2', '2')), [
      'changed | templates | Ticket | object.custom.level: "1" → "2"',
      '1 equal',
    ]);
  });

  test('a face with the address of an asset of its environment is the same', () => {
    const world = (address: string, used = address): Items => ({
      assets: [{ id: address, name: 'Logo', tag: 'logo', url: `https://${address}.example/logo.png?v=1` }],
      faces: [{ id: '1', name: 'Card', content: `<img src="https://${used}.example/logo.png?v=1">` }],
    });
    assert.deepEqual(compare(world('test'), world('prod')), ['2 equal']);
    assert.match(compare(world('test'), world('prod', 'test'))[0] ?? '', /^changed \| faces \| Card/);
  });
});
