/** Rows: unique keys, stored filters, related resources, hostile texts. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { KeyValueStore } from '../../../../src/cache/stored-record.ts';
import { createErrorRows, createStaleRows } from '../../../../src/explorer/rows/list-rows.ts';
import { createChildNodes, createKindRows } from '../../../../src/explorer/rows/resource-rows.ts';
import { createFavoriteNodes, createSeriesNodes } from '../../../../src/explorer/rows/section-rows.ts';
import { ExplorerStorage } from '../../../../src/explorer/storage.ts';
import {
  createConnectionKey,
  getContextValue,
  UniqueNames,
  createChildKey,
  type ListNode,
} from '../../../../src/explorer/tree/nodes.ts';
import {
  getFilterParameters,
  parseFilter,
  formatFilter,
  resolveFilter,
} from '../../../../src/explorer/filter/filter.ts';
import {
  getChildren,
  formatFieldLabel,
  getListsFilteredBy,
  getWalletLists,
} from '../../../../src/explorer/rows/related-resources.ts';
import { getValuesAt } from '../../../../src/platform/json/field-values.ts';
import { toOneLine, toQuickPickText } from '../../../../src/explorer/format.ts';
import { kinds, registry } from '../../../../src/platform/registry.ts';
import { formatPlural, getSortFields, type ResourceDefinition } from '../../../../src/platform/resource.ts';
import { endpoints, formatEndpointName, getEndpoint, getList } from '../../../support/platform-contract.ts';
import { getFieldName } from '../../../support/platform-shapes.ts';

const definitions: Readonly<Record<string, ResourceDefinition>> = registry;
const createStore = (): KeyValueStore => {
  const stored = new Map<string, string>();
  return {
    // As VS Code keeps it: through JSON.
    get: (key) => (stored.has(key) ? (JSON.parse(stored.get(key) ?? '') as unknown) : undefined),
    update: (key, value) => Promise.resolve(void stored.set(key, JSON.stringify(value ?? null))),
  };
};

suite('explorer rows', () => {
  test('siblings get names of their own, whatever the server repeats', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'a~1', 'a~2', 'a~1~1', 'b')), (names) => {
        const siblings = new UniqueNames();
        const keys = names.map((name) => siblings.makeUnique(name));
        assert.equal(new Set(keys).size, keys.length);
      }),
    );
  });

  test('different paths have different keys', () => {
    const path = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 3 });
    const createKey = ([first = '', ...rest]: readonly string[]): string =>
      rest.reduce(createChildKey, createConnectionKey(first));
    fc.assert(
      fc.property(path, path, (one, other) => {
        assert.equal(createKey(one) === createKey(other), JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });

  test('a label is one line without anything invisible', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const line = toOneLine(text);
        assert.ok(Array.from(line).length <= 80);
        assert.doesNotMatch(line, /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
        assert.ok(!toQuickPickText(text).includes('$('));
      }),
    );
    assert.equal(toOneLine('evil\u202egnp.exe\n<b>'), 'evil gnp.exe <b>');
  });

  test('a stored filter is read again without parameters that its list lacks', async () => {
    const memory = new ExplorerStorage(createStore(), createStore());
    const filter = { status: 'failed', when_created: { gte: '-24h' }, order: 'descending' };
    await memory.filters.set('key', filter);
    const parameters = registry['action-logs'].list.operation.query;
    assert.deepEqual(parseFilter(memory.filters.get('key'), parameters), filter);
    assert.deepEqual(
      parseFilter({ ...filter, next: 'x', limit: 5, nonsense: 'y', order: 'up', signer: 3 }, parameters),
      {
        status: 'failed',
        when_created: { gte: '-24h' },
      },
    );
    assert.deepEqual(parseFilter('broken', parameters), {});
    await memory.filters.set('key', undefined);
    assert.equal(memory.filters.get('key'), undefined);
  });

  test('a flag is sent as true, as false or not at all; one that only adds fields is no filter', () => {
    const parameters = registry.objects.list.operation.query;
    const names = getFilterParameters(parameters).map(([name]) => name);
    assert.ok(names.includes('dropped'));
    assert.ok(!names.includes('faces') && !names.includes('actions'));
    for (const dropped of [true, false])
      assert.deepEqual(parseFilter({ dropped, faces: true, actions: true }, parameters), { dropped });
    assert.equal(formatFilter({ dropped: false }), 'Dropped: no');
    assert.deepEqual(resolveFilter({ dropped: false }, 0), { dropped: false });
  });

  test('lists are sorted by fields that their items have', () => {
    for (const definition of Object.values(definitions)) {
      const name = `GET ${definition.list?.operation.path ?? ''}`;
      if (!endpoints.some((endpoint) => formatEndpointName(endpoint) === name)) continue;
      const of = getEndpoint(name);
      const fields = Object.keys(getList(of)?.item.fields ?? {}).map(getFieldName);
      for (const field of getSortFields(definition))
        assert.ok(fields.includes(field), `${definition.kind} by ${field}`);
    }
    assert.deepEqual(getSortFields(registry.faces), ['when_created', 'when_modified', 'name']);
    assert.deepEqual(getSortFields(registry.assets), ['when_created', 'name']);
  });

  test('relative dates are resolved when they are sent', () => {
    const now = Date.parse('2026-01-02T00:00:00Z');
    assert.deepEqual(resolveFilter({ dropped: true, when_created: { gte: '1h', lt: 'x' } }, now), {
      dropped: true,
      when_created: { gte: '2026-01-01T23:00:00.000Z', lt: 'x' },
    });
    assert.equal(
      formatFilter({ status: 'failed', when_created: { gte: '-24h' } }),
      'Status: failed, Created: last 24 hours',
    );
  });

  test('favorites are stored for each connection, and invalid ones are not shown', async () => {
    const everywhere = createStore();
    const memory = new ExplorerStorage(createStore(), everywhere);
    await memory.addFavorite('A', { id: '1', name: 'Failures', kind: 'action-logs', filter: { status: 'failed' } });
    await memory.addFavorite('B', { id: '2', name: 'Mine', kind: 'objects', organization: 'o', filter: {} });
    assert.deepEqual(
      memory.getFavorites('A').map(({ name }) => name),
      ['Failures'],
    );
    await memory.removeFavorite('A', '1');
    assert.deepEqual(memory.getFavorites('A'), []);
    assert.equal(memory.getFavorites('B').length, 1);
    await everywhere.update('explorer.favorites', { A: [{ id: 3 }, null, 'x'] });
    assert.deepEqual(memory.getFavorites('A'), []);
  });
});

suite('kinds in sentences', () => {
  test('of several of each kind', () => {
    const plurals = new Set(Object.values(definitions).map((definition) => formatPlural(definition)));
    const expected = [
      'objects',
      'faces',
      'action logs',
      'support messages',
      'roles',
      'templates',
      'assets',
      'message templates',
      'API keys',
      'batches',
      'wallets',
    ];
    assert.deepEqual(
      expected.filter((plural) => !plurals.has(plural)),
      [],
    );
    assert.equal(registry.objects.summary(null).title, 'Invalid resource (object)');
  });

  test('an expired API key is described as expired', () => {
    const details = (expires_at: string): readonly string[] => registry['api-keys'].summary({ expires_at }).details;
    assert.deepEqual(details('2020-01-02T00:00:00Z'), ['expired 2020-01-02']);
    assert.deepEqual(details('2999-01-02T00:00:00Z'), ['expires 2999-01-02']);
  });
});

suite('related resources', () => {
  test('ids are found at any path, and nothing else is', () => {
    const raw = { a: [{ b: 'x' }, { b: 3 }, null, 'y', { b: '' }], c: { d: 'z' } };
    assert.deepEqual(getValuesAt(raw, 'a[].b'), ['x']);
    assert.deepEqual(getValuesAt(raw, 'c.d'), ['z']);
    assert.deepEqual(getValuesAt('no object', 'c.d'), []);
    assert.deepEqual(getValuesAt({ c: ['q'] }, 'c.d'), []);
  });

  test('never throw, whatever the server sent, for any kind', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...kinds), (raw, kind) => {
        const known = definitions[kind];
        assert.ok(known);
        for (const child of getChildren(definitions, known, raw, 'org')) assert.ok(child.label.length >= 0);
      }),
    );
  });

  test('every reference of every kind is a child', () => {
    for (const [kind, definition] of Object.entries(definitions)) {
      for (const [path, target] of Object.entries(definition.references)) {
        const raw = path
          .split('.')
          .reduceRight<unknown>(
            (value, field) => (field.endsWith('[]') ? { [field.slice(0, -2)]: [value] } : { [field]: value }),
            'the id',
          );
        const references = getChildren(definitions, definition, raw).filter((child) => child.type === 'reference');
        assert.deepEqual(
          references.map(({ kind, id, label }) => ({ kind, id, label })),
          [{ kind: target, id: 'the id', label: formatFieldLabel(path) }],
          `${kind} ${path}`,
        );
      }
    }
    assert.equal(formatFieldLabel('affected_objects[].template_id'), 'Template');
    assert.equal(formatFieldLabel('metadata.image.id'), 'Image');
    assert.equal(formatFieldLabel('org_id'), 'Organization');
  });

  test('a resource leads to the lists that can be filtered by it', () => {
    const named = (list: ReturnType<typeof getListsFilteredBy>): readonly string[] =>
      list.map((child) => (child.type === 'list' ? `${child.kind} by ${Object.keys(child.fixed).join()}` : ''));
    assert.deepEqual(named(getListsFilteredBy(definitions, 'objects', 'x')), ['action-logs by object_id']);
    assert.deepEqual(named(getListsFilteredBy(definitions, 'templates', 'x')), ['objects by template_id']);
    assert.deepEqual(named(getListsFilteredBy(definitions, 'batches', 'x')), ['action-logs by batch_id']);
    assert.deepEqual(named(getWalletLists(definitions, 'wallets', 'Owner', 'x')), [
      'objects by owner',
      'action-logs by signer',
    ]);
    assert.deepEqual(named(getWalletLists(definitions, 'wallets', 'Wallet', 'x')), [
      'action-logs by wallet_id',
      'support by wallet_id',
    ]);
  });

  test('a resource without an organization refers to that of its list', () => {
    const [last] = getChildren(definitions, registry['action-logs'], { id: 'x' }, 'org_1').slice(-1);
    assert.deepEqual(last, { type: 'reference', label: 'Organization', kind: 'organizations', id: 'org_1' });
  });

  test('templates show their actions with access rules, and their supply if it is limited', () => {
    const values = (raw: unknown): readonly string[] =>
      registry.templates.facts(raw).map(({ label, value }) => `${label}: ${value}`);
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
    assert.equal(registry.templates.facts({ actions: [odd] })[0]?.icon, 'question');
    assert.deepEqual(values({ actions: [], factory: { max_supply: 0, minted_count: 12 } }), []);
    assert.deepEqual(values({ actions: [] }), []);
  });

  test('objects show location and chain', () => {
    const describe = (raw: unknown): readonly string[] =>
      registry.objects.facts(raw).map(({ label, value }) => `${label}: ${value}`);
    const location = { latitude: 46.5, longitude: 8, geo_hash: 'u0m' };
    const chain = { contract_address: '0xab', network: 'amoy', chain_id: 80002 };
    assert.deepEqual(describe({ location, chain }), ['Location: 46.5, 8 (u0m)', 'Chain: amoy · 0xab']);
    assert.deepEqual(describe({ location: null }), []);
  });

  test('only http addresses can be opened', () => {
    const [link] = registry.faces.facts({ url: 'https://example.com/x' });
    const [no] = registry.faces.facts({ url: 'command:evil' });
    assert.equal(link?.url, 'https://example.com/x');
    assert.equal(no?.url, undefined);
    assert.equal(no?.value, 'command:evil');
  });
});

suite('context values', () => {
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
  const all = { signedIn: true, expired: false, active: false, sandbox: false };

  test('name the type and features of a row', () => {
    assert.equal(getContextValue(list, all), 'section list kind:objects');
    assert.equal(getContextValue({ ...list, filter: { owner: 'x' } }, all), 'section list kind:objects filtered');
    assert.equal(
      getContextValue(
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
    assert.equal(getContextValue({ ...item, resource }, all), 'resource kind:faces has:id');
    assert.equal(getContextValue(item, all), 'resource kind:faces');
    assert.equal(
      getContextValue(
        { type: 'connection', key: 'c', connection: 'c' },
        { signedIn: false, expired: false, active: true, sandbox: true },
      ),
      'connection signedOut active sandbox',
    );
    assert.equal(
      getContextValue({ type: 'connection', key: 'c', connection: 'c' }, { ...all, expired: true }),
      'connection signedIn inactive expired',
    );
    const scope = { type: 'scope', key: 'o', connection: 'c', organization: 'o1', label: 'Acme' } as const;
    assert.equal(getContextValue(scope, all), 'organization has:id kind:organizations');
    assert.equal(getContextValue({ ...scope, isNamed: true }, all), 'organization has:id kind:organizations named');
  });

  test('name what a row without rows below it says', async () => {
    const memory = new ExplorerStorage(createStore(), createStore());
    await memory.addFavorite('c', { id: '1', name: 'Mine', kind: '', filter: {}, search: '@me' });
    const context = { definitions, storage: memory };
    const facts = [
      { type: 'fact', label: 'Chain', value: 'amoy', icon: 'link' },
      { type: 'fact', label: 'Site', value: 'https://example.com', icon: 'link-external', url: 'https://example.com' },
    ] as const;
    const error = new Error('offline');
    const group = { type: 'group', group: 'favorites', key: 'c/favorites', connection: 'c' } as const;
    const kind = { type: 'kind', key: 'c/wallets', connection: 'c', kind: 'wallets' } as const;
    const rows = [
      ...createFavoriteNodes(context, group),
      ...createSeriesNodes(group).slice(0, 1),
      ...createChildNodes(list, facts, context, () => undefined),
      ...createErrorRows(list, registry.objects, { error, operation: 'more' }),
      ...createStaleRows(list, registry.objects, { error, since: 0 }, 0),
      ...createKindRows(kind, registry.wallets, []),
    ];
    assert.deepEqual(
      rows.map((row) => row.type === 'leaf' && [row.label.replace(/since .*/, '…'), getContextValue(row, all)]),
      [
        ['Mine', 'favorite'],
        [rows[1]?.type === 'leaf' && rows[1].label, 'statistics'],
        ['Chain', 'fact'],
        ['Site', 'fact url'],
        ['Not loaded: offline', 'error'],
        ['Not refreshed …', 'error'],
        ['The platform does not list them. Those found in other responses appear here', 'note'],
        ['Open by ID…', 'note'],
      ],
    );
    const sandbox = { type: 'sandbox', key: 'c/sandbox', connection: 'c' } as const;
    assert.equal(getContextValue(sandbox, { ...all, paused: true }), 'sandbox clockPaused');
  });
});
