/** Rows without an editor: keys that are unique, filters that survive a store, ways between resources, hostile texts. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Memory, type Store } from '../../../src/explorer/memory.ts';
import { connectionKey, contextWords, Siblings, step, type ListNode } from '../../../src/explorer/nodes.ts';
import { fillable, filterFrom, filterWords, queryOf } from '../../../src/explorer/query.ts';
import { childrenOf, fieldLabel, listsBy, valuesAt, walletLists } from '../../../src/explorer/related.ts';
import { oneLine, pickText } from '../../../src/explorer/text.ts';
import { kinds, registry } from '../../../src/platform/registry.ts';
import { articleOf, pluralOf, sortFields, type ResourceRow } from '../../../src/platform/resource.ts';
import { factsOf } from '../../../src/explorer/facts.ts';
import { endpoint, listOf, plain } from '../../support/contract.ts';

const rows: Readonly<Record<string, ResourceRow>> = registry;
const store = (): Store => {
  const kept = new Map<string, string>();
  return {
    // As VS Code keeps it: through JSON.
    get: (key) => (kept.has(key) ? (JSON.parse(kept.get(key) ?? '') as unknown) : undefined),
    update: (key, value) => Promise.resolve(void kept.set(key, JSON.stringify(value ?? null))),
  };
};

suite('explorer rows', () => {
  test('siblings get names of their own, whatever the server repeats', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'a~1', 'a~2', 'a~1~1', 'b')), (names) => {
        const siblings = new Siblings();
        const keys = names.map((name) => siblings.unique(name));
        assert.equal(new Set(keys).size, keys.length);
      }),
    );
  });

  test('different paths have different keys', () => {
    const path = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 3 });
    const keyOf = ([first = '', ...rest]: readonly string[]): string => rest.reduce(step, connectionKey(first));
    fc.assert(
      fc.property(path, path, (one, other) => {
        assert.equal(keyOf(one) === keyOf(other), JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });

  test('a label is one line without anything invisible', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const line = oneLine(text);
        assert.ok(Array.from(line).length <= 80);
        assert.doesNotMatch(line, /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
        assert.ok(!pickText(text).includes('$('));
      }),
    );
    assert.equal(oneLine('evil\u202egnp.exe\n<b>'), 'evil gnp.exe <b>');
  });

  test('a filter survives the store, and what does not fit the list does not', async () => {
    const memory = new Memory(store(), store());
    const filter = { status: 'failed', when_created: { gte: '-24h' }, order: 'descending' };
    await memory.setFilter('key', filter);
    const parameters = registry['action-logs'].list.operation.query;
    assert.deepEqual(filterFrom(memory.filter('key'), parameters), filter);
    assert.deepEqual(
      filterFrom({ ...filter, next: 'x', limit: 5, nonsense: 'y', order: 'up', signer: 3 }, parameters),
      {
        status: 'failed',
        when_created: { gte: '-24h' },
      },
    );
    assert.deepEqual(filterFrom('broken', parameters), {});
    await memory.setFilter('key', undefined);
    assert.equal(memory.filter('key'), undefined);
  });

  test('a flag is sent as yes, as no or not at all; what only adds to the answer is no filter', () => {
    const parameters = registry.objects.list.operation.query;
    const names = fillable(parameters).map(([name]) => name);
    assert.ok(names.includes('dropped'));
    assert.ok(!names.includes('faces') && !names.includes('actions'));
    for (const dropped of [true, false])
      assert.deepEqual(filterFrom({ dropped, faces: true, actions: true }, parameters), { dropped });
    assert.equal(filterWords({ dropped: false }), 'not dropped');
    assert.deepEqual(queryOf({ dropped: false }, 0), { dropped: false });
  });

  test('lists are sorted by fields that their items have', () => {
    for (const row of Object.values(rows)) {
      if (row.list === undefined) continue;
      const of = endpoint(`GET ${row.list.operation.path}`);
      const fields = Object.keys(listOf(of)?.item.fields ?? {}).map(plain);
      for (const field of sortFields(row)) assert.ok(fields.includes(field), `${row.kind} by ${field}`);
    }
    assert.deepEqual(sortFields(registry.faces), ['when_created', 'when_modified', 'name']);
    assert.deepEqual(sortFields(registry.assets), ['when_created', 'name']);
  });

  test('relative dates are resolved when they are sent', () => {
    const now = Date.parse('2026-01-02T00:00:00Z');
    assert.deepEqual(queryOf({ dropped: true, when_created: { gte: '-1h', lt: 'x' } }, now), {
      dropped: true,
      when_created: { gte: '2026-01-01T23:00:00.000Z', lt: 'x' },
    });
    assert.equal(
      filterWords({ status: 'failed', when_created: { gte: '-24h' } }),
      'status failed, created since 24 h ago',
    );
  });

  test('favorites are kept for each connection, and broken ones are not shown', async () => {
    const everywhere = store();
    const memory = new Memory(store(), everywhere);
    await memory.addFavorite('A', { id: '1', name: 'Failures', kind: 'action-logs', filter: { status: 'failed' } });
    await memory.addFavorite('B', { id: '2', name: 'Mine', kind: 'objects', organization: 'o', filter: {} });
    assert.deepEqual(
      memory.favorites('A').map(({ name }) => name),
      ['Failures'],
    );
    await memory.removeFavorite('A', '1');
    assert.deepEqual(memory.favorites('A'), []);
    assert.equal(memory.favorites('B').length, 1);
    await everywhere.update('explorer.favorites', { A: [{ id: 3 }, null, 'x'] });
    assert.deepEqual(memory.favorites('A'), []);
  });
});

suite('words', () => {
  test('of one and of several of each kind', () => {
    assert.deepEqual(
      Object.values(rows).map((row) => [articleOf(row), pluralOf(row)]),
      [
        ['an object', 'objects'],
        ['a face', 'faces'],
        ['an action log', 'action logs'],
        ['a support message', 'support messages'],
        ['a role', 'roles'],
        ['a template', 'templates'],
        ['an asset', 'assets'],
        ['a message template', 'message templates'],
        ['an API key', 'API keys'],
        ['a batch', 'batches'],
        ['a wallet', 'wallets'],
      ],
    );
    assert.equal(registry.objects.summary(null).title, 'not an object');
  });

  test('an API key that has run out says so', () => {
    const details = (expires_at: string): readonly string[] => registry['api-keys'].summary({ expires_at }).details;
    assert.deepEqual(details('2020-01-02T00:00:00Z'), ['expired 2020-01-02']);
    assert.deepEqual(details('2999-01-02T00:00:00Z'), ['expires 2999-01-02']);
  });
});

suite('ways between resources', () => {
  test('ids are found at any path, and nothing else is', () => {
    const raw = { a: [{ b: 'x' }, { b: 3 }, null, 'y', { b: '' }], c: { d: 'z' } };
    assert.deepEqual(valuesAt(raw, 'a[].b'), ['x']);
    assert.deepEqual(valuesAt(raw, 'c.d'), ['z']);
    assert.deepEqual(valuesAt('no object', 'c.d'), []);
    assert.deepEqual(valuesAt({ c: ['q'] }, 'c.d'), []);
  });

  test('never throw, whatever the server sent, for any kind', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...kinds), (raw, kind) => {
        const known = rows[kind];
        assert.ok(known);
        for (const child of childrenOf(rows, known, raw, 'org')) assert.ok(child.label.length >= 0);
      }),
    );
  });

  test('every reference of every kind is a way there', () => {
    for (const [kind, row] of Object.entries(rows)) {
      for (const [path, target] of Object.entries(row.references)) {
        const raw = path
          .split('.')
          .reduceRight<unknown>(
            (value, field) => (field.endsWith('[]') ? { [field.slice(0, -2)]: [value] } : { [field]: value }),
            'the id',
          );
        const ways = childrenOf(rows, row, raw).filter((child) => child.type === 'way');
        assert.deepEqual(
          ways.map(({ kind, id, label }) => ({ kind, id, label })),
          [{ kind: target, id: 'the id', label: fieldLabel(path) }],
          `${kind} ${path}`,
        );
      }
    }
    assert.equal(fieldLabel('affected_objects[].template_id'), 'Template');
    assert.equal(fieldLabel('metadata.image.id'), 'Image');
    assert.equal(fieldLabel('org_id'), 'Organization');
  });

  test('a resource leads to the lists that can be filtered by it', () => {
    const named = (list: ReturnType<typeof listsBy>): readonly string[] =>
      list.map((child) => (child.type === 'list' ? `${child.kind} by ${Object.keys(child.fixed).join()}` : ''));
    assert.deepEqual(named(listsBy(rows, 'objects', 'x')), ['action-logs by object_id']);
    assert.deepEqual(named(listsBy(rows, 'templates', 'x')), ['objects by template_id']);
    assert.deepEqual(named(listsBy(rows, 'batches', 'x')), ['action-logs by batch_id']);
    assert.deepEqual(named(walletLists(rows, 'Owner', 'x')), ['objects by owner', 'action-logs by signer']);
    assert.deepEqual(named(walletLists(rows, 'Wallet', 'x')), ['action-logs by wallet_id', 'support by wallet_id']);
  });

  test('what belongs to no organization by itself leads back to the one it was listed in', () => {
    const [last] = childrenOf(rows, registry['action-logs'], { id: 'x' }, 'org_1').slice(-1);
    assert.deepEqual(last, { type: 'way', label: 'Organization', kind: 'organizations', id: 'org_1' });
  });

  test('templates show their actions with who may run them, and supply only where there is one', () => {
    const values = (raw: unknown): readonly string[] =>
      factsOf('templates', raw).map(({ label, value }) => `${label}: ${value}`);
    const actions = [
      { name: 'mint', access: { type: 'public' } },
      { name: 'remote', alias: 'Open', access: { type: 'token', tokens: { gold: 3 } } },
    ];
    assert.deepEqual(values({ actions, factory: { max_supply: 100, minted_count: 12 } }), [
      'mint: public',
      'Open: remote · token · 3 gold',
      'Supply: 12 of 100',
    ]);
    const odd = { name: 'odd', access: { type: 'constructor' } };
    assert.equal(factsOf('templates', { actions: [odd] })[0]?.icon, 'question');
    assert.deepEqual(values({ actions: [], factory: { max_supply: 0, minted_count: 12 } }), []);
    assert.deepEqual(values({ actions: [] }), []);
  });

  test('objects say where they are, and on which chain', () => {
    const told = (raw: unknown): readonly string[] =>
      factsOf('objects', raw).map(({ label, value }) => `${label}: ${value}`);
    const location = { latitude: 46.5, longitude: 8, geo_hash: 'u0m' };
    const chain = { contract_address: '0xab', network: 'amoy', chain_id: 80002 };
    assert.deepEqual(told({ location, chain }), ['Location: 46.5, 8 (u0m)', 'Chain: amoy · 0xab']);
    assert.deepEqual(told({ location: null }), []);
  });

  test('only http addresses can be opened', () => {
    const [link] = factsOf('faces', { url: 'https://example.com/x' });
    const [no] = factsOf('faces', { url: 'command:evil' });
    assert.equal(link?.url, 'https://example.com/x');
    assert.equal(no?.url, undefined);
    assert.equal(no?.value, 'command:evil');
  });
});

suite('words of the menus', () => {
  const list: ListNode = {
    type: 'list',
    key: 'c/objects',
    connection: 'c',
    kind: 'objects',
    label: 'Objects',
    fixed: {},
    filter: {},
    filterKey: 'k',
  };
  const all = { signedIn: true, sandbox: false };

  test('say what a row can do', () => {
    assert.equal(contextWords(list, all), 'section list kind:objects');
    assert.equal(contextWords({ ...list, filter: { owner: 'x' } }, all), 'section list kind:objects filtered');
    assert.equal(
      contextWords(
        {
          type: 'list',
          key: 'k',
          connection: 'c',
          kind: 'objects',
          label: '',
          fixed: {},
          filter: { owner: 'x' },
          favorite: '1',
        },
        all,
      ),
      'favorite list kind:objects',
    );
    const resource = { connection: 'c', kind: 'faces', id: 'f' };
    const item = { type: 'resource', key: 'r', connection: 'c', kind: 'faces' } as const;
    assert.equal(contextWords({ ...item, resource }, all), 'resource kind:faces has:id');
    assert.equal(contextWords(item, all), 'resource kind:faces');
    assert.equal(
      contextWords({ type: 'connection', key: 'c', connection: 'c' }, { signedIn: false, sandbox: true }),
      'connection signedOut sandbox',
    );
  });
});
