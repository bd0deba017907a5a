/** Generated data: matches the contract, varied, reproducible, and generated on demand. */
import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';
import { isObject, type JsonObject } from '../../../../src/platform/json/json.ts';
import { isKind, registry } from '../../../../src/platform/registry.ts';
import { accessTypes, actionNames, languages } from '../../../../src/platform/resources/shared-schemas.ts';
import { findDrift, getShape } from '../../../../src/platform/schema.ts';
import type { Item } from '../../../../src/sandbox/generation/collection.ts';
import { parseSettings, type SandboxOptions } from '../../../../src/sandbox/options.ts';
import { createWorld, type World } from '../../../../src/sandbox/world.ts';
import { readAllPages, getIds, toJsonObjects, useSandbox } from '../sandbox-client.ts';

const world = (options: SandboxOptions = {}): World =>
  createWorld(parseSettings({ clock: 'manual', secret: 'fixed', ...options }), () => 'http://127.0.0.1:1');
const everything = (of: World, kind: string): readonly Item[] => {
  const { source } = of.collection(kind);
  return Array.from({ length: source.size }, (_, index) => source.create(index));
};

suite('sandbox: generated data', () => {
  const { sandbox, ask } = useSandbox({ objects: 700 });

  for (const [kind, definition] of Object.entries(registry)) {
    if (!('list' in definition)) continue;
    test(`${kind}: every item of the list matches the contract`, async () => {
      const { list } = definition;
      const items = await readAllPages(ask, list.operation.path, list.key);
      assert(items.length >= 8, `${items.length} ${kind}`);
      const schema = 'schema' in list ? list.schema : definition.schema;
      for (const item of items) assert.deepEqual(findDrift(schema, item), [], JSON.stringify(item).slice(0, 200));
      assert.equal(new Set(getIds(items)).size, items.length);
    });
  }

  test('resources read by path match the contract', async () => {
    const { organizations, batches } = sandbox();
    for (const id of Object.values(batches))
      assert.deepEqual(findDrift(registry.batches.schema, (await ask(`/batches/${id}`)).json), []);
    for (const item of everything(sandbox().world, 'batches'))
      assert.deepEqual(findDrift(registry.batches.schema, item), []);
    for (const item of everything(sandbox().world, 'wallets'))
      assert.deepEqual(findDrift(registry.wallets.schema, item), []);
    for (const template of await readAllPages(ask, '/public/templates', 'templates')) {
      const { status, json } = await ask(`/templates/${String(template['id'])}`);
      assert.equal(status, 200);
      assert.deepEqual(findDrift(registry.templates.schema, json), []);
    }
    for (const { id, roles } of organizations)
      for (const name of ['default', ...roles.map((role) => role.id)]) {
        const { status, json } = await ask(`/organizations/${id}/roles/${name}`);
        assert.equal(status, 200);
        assert.deepEqual(findDrift(registry.roles.schema, json), []);
      }
  });

  test('edge cases are in an organization of their own', async () => {
    const [, , , edge] = sandbox().organizations;
    assert.equal(edge?.name, 'Edge cases');
    const names = async (path: string, key: string): Promise<readonly unknown[]> =>
      (await readAllPages(ask, `${path}?org_id=${edge.id}`, key)).map(({ name }) => name);
    assert.deepEqual((await names('/faces', 'faces')).toSorted(), [
      'Hostile face <script>',
      'Nothing to render',
      'Page that refuses framing',
      'Plain text slip',
      '海の物語 🌊',
    ]);
    const templates = await readAllPages(ask, '/public/templates', 'templates');
    const souvenir = templates.find(({ name }) => String(name).startsWith('Ünïcøde Souvenir'));
    const objects = await readAllPages(ask, `/objects?org_id=${edge.id}`, 'objects');
    assert.deepEqual(new Set(objects.map((object) => object['template_id'])), new Set([souvenir?.['id']]));
  });

  test('public templates lack the fields of full ones', async () => {
    for (const template of await readAllPages(ask, '/public/templates', 'templates')) {
      assert(!('fqdn' in template) && !('public_access' in template));
      assert(isObject(template['object']) && !('assets' in template['object']));
    }
  });

  test('every optional field of objects is sometimes present, sometimes absent', async () => {
    const objects = await readAllPages(ask, '/objects', 'objects');
    const fields = Object.keys(registry.objects.schema.shape);
    const optional = ['chain', 'custom', 'custom_hash', 'assets', 'location', 'integrity_root'];
    for (const field of fields) {
      const present = objects.filter((object) => field in object).length;
      assert(present > 0, `${field} is never there`);
      if (optional.includes(field)) assert(present < objects.length, `${field} is always there`);
    }
    const metadata = objects.map((object) => object['metadata']).filter(isObject);
    for (const field of ['name', 'description', 'image', 'edition']) {
      const present = metadata.filter((data) => field in data).length;
      assert(present > 0 && present < metadata.length, field);
    }
    const images = metadata
      .map((data) => data['image'])
      .filter(isObject)
      .map((image) => String(image['url']));
    assert(
      images.some((url) => url.startsWith('/files/')) &&
        images.some((url) => url.startsWith('data:')) &&
        images.some((url) => url.startsWith('http:')),
    );
    const text = JSON.stringify(objects);
    for (const telling of [
      '0x0000000000000000000000000000000000000000',
      '<script>',
      'onerror',
      '海の物語',
      '👩‍👩‍👧‍👦',
      'مرحبا',
    ])
      assert(text.includes(telling), telling);
    assert(/"serial_number":9007199254\d{10}[,}]/.test(text), 'an integer past what a double holds, to the digit');
  });

  test('templates use every action and every access type, with all kinds of factories', () => {
    const templates = everything(sandbox().world, 'templates');
    const actions = templates.flatMap((template) => toJsonObjects(template['actions']));
    assert.deepEqual(new Set(actions.map((action) => action['name'])), new Set(actionNames));
    const access = actions.map((action) => action['access']).filter(isObject);
    assert.deepEqual(new Set(access.map((one) => one['type'])), new Set(accessTypes));
    assert(JSON.stringify(access).includes('9007199254740993'));
    const factories = templates.map((template) => template['factory']);
    assert(factories.some((factory) => factory === undefined));
    const present = factories.filter(isObject);
    assert(present.some((factory) => factory['max_supply'] === 0));
    for (const field of ['start_time', 'end_time', 'whitelist']) {
      assert(present.some((factory) => field in factory) && present.some((factory) => !(field in factory)), field);
    }
    assert(templates.length >= 8);
  });

  test('faces come in every form', async () => {
    const faces = await readAllPages(ask, '/faces', 'faces');
    assert(faces.length >= 12);
    const contents = faces.map((face) => (typeof face['content'] === 'string' ? face['content'] : ''));
    for (const form of ['<!doctype html>', '<svg', '{{.metadata.name}}', '{{range', 'canary.invalid'])
      assert(
        contents.some((content) => content.includes(form)),
        form,
      );
    assert(
      contents.some((content) => content.startsWith('http')),
      'a picture by its address',
    );
    assert(
      contents.some((content) => content !== '' && !content.includes('<')),
      'plain text',
    );
    assert(
      faces.some((face) => !('url' in face) && !('content' in face)),
      'nothing to render',
    );
    for (const face of faces) {
      if (typeof face['url'] !== 'string') continue;
      const page = await fetch(`${face['url']}?object_id=x`);
      assert.equal(page.status, 200);
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
      await page.arrayBuffer();
    }
  });

  test('message templates are of every language, system and type, API keys of different permissions', async () => {
    const messages = await readAllPages(ask, '/messages/templates', 'templates');
    const kinds = new Set(
      messages.map((item) => `${String(item['language'])} ${String(item['system'])} ${String(item['action_type'])}`),
    );
    assert.equal(kinds.size, languages.length * 3 * 8);
    const keys = await readAllPages(ask, '/api-keys', 'keys');
    assert(keys.length >= 5);
    assert(keys.every((key) => typeof key['key'] === 'string'));
    assert(keys.some((key) => 'expires_at' in key) && keys.some((key) => !('expires_at' in key)));
    assert.equal(new Set(keys.map((key) => JSON.stringify(key['permissions']))).size, 7);
  });

  test('at least 2,000 logs of the last 30 days in every state, batches in every state', async () => {
    const { world: generated, batches } = sandbox();
    const logs = everything(generated, 'action-logs');
    assert(logs.length >= 2000);
    assert.deepEqual(new Set(logs.map((log) => log['status'])), new Set(['pending', 'completed', 'failed']));
    const oldest = generated.context.epoch - 30 * 86_400_000;
    for (const log of logs) {
      const when = Date.parse(String(log['when_created']));
      assert(when >= oldest && when <= generated.context.epoch);
    }
    assert.deepEqual(new Set(Object.keys(batches)), new Set(['pending', 'processing', 'completed', 'failed']));
    for (const [state, id] of Object.entries(batches)) {
      const { body } = await ask(`/batches/${id}`);
      assert.equal(body['status'], state);
      assert.equal('error' in body, state === 'failed');
      assert.equal('when_completed' in body, state === 'completed');
      assert.equal(/^0x0+$/.test(String(body['l1_tx_hash'])), state !== 'completed');
      assert.equal('signatures' in body, state !== 'pending');
    }
  });

  test('completed logs of an object chain its state roots up to the current one', () => {
    const { world: generated } = sandbox();
    const chains = new Map<string, JsonObject[]>();
    for (const log of everything(generated, 'action-logs')) {
      if (!Array.isArray(log['affected_objects'])) continue;
      for (const affected of toJsonObjects(log['affected_objects'])) {
        const id = String(affected['id']);
        chains.set(id, [...(chains.get(id) ?? []), affected]);
      }
    }
    assert(chains.size > 100);
    for (const [id, links] of chains) {
      links.forEach((link, place) => {
        const before = links[place - 1];
        if (before !== undefined) assert.equal(link['prev_state_root'], before['next_state_root'], id);
      });
      const object = generated.collection('objects').get(id);
      if (object !== undefined) assert.equal(links.at(-1)?.['next_state_root'], object['state_root'], id);
    }
  });

  test('a batch and its logs refer to each other', () => {
    const { world: generated, batches } = sandbox();
    const batch = generated.collection('batches').get(batches['completed'] ?? '');
    for (const action of toJsonObjects(batch?.['affected_actions'])) {
      const log = generated.collection('action-logs').get(String(action['id']));
      assert.equal(log?.['batch_id'], batches['completed']);
      assert.equal(log?.['hash'], action['hash']);
    }
  });

  test('asset files match their description', async () => {
    const assets = await readAllPages(ask, '/assets', 'assets');
    const types = new Set(assets.map((asset) => asset['type']));
    assert.deepEqual(types, new Set(['image/svg+xml', 'image/png', 'image/jpeg']));
    for (const asset of assets) {
      const open = asset['is_public'] !== false;
      const response = await fetch(String(asset['url']), open ? {} : { headers: { 'x-api-key': sandbox().apiKey } });
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), asset['type']);
      assert.equal(bytes.length, asset['size']);
      if (asset['type'] === 'image/png') assertPng(bytes);
      if (asset['type'] === 'image/jpeg') {
        assert.equal(bytes.readUInt16BE(0), 0xffd8);
        assert.equal(bytes.readUInt16BE(bytes.length - 2), 0xffd9);
      }
      if (open) continue;
      const refused = await fetch(String(asset['url']));
      await refused.arrayBuffer();
      assert.equal(refused.status, 401);
    }
    assert.equal((await ask('/files/unknown/x.png')).status, 404);
  });
});

function assertPng(bytes: Buffer): void {
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const start = bytes.indexOf('IDAT') + 4;
  const rows = inflateSync(bytes.subarray(start, start + bytes.readUInt32BE(start - 8)));
  assert.equal(rows.length, height * (1 + width * 3));
}

suite('sandbox: seeds and sizes', () => {
  test('the same seed generates the same data, another one different data', () => {
    for (const kind of Object.keys(registry)) {
      if (kind === 'roles') continue;
      const [one, two, other] = [world(), world(), world({ seed: 2 })].map((generated) =>
        JSON.stringify(everything(generated, kind)),
      );
      assert.equal(one, two, kind);
      assert.notEqual(one, other, kind);
    }
  });

  test('identifiers depend neither on the number of objects nor on the date', () => {
    const [few, many] = [world({ objects: 10 }), world({ objects: 1_000_000, start: '2027-05-05T00:00:00Z' })];
    for (let index = 0; index < 10; index++) assert.equal(few.objects.idAt(index), many.objects.idAt(index));
  });

  test('identifiers map to their kind and index, other texts do not', () => {
    const generated = world({ objects: 5000 });
    const prefixes = new Map<string, string>();
    for (const [kind, { source }] of generated.collections) {
      for (let index = 0; index < Math.min(source.size, 500); index++) {
        const { id } = source.create(index);
        assert(typeof id === 'string');
        assert.equal(source.indexOf(id), index);
        prefixes.set(id.slice(0, 4), kind);
        for (const [other, collection] of generated.collections)
          if (other !== kind) assert.equal(collection.find(id), undefined);
      }
    }
    assert.equal(prefixes.size, generated.collections.size);
    assert.equal(generated.collection('objects').find('obj_000000000000000000000000'), undefined);
  });

  test('a column has what the items have, dates as milliseconds', () => {
    const { collections, definitions } = world({ objects: 200 });
    const checked = new Set<string>();
    for (const [kind, { source }] of collections) {
      const { schema } = definitions[kind] ?? registry.objects;
      for (const [field, getValue] of Object.entries(source.columns ?? {})) {
        if (!(field in (getShape(schema) ?? {}))) continue;
        checked.add(kind);
        const isDate = field.startsWith('when_');
        for (let index = 0; index < Math.min(source.size, 200); index++) {
          const value = source.create(index)[field];
          assert.deepEqual(getValue(index), isDate ? Date.parse(String(value)) : value, `${kind}: ${field}`);
        }
      }
    }
    assert.deepEqual(checked, new Set(['objects', 'action-logs']));
  });

  test('a page of a million objects generates only that page', async () => {
    const generated = world({ objects: 1_000_000 });
    const { source } = generated.collection('objects');
    let count = 0;
    const make = source.create.bind(source);
    const counting = { ...source, create: (index: number) => (count++, make(index)) };
    const { Collection } = await import('../../../../src/sandbox/generation/collection.ts');
    const { readListPage: takePage } = await import('../../../../src/sandbox/lists/list-page.ts');
    const { createEntryTest } = await import('../../../../src/sandbox/lists/filters.ts');
    const { readListQuery } = await import('../../../../src/sandbox/lists/list-query.ts');
    const { operation } = registry.objects.list;
    const collection = new Collection(counting);
    const middle = new Date(source.createdAt(500_000)).toISOString();
    const owner = generated.objects.getOwner(3);
    const queries = [
      '', 'order=asc', `when_created[$gte]=${middle}`, `when_modified[$lt]=${middle}`, `org_id=${generated.organizations[1].id}`,
      `template_id=${generated.templates.source.idAt(10)}`, `owner=${owner}`, 'dropped=true', 'geo_hash=u', 'sortBy=when_modified', 'fqdn=meridian.goods',
    ]; // prettier-ignore
    for (const text of queries) {
      count = 0;
      const query = readListQuery(operation, new URLSearchParams(text), registry.objects.schema);
      const page = await takePage(collection, operation, query, createEntryTest(generated, 'objects', query));
      assert.equal(page.items.length, 25, text);
      assert(count <= 26, `${text}: ${count} generated`);
    }
  });

  test('a million objects are created in order, and spread over the templates as counted', () => {
    const { source } = world({ objects: 1_000_000 }).objects;
    for (let index = 1; index < 1_000_000; index += 997) assert(source.createdAt(index) > source.createdAt(index - 1));
    for (const size of [0, 1, 63, 64, 65, 1000]) {
      const generated = world({ objects: size });
      const templates = everything(generated, 'objects').map((object) => object['template_id']);
      for (const template of everything(generated, 'templates')) {
        const minted = isObject(template['factory']) ? template['factory']['minted_count'] : undefined;
        if (minted !== undefined) assert.equal(minted, templates.filter((id) => id === template['id']).length);
      }
    }
  });

  test('invalid options are refused', () => {
    for (const bad of [
      { port: -1 },
      { objects: 1.5 },
      { objects: 1e12 },
      { basePath: 'no slash' },
      { start: 'yesterday' },
    ])
      assert.throws(() => parseSettings(bad), RangeError);
    assert(isKind('objects'));
  });
});
