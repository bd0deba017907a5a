/** The sandbox against the hand-written contract: every field of its responses, and each parameter's effect. */
import assert from 'node:assert/strict';
import { isObject, type JsonObject } from '../../../src/platform/json/json.ts';
import { getEndpoint, endpoints, getList, formatEndpointName, type Endpoint } from '../../support/platform-contract.ts';
import type { Shape } from '../../support/platform-shapes.ts';
import { listPaths, findUncovered, removeField } from '../../support/contract-coverage.ts';
import { example } from '../../support/example.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { readAllPages, createSendRequest, getIds, toJsonObjects, useSandbox, getText } from './sandbox-client.ts';

suite('contract: sandbox', () => {
  const { sandbox, ask } = useSandbox({ objects: 300, logs: 500 });

  const getJson = async (path: string): Promise<JsonObject> => {
    const { status, body, text } = await ask(path);
    assert.equal(status, 200, `${path}: ${text}`);
    return body;
  };
  const items = async (of: Endpoint, query = ''): Promise<readonly JsonObject[]> => {
    const list = getList(of);
    assert.ok(list !== undefined);
    if (of.path.startsWith('/stats/')) return toJsonObjects((await getJson(`${of.path}?limit=100&${query}`))[list.key]);
    return readAllPages(ask, `${of.path}?${query}`, list.key);
  };
  const each = async (list: readonly JsonObject[], path: (id: string) => string): Promise<readonly JsonObject[]> =>
    Promise.all(getIds(list).map((id) => getJson(path(id))));

  /** Responses of an operation, enough to contain every field and value. */
  const answers = async (of: Endpoint): Promise<{ readonly shape: Shape; readonly samples: readonly unknown[] }> => {
    const shape = of.response;
    const { organizations, batches, invites } = sandbox();
    switch (formatEndpointName(of)) {
      case 'GET /templates/{templateId}':
        return {
          shape,
          samples: await each(await items(getEndpoint('GET /public/templates')), (id) => `/templates/${id}`),
        };
      case 'GET /objects/{objectId}':
        return { shape, samples: await each(await items(getEndpoint('GET /objects')), (id) => `/objects/${id}`) };
      case 'GET /batches/{batchId}':
        return { shape, samples: await Promise.all(Object.values(batches).map((id) => getJson(`/batches/${id}`))) };
      case 'GET /organizations/{organizationId}/roles/{roleId}': {
        const roles = organizations.flatMap(({ id, roles: own }) =>
          own.map((role) => `/organizations/${id}/roles/${role.id}`),
        );
        return { shape, samples: await Promise.all(roles.map(getJson)) };
      }
      case 'GET /organizations/{organizationId}/roles/default':
        return {
          shape,
          samples: await Promise.all(organizations.map(({ id }) => getJson(`/organizations/${id}/roles/default`))),
        };
      case 'GET /organizations/{organizationId}/myrole':
        return {
          shape,
          samples: await Promise.all(organizations.map(({ id }) => getJson(`/organizations/${id}/myrole`))),
        };
      case 'GET /organizations/{organizationId}/invite':
        return {
          shape,
          samples: await Promise.all(
            invites.map((invite) =>
              getJson(
                `/organizations/${invite.organizationId}/invite?token=${invite.token}&member_id=${invite.memberId}`,
              ),
            ),
          ),
        };
      case 'POST /wallets': {
        const bodies = Array.from({ length: 8 }, (_, turn) => registration(turn));
        const samples = await Promise.all(bodies.map(async (body) => (await ask('/wallets', { body })).body));
        return { shape, samples };
      }
      case 'POST /ebus/execute': {
        const template = getText((await items(getEndpoint('GET /public/templates')))[0] ?? {}, 'id');
        const samples = [];
        const [object] = await items(getEndpoint('GET /objects'), 'dropped=false');
        // A pickup of an object without a location is refused in its step.
        for (const action of [{ mint: { template_id: template } }, { pickup: { id: object?.['id'] } }])
          samples.push((await ask('/ebus/execute', { body: { action, signature: '0x1' } })).body);
        return { shape, samples };
      }
      default: {
        const flags = of.path === '/objects' ? '&faces=true&actions=true' : '';
        if (of.path.startsWith('/stats/')) return { shape, samples: [await getJson(`${of.path}?limit=100`)] };
        const { path } = of;
        const samples: JsonObject[] = [];
        for (let next: unknown = ''; typeof next === 'string';) {
          const page = await getJson(`${path}?limit=100${flags}${next === '' ? '' : `&next=${next}`}`);
          samples.push(page);
          next = page['next'];
        }
        // There is no second one on the few pages.
        if (samples.length === 1) samples.push(await getJson(`${path}?limit=1`));
        return { shape, samples };
      }
    }
  };

  for (const of of endpoints) {
    test(`${formatEndpointName(of)}: each response matches the contract, with each field and value at least once`, async () => {
      const { shape, samples } = await answers(of);
      assert.ok(samples.length > 0);
      const problems = findUncovered(shape, samples);
      assert.deepEqual(problems, DEPARTURES[formatEndpointName(of)] ?? []);
      for (const path of listPaths(shape)) {
        const name = path.join('.').replaceAll('.[]', '[]');
        if (problems.includes(`${name}: never there`)) continue;
        assert.notDeepEqual(findUncovered(shape, removeField(samples, path)), problems, `${name} would not be missed`);
      }
    });
  }

  for (const of of endpoints) {
    for (const [name, parameter] of Object.entries(of.query)) {
      test(`${formatEndpointName(of)}: ${name} has the effect of the contract`, async () => {
        if (parameter === 'flag') await flag(of, name);
        else if (parameter === 'dates') await dates(of, name);
        else if (parameter === 'cursor') await cursor(of);
        else if (parameter === 'order') await order(of);
        else if (parameter === 'text') await text(of, name);
        else if ('limit' in parameter) await limit(of, parameter.limit);
        else await values(of, name, parameter.values);
      });
    }
  }

  const getPath = (of: Endpoint): string => of.path.replace('{organizationId}', sandbox().organizations[0]?.id ?? '');
  const status = async (of: Endpoint, query: string): Promise<number> => (await ask(`${getPath(of)}?${query}`)).status;

  const limit = async (of: Endpoint, max: number | 'not shown'): Promise<void> => {
    const key = getList(of)?.key ?? '';
    for (const wanted of [1, 3])
      assert.equal(toJsonObjects((await getJson(`${of.path}?limit=${wanted}`))[key]).length, wanted);
    for (const bad of ['0', '-1', 'many']) assert.equal(await status(of, `limit=${bad}`), 400, bad);
    if (max === 'not shown') assert.equal(await status(of, 'limit=101'), 200);
    else assert.deepEqual([await status(of, `limit=${max}`), await status(of, `limit=${max + 1}`)], [200, 400]);
  };
  const cursor = async (of: Endpoint): Promise<void> => {
    const key = getList(of)?.key ?? '';
    const first = await getJson(`${of.path}?limit=2`);
    const second = await getJson(`${of.path}?limit=2&next=${String(first['next'])}`);
    assert.equal(new Set([...getIds(toJsonObjects(first[key])), ...getIds(toJsonObjects(second[key]))]).size, 4);
  };
  const order = async (of: Endpoint): Promise<void> => {
    const up = await items(of, 'order=asc');
    assert.deepEqual(getIds(await items(of, 'order=desc')), getIds(up).toReversed());
    assert.deepEqual(
      readTimes(up),
      readTimes(up).toSorted((a, b) => a - b),
    );
  };
  const values = async (of: Endpoint, name: string, known: readonly string[]): Promise<void> => {
    for (const value of known) {
      const found = await items(of, `${name}=${value}`);
      assert.ok(found.length > 0 && found.every((item) => item[name] === value), value);
    }
    assert.equal(await status(of, `${name}=another`), 400);
  };
  const dates = async (of: Endpoint, name: string): Promise<void> => {
    const allItems = readTimes(await items(of), of.path.startsWith('/stats/') ? 'when' : name);
    const middle = allItems.toSorted((a, b) => a - b)[Math.floor(allItems.length / 2)] ?? 0;
    const at = new Date(middle).toISOString();
    if (of.path.startsWith('/stats/')) {
      // Points are on a grid of intervals: `gt` and `gte` cannot be distinguished.
      for (const bound of ['$gt', '$gte', '$lt', '$lte'])
        assert.notDeepEqual(await items(of, `${name}[${bound}]=${at}`), await items(of), bound);
      return;
    }
    const matches: Readonly<Record<string, (when: number) => boolean>> = {
      $gt: (when) => when > middle,
      $gte: (when) => when >= middle,
      $lt: (when) => when < middle,
      $lte: (when) => when <= middle,
    };
    for (const [bound, test] of Object.entries(matches))
      assert.equal((await items(of, `${name}[${bound}]=${at}`)).length, allItems.filter(test).length, bound);
  };
  const flag = async (of: Endpoint, name: string): Promise<void> => {
    if (name !== 'dropped') {
      assert.equal(name in (await getJson(`${of.path}?limit=5&${name}=true`)), true);
      assert.equal(name in (await getJson(`${of.path}?limit=5&${name}=false`)), false);
      return;
    }
    const dropped = (await items(of)).filter((item) => 'location' in item);
    assert.deepEqual(getIds(await items(of, 'dropped=true')), getIds(dropped));
    assert.equal((await items(of, 'dropped=false')).length, (await items(of)).length - dropped.length);
  };

  /** A text parameter: a value that matches some items returns only those; one that matches none returns none or is refused. */
  const text = async (of: Endpoint, name: string): Promise<void> => {
    if (of.path.endsWith('/invite')) {
      const [invite] = sandbox().invites;
      const parameters: Record<string, string> = { token: invite?.token ?? '', member_id: invite?.memberId ?? '' };
      const { [name]: _left, ...rest } = parameters;
      for (const wrong of [{ ...parameters, [name]: 'x' }, rest])
        assert.match((await ask(`${getPath(of)}?${new URLSearchParams(wrong).toString()}`)).text, /unknown invite/);
      return;
    }
    if (name === 'sortBy') {
      const field = SORTED[formatEndpointName(of)] ?? '';
      for (const [word, sign] of [
        ['asc', 1],
        ['desc', -1],
      ] as const) {
        const found = (await items(of, `sortBy=${field}&order=${word}`)).map((item) => item[field]);
        assert.ok(
          new Set(found).size > 1 && found.every((value) => typeof value === 'string' || typeof value === 'number'),
        );
        assert.deepEqual(
          found,
          found.toSorted((a, b) => (a === b ? 0 : a < b ? -sign : sign)),
        );
      }
      return;
    }
    const allItems = await items(of);
    const { value, matches } = probe(of, name, allItems);
    const found = await items(of, `${name}=${encodeURIComponent(value)}`);
    assert.ok(found.length > 0, `${value} finds none`);
    assert.notDeepEqual(found, allItems, `${value} finds all`);
    // A page of statistics has only the latest points, so that a filter may return older ones.
    if (matches !== undefined && of.path.startsWith('/stats/')) assert.ok(found.every(matches), value);
    else if (matches !== undefined) assert.deepEqual(getIds(found), getIds(allItems.filter(matches)));
    // The contract's descriptions of these two match no field, so unknown values filter nothing.
    if (of.path === '/messages/templates' && (name === 'system' || name === 'type')) return;
    const none = await ask(`${of.path}?${name}=no-such-thing`);
    if (none.status !== 400) assert.deepEqual(toJsonObjects(none.body[getList(of)?.key ?? '']), []);
  };

  interface Probe {
    readonly value: string;
    /** Tests an item; absent if its fields do not show it. */
    readonly matches?: (item: JsonObject) => boolean;
  }
  const probe = (of: Endpoint, name: string, allItems: readonly JsonObject[]): Probe => {
    const own = (field = name): Probe => {
      const value = getText(allItems.find((item) => field in item) ?? {}, field);
      return { value, matches: (item) => item[field] === value };
    };
    switch (name) {
      case 'org_id':
        return allItems[0] !== undefined && 'org_id' in allItems[0]
          ? own()
          : { value: sandbox().organizations[1]?.id ?? '' };
      case 'autocomplete':
        return { value: own('name').value.slice(0, 5) };
      case 'fqdn':
        return { value: 'meridian.goods', matches: (item) => item['org_id'] === sandbox().organizations[2]?.id };
      case 'geo_hash': {
        const hash = (item: JsonObject): string =>
          isObject(item['location']) ? getText(item['location'], 'geo_hash') : '';
        const value = hash(allItems.find((item) => hash(item) !== '') ?? {}).slice(0, 3);
        return { value, matches: (item) => hash(item).startsWith(value) };
      }
      case 'action_id':
        return own('id');
      case 'object_id': {
        const affected = (item: JsonObject): readonly JsonObject[] => toJsonObjects(item['affected_objects'] ?? []);
        const value = getText(allItems.flatMap(affected)[0] ?? {}, 'id');
        return { value, matches: (item) => affected(item).some((each) => each['id'] === value) };
      }
      case 'system':
        return own();
      case 'type':
        return of.path === '/messages/templates' ? own('action_type') : own();
      case 'interval':
        return { value: 'month' };
      case 'time_range':
        return { value: '3d' };
      case 'action_name':
        return { value: 'mint', matches: (item) => item['key'] === 'mint' };
      case 'template_id':
        return of.path.startsWith('/stats/')
          ? { value: getText(allItems[0] ?? {}, 'key'), matches: (item) => item['key'] === allItems[0]?.['key'] }
          : own();
      case 'signer':
        return of.path.startsWith('/stats/') ? { value: 'mariel' } : own();
      default:
        return own();
    }
  };

  test('every operation needs a credential; registration and invite if configured', async () => {
    const strict = await startSandbox({ objects: 5, logs: 5, walletCredential: true });
    try {
      for (const { method, path } of endpoints) {
        const url = path.replaceAll(/\{\w+\}/g, 'x');
        const body = method === 'POST' ? { body: {} } : {};
        assert.equal((await createSendRequest(() => strict)(url, { key: null, ...body })).status, 401, path);
        const open = path === '/wallets' || path.endsWith('/invite');
        assert.equal((await ask(url, { key: null, ...body })).status === 401, !open, path);
      }
      assert.equal((await createSendRequest(() => strict)('/wallets', { body: {} })).status, 200);
    } finally {
      await strict.close();
    }
  });

  test('unknown ids are a 404 if the contract has one, otherwise a 400', async () => {
    for (const of of endpoints.filter(
      ({ path, method }) => method === 'GET' && path.includes('{') && !path.endsWith('/invite'),
    )) {
      const path = of.path.replaceAll(/\{\w+\}/g, 'unknown');
      assert.equal((await ask(path)).status, of.statuses.includes(404) ? 404 : 400, path);
    }
  });

  test('POST /wallets: each rule of the body', async () => {
    const bad = [
      { nickname: 'not plain' },
      { nickname: 'x'.repeat(256) },
      { email: 'nobody' },
      { phone_number: '079 000' },
      { language: 'tlh' },
      { avatar: { id: 'x' } },
    ];
    for (const body of bad) assert.equal((await ask('/wallets', { body })).status, 400, JSON.stringify(body));
    const { body } = await ask('/wallets', { body: { password: 'correct horse', nickname: 'x'.repeat(255) } });
    assert.equal(JSON.stringify(body).includes('correct horse'), false);
  });

  test('POST /ebus/execute: requires an action, and accepts a signature that is a string', async () => {
    const template = getText((await items(getEndpoint('GET /public/templates')))[0] ?? {}, 'id');
    const action = { mint: { template_id: template } };
    for (const body of [{}, { action: 'mint' }, { signature: '0x1' }, { action, signature: 5 }])
      assert.equal((await ask('/ebus/execute', { body })).status, 400, JSON.stringify(body));
    for (const body of [{ action }, { action, signature: '0x1' }])
      assert.equal((await ask('/ebus/execute', { body })).status, 200);
  });
});

/** Intended differences of the sandbox. */
const DEPARTURES: Readonly<Record<string, readonly string[]>> = {
  // Only an object has an edition.
  'GET /public/templates': ['templates[].object.metadata.edition: never there'],
  'GET /templates/{templateId}': ['object.metadata.edition: never there'],
  // Newer deployments have views.
  'GET /faces': ['faces[].views: not in the contract'],
  // A series has one of the two fields.
  'GET /stats/actions/execution': ['data[].fee: never there'],
  'GET /stats/actions/fees': ['data[].count: never there'],
  'GET /stats/objects/creation': ['data[].fee: never there'],
};

/** A field to sort each list by, other than the default. */
const SORTED: Readonly<Record<string, string>> = {
  'GET /public/templates': 'name',
  'GET /objects': 'when_modified',
  'GET /support': 'when_modified',
  'GET /ebus/action-logs': 'version',
  'GET /faces': 'name',
  'GET /assets': 'size',
  'GET /messages/templates': 'name',
};

function readTimes(items: readonly JsonObject[], field = 'when_created'): readonly number[] {
  return items.map((item) => Date.parse(getText(item, field)));
}

function registration(turn: number): JsonObject {
  const { body } = getEndpoint('POST /wallets');
  const fields = body === undefined ? {} : example(body, turn);
  assert.ok(isObject(fields));
  return { ...fields, nickname: `guest${turn}`, email: `guest${turn}@example.org`, phone_number: `+41790000${turn}` };
}
