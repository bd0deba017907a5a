/** Lists: every parameter of every list in the registry, paging, sorting, date filters, and invalid queries. */
import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../../../src/platform/json/json.ts';
import type { Operation } from '../../../../src/platform/operation.ts';
import { registry } from '../../../../src/platform/registry.ts';
import type { ResourceDefinition } from '../../../../src/platform/resource.ts';
import { statisticsSeries } from '../../../../src/platform/resources/statistics.ts';
import { readAllPages, getIds, toJsonObjects, useSandbox, getText } from '../sandbox-client.ts';

const rows: readonly (readonly [string, ResourceDefinition])[] = Object.entries(registry);
const whens = (items: readonly JsonObject[], field = 'when_created'): number[] =>
  items.map((item) => Date.parse(getText(item, field)));

suite('sandbox: lists', () => {
  const { sandbox, ask } = useSandbox({ objects: 120, logs: 200 });

  for (const [kind, definition] of rows) {
    if (definition.list === undefined) continue;
    const { operation, key } = definition.list;
    const { path, query }: Operation = operation;
    const get = async (text: string): Promise<readonly JsonObject[]> => {
      const { status, body, text: raw } = await ask(`${path}?${text}`);
      assert.equal(status, 200, raw);
      return toJsonObjects(body[key]);
    };

    test(`${kind}: pages follow one another and end without next`, async () => {
      const all = await readAllPages(ask, path, key);
      const small = await readAllPages(ask, path, key, 7);
      assert.deepEqual(getIds(small), getIds(all));
      const first = await ask(path);
      assert.equal(toJsonObjects(first.body[key]).length, Math.min(25, all.length), 'the default limit');
      assert.equal('next' in first.body, all.length > 25);
    });

    test(`${kind}: a bad cursor, limit, order or sort field is a 400`, async () => {
      const bad = ['limit=0', 'limit=-1', 'limit=ten', 'limit=', 'limit=2.5', 'next=', 'next=nonsense', 'next=e30'];
      if ('order' in query) bad.push('order=sideways');
      if ('sortBy' in query) bad.push('sortBy=no_such_field', 'sortBy=toString');
      if (query['limit']?.type === 'limit' && query['limit'].max !== undefined)
        bad.push(`limit=${query['limit'].max + 1}`);
      for (const text of bad) {
        const { status, body } = await ask(`${path}?${text}`);
        assert.equal(status, 400, text);
        assert.deepEqual(Object.keys(body), ['code', 'message', 'details'], text);
      }
      const { status } = await ask(`${path}?no_such_parameter=1&limit=1`);
      assert.equal(status, 200, 'an unknown parameter is ignored');
    });

    if ('order' in query) {
      test(`${kind}: newest first by default`, async () => {
        const down = await get('limit=100');
        assert.deepEqual(
          whens(down),
          whens(down).toSorted((a, b) => b - a),
        );
        const up = await get('limit=100&order=asc');
        assert.deepEqual(
          whens(up),
          whens(up).toSorted((a, b) => a - b),
        );
        assert.deepEqual(getIds(await get('limit=5&order=ascending')), getIds(up.slice(0, 5)));
      });
    }

    if ('sortBy' in query) {
      for (const field of getFields(definition)) {
        test(`${kind}: sorted by ${field}, over all pages`, async () => {
          for (const order of ['asc', 'desc']) {
            const sorted = await readAllPages(ask, `${path}?sortBy=${field}&order=${order}`, key, 40);
            assert.deepEqual(getIds(sorted).toSorted(), getIds(await readAllPages(ask, path, key)).toSorted());
            const values = sorted
              .map((item) => item[field])
              .filter((value) => typeof value === 'string' || typeof value === 'number');
            const dates = field.startsWith('when_');
            const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);
            const plain = dates ? values.map((value) => Date.parse(String(value))) : values;
            const expected = plain.toSorted((a, b) => compare(a, b) * (order === 'asc' ? 1 : -1));
            assert.deepEqual(plain, expected);
          }
        });
      }
    }

    for (const [name, parameter] of Object.entries(query)) {
      if (parameter.type === 'dates') {
        test(`${kind}: ${name} accepts the four bounds and refuses invalid dates`, async () => {
          const items = await readAllPages(ask, path, key);
          const moments = whens(items, name).toSorted((a, b) => a - b);
          const middle = moments[Math.floor(moments.length / 2)] ?? 0;
          const text = new Date(middle).toISOString();
          const count = async (bound: string): Promise<number> =>
            (await readAllPages(ask, `${path}?${encodeURIComponent(`${name}[${bound}]`)}=${text}`, key)).length;
          assert.equal(await count('$gt'), moments.filter((when) => when > middle).length);
          assert.equal(await count('$gte'), moments.filter((when) => when >= middle).length);
          assert.equal(await count('$lt'), moments.filter((when) => when < middle).length);
          assert.equal(await count('$lte'), moments.filter((when) => when <= middle).length);
          for (const bad of ['yesterday', '2026-13-45', '12', ''])
            assert.equal((await ask(`${path}?${name}[$gt]=${bad}`)).status, 400, bad);
        });
      }
      if (parameter.type === 'enum') {
        test(`${kind}: ${name} filters by each of its values and refuses others`, async () => {
          let sum = 0;
          for (const value of parameter.values) {
            const items = await readAllPages(ask, `${path}?${name}=${value}`, key);
            for (const item of items) assert.equal(item[name], value);
            sum += items.length;
          }
          assert.equal(sum, (await readAllPages(ask, path, key)).length);
          assert.equal((await ask(`${path}?${name}=other`)).status, 400);
        });
      }
    }

    if ('id' in query) {
      test(`${kind}: by id, one or none`, async () => {
        const item = (await get('limit=3')).at(-1);
        assert.deepEqual(await get(`id=${String(item?.['id'])}`), [item]);
        assert.deepEqual(await get('id=unknown'), []);
        assert.deepEqual(await get(`id=${String(item?.['id'])}&when_created[$gt]=2999-01-01`), []);
      });
    }
    if ('name' in query) {
      test(`${kind}: by name and by search term`, async () => {
        const [item] = await get('limit=1');
        const name = String(item?.['name']);
        assert(getIds(await get(`limit=100&name=${encodeURIComponent(name)}`)).includes(String(item?.['id'])));
        assert.deepEqual(await get('name=no such name'), []);
        if (!('autocomplete' in query)) return;
        const part = encodeURIComponent(name.slice(0, 5).toUpperCase());
        assert(getIds(await get(`limit=100&autocomplete=${part}`)).includes(String(item?.['id'])));
        assert.deepEqual(await get('autocomplete=zzzzzz'), []);
      });
    }
  }

  test('the ten lists of the contract have a maximum of 100, API keys have none', async () => {
    const ten = [
      '/public/templates',
      '/support',
      '/ebus/action-logs',
      '/faces',
      '/objects',
      '/assets',
      '/messages/templates',
    ];
    for (const path of [...ten, ...statisticsSeries.map(({ operation }) => operation.path)]) {
      assert.equal((await ask(`${path}?limit=100`)).status, 200, path);
      assert.equal((await ask(`${path}?limit=101`)).status, 400, path);
    }
    assert.equal((await ask('/api-keys?limit=100000')).status, 200);
  });

  test('org_id filters; the organizations together have all items', async () => {
    for (const [path, key] of [
      ['/objects', 'objects'],
      ['/faces', 'faces'],
      ['/ebus/action-logs', 'action_logs'],
      ['/support', 'messages'],
    ] as const) {
      const parts = await Promise.all(
        sandbox().organizations.map(({ id }) => readAllPages(ask, `${path}?org_id=${id}`, key)),
      );
      // That of the edge cases has only templates, their faces and objects.
      assert(
        parts.slice(0, 3).every((part) => part.length > 0),
        path,
      );
      assert.deepEqual(parts.flatMap(getIds).toSorted(), getIds(await readAllPages(ask, path, key)).toSorted(), path);
      assert.deepEqual(await readAllPages(ask, `${path}?org_id=unknown`, key), []);
    }
  });

  test('objects filter by template, owner, fqdn, dropped and geohash', async () => {
    const objects = await readAllPages(ask, '/objects', 'objects');
    const expect = async (query: string, matches: (object: JsonObject) => boolean): Promise<void> => {
      const expected = objects.filter(matches);
      assert(expected.length > 0 && expected.length < objects.length, query);
      assert.deepEqual(getIds(await readAllPages(ask, `/objects?${query}`, 'objects')), getIds(expected), query);
    };
    const [one] = objects;
    await expect(
      `template_id=${String(one?.['template_id'])}`,
      (object) => object['template_id'] === one?.['template_id'],
    );
    await expect(`owner=${String(one?.['owner'])}`, (object) => object['owner'] === one?.['owner']);
    await expect('dropped=true', (object) => isObject(object['location']));
    await expect('fqdn=harbourlight.events', (object) => object['org_id'] === sandbox().organizations[0]?.id);
    const hash = (object: JsonObject): string =>
      isObject(object['location']) ? String(object['location']['geo_hash']) : '';
    const prefix = hash(objects.find((object) => hash(object) !== '') ?? {}).slice(0, 3);
    await expect(`geo_hash=${prefix}`, (object) => hash(object).startsWith(prefix));
    await expect('dropped=false', (object) => !isObject(object['location']));
    assert.equal((await ask('/objects?dropped=perhaps')).status, 400);
  });

  test('the flags faces and actions add fields to the objects', async () => {
    const plain = await ask('/objects?limit=100');
    assert.deepEqual(Object.keys(plain.body), ['objects', 'next']);
    const { body } = await ask('/objects?limit=100&faces=true&actions=1');
    const used = new Set(toJsonObjects(body['objects']).map((object) => object['template_id']));
    assert.deepEqual(new Set(toJsonObjects(body['actions']).map((entry) => entry['template_id'])), used);
    for (const entry of toJsonObjects(body['actions']))
      assert(Array.isArray(entry['actions']) && entry['actions'].every((name) => typeof name === 'string'));
    for (const entry of toJsonObjects(body['faces'])) {
      assert(used.has(entry['template_id']) && isObject(entry['face']));
      assert(Object.keys(entry['face']).every((name) => ['id', 'url', 'config', 'content'].includes(name)));
    }
  });

  test('action logs filter by object, signer, wallet, batch and action', async () => {
    const logs = await readAllPages(ask, '/ebus/action-logs?status=completed', 'action_logs');
    const log = logs.find((entry) => 'affected_objects' in entry && 'wallet_id' in entry);
    assert(log !== undefined);
    const [affected] = toJsonObjects(log['affected_objects']);
    const cases: readonly (readonly [string, (entry: JsonObject) => boolean])[] = [
      [
        `object_id=${String(affected?.['id'])}`,
        (entry) => JSON.stringify(entry['affected_objects'] ?? '').includes(String(affected?.['id'])),
      ],
      [`signer=${String(log['signer'])}`, (entry) => entry['signer'] === log['signer']],
      [`wallet_id=${String(log['wallet_id'])}`, (entry) => entry['wallet_id'] === log['wallet_id']],
      [`batch_id=${String(log['batch_id'])}`, (entry) => entry['batch_id'] === log['batch_id']],
      [`action_id=${String(log['id'])}`, (entry) => entry['id'] === log['id']],
    ];
    for (const [query, matches] of cases) {
      const found = await readAllPages(ask, `/ebus/action-logs?status=completed&${query}`, 'action_logs');
      assert.deepEqual(getIds(found), getIds(logs.filter(matches)), query);
      assert(found.length > 0, query);
    }
  });

  test('a cursor belongs to its list and its order', async () => {
    const { body } = await ask('/objects?limit=5');
    const next = String(body['next']);
    assert.equal((await ask(`/objects?limit=5&next=${next}`)).status, 200);
    assert.equal((await ask(`/objects?limit=5&order=asc&next=${next}`)).status, 400);
    assert.equal((await ask(`/faces?limit=5&next=${next}`)).status, 400);
  });

  test('items created between two pages shift neither', async () => {
    const { body } = await ask('/objects?limit=10');
    const template = sandbox().world.templates.source.idAt(0);
    const minted = await ask('/ebus/execute', { body: { action: { mint: { template_id: template, num: 3 } } } });
    assert.equal(minted.status, 200);
    const second = await ask(`/objects?limit=10&next=${String(body['next'])}`);
    const ids = [...getIds(toJsonObjects(body['objects'])), ...getIds(toJsonObjects(second.body['objects']))];
    assert.equal(new Set(ids).size, 20);
    assert.deepEqual(getIds((await readAllPages(ask, '/objects', 'objects')).slice(3, 23)), ids);
  });
});

function getFields(definition: ResourceDefinition): readonly string[] {
  const schema = definition.list?.schema ?? definition.schema;
  assert(schema instanceof z.ZodMiniObject);
  return Object.keys(schema.shape);
}
