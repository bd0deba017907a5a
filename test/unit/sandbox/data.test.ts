/** The generated data: contract-true, varied, the same for the same seed, and free of cost however many there are. */
import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';
import { isObject, type JsonObject } from '../../../src/platform/json.ts';
import { isKind, registry } from '../../../src/platform/registry.ts';
import { accessTypes, actionNames, languages } from '../../../src/platform/resources/shapes.ts';
import { driftOf } from '../../../src/platform/schema.ts';
import type { Item } from '../../../src/sandbox/collection.ts';
import { settingsOf, type SandboxOptions } from '../../../src/sandbox/options.ts';
import { makeWorld, type World } from '../../../src/sandbox/world.ts';
import { all, idsOf, objectsIn, suiteSandbox } from './kit.ts';

const world = (options: SandboxOptions = {}): World =>
  makeWorld(settingsOf({ clock: 'manual', secret: 'fixed', ...options }), () => 'http://127.0.0.1:1');
const everything = (of: World, kind: string): readonly Item[] => {
  const { source } = of.collection(kind);
  return Array.from({ length: source.size }, (_, index) => source.make(index));
};

suite('sandbox: generated data', function () {
  this.timeout(30_000);
  const { sandbox, ask } = suiteSandbox({ objects: 700 });

  for (const [kind, row] of Object.entries(registry)) {
    if (!('list' in row)) continue;
    test(`${kind}: every item of the list is as the contract says`, async () => {
      const { list } = row;
      const items = await all(ask, list.operation.path, list.key);
      assert(items.length >= 8, `${items.length} ${kind}`);
      const schema = 'schema' in list ? list.schema : row.schema;
      for (const item of items) assert.deepEqual(driftOf(schema, item), [], JSON.stringify(item).slice(0, 200));
      assert.equal(new Set(idsOf(items)).size, items.length);
    });
  }

  test('what is read by path is as the contract says', async () => {
    const { organizations, batches } = sandbox();
    for (const id of Object.values(batches))
      assert.deepEqual(driftOf(registry.batches.schema, (await ask(`/batches/${id}`)).json), []);
    for (const item of everything(sandbox().world, 'batches'))
      assert.deepEqual(driftOf(registry.batches.schema, item), []);
    for (const item of everything(sandbox().world, 'wallets'))
      assert.deepEqual(driftOf(registry.wallets.schema, item), []);
    for (const template of await all(ask, '/public/templates', 'templates')) {
      const { status, json } = await ask(`/templates/${String(template['id'])}`);
      assert.equal(status, 200);
      assert.deepEqual(driftOf(registry.templates.schema, json), []);
    }
    for (const { id, roles } of organizations)
      for (const name of ['default', ...roles.map((role) => role.id)]) {
        const { status, json } = await ask(`/organizations/${id}/roles/${name}`);
        assert.equal(status, 200);
        assert.deepEqual(driftOf(registry.roles.schema, json), []);
      }
  });

  test('public templates leave out what only the full ones have', async () => {
    for (const template of await all(ask, '/public/templates', 'templates')) {
      assert(!('fqdn' in template) && !('public_access' in template));
      assert(isObject(template['object']) && !('assets' in template['object']));
    }
  });

  test('objects have every optional field, and lack every one', async () => {
    const objects = await all(ask, '/objects', 'objects');
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
    const actions = templates.flatMap((template) => objectsIn(template['actions']));
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
    const faces = await all(ask, '/faces', 'faces');
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

  test('message templates are of every language, system and type, API keys of different powers', async () => {
    const messages = await all(ask, '/messages/templates', 'templates');
    const kinds = new Set(
      messages.map((item) => `${String(item['language'])} ${String(item['system'])} ${String(item['action_type'])}`),
    );
    assert.equal(kinds.size, languages.length * 3 * 8);
    const keys = await all(ask, '/api-keys', 'keys');
    assert(keys.length >= 5);
    assert(keys.every((key) => typeof key['key'] === 'string'));
    assert(keys.some((key) => 'expires_at' in key) && keys.some((key) => !('expires_at' in key)));
    assert.equal(new Set(keys.map((key) => JSON.stringify(key['permissions']))).size, 7);
  });

  test('at least 2,000 logs of the last 30 days in every state, batches in every state', async () => {
    const { world: held, batches } = sandbox();
    const logs = everything(held, 'action-logs');
    assert(logs.length >= 2000);
    assert.deepEqual(new Set(logs.map((log) => log['status'])), new Set(['pending', 'completed', 'failed']));
    const oldest = held.context.epoch - 30 * 86_400_000;
    for (const log of logs) {
      const when = Date.parse(String(log['when_created']));
      assert(when >= oldest && when <= held.context.epoch);
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

  test('completed logs of an object chain its state roots up to the state it has', () => {
    const { world: held } = sandbox();
    const chains = new Map<string, JsonObject[]>();
    for (const log of everything(held, 'action-logs')) {
      if (!Array.isArray(log['affected_objects'])) continue;
      for (const affected of objectsIn(log['affected_objects'])) {
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
      const object = held.collection('objects').get(id);
      if (object !== undefined) assert.equal(links.at(-1)?.['next_state_root'], object['state_root'], id);
    }
  });

  test('a batch names its logs, and they name the batch', () => {
    const { world: held, batches } = sandbox();
    const batch = held.collection('batches').get(batches['completed'] ?? '');
    for (const action of objectsIn(batch?.['affected_actions'])) {
      const log = held.collection('action-logs').get(String(action['id']));
      assert.equal(log?.['batch_id'], batches['completed']);
      assert.equal(log?.['hash'], action['hash']);
    }
  });

  test('assets are served as they are described', async () => {
    const assets = await all(ask, '/assets', 'assets');
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

suite('sandbox: seeds and sizes', function () {
  this.timeout(30_000);
  test('the same seed makes the same data, another one makes other', () => {
    for (const kind of Object.keys(registry)) {
      if (kind === 'roles') continue;
      const [one, two, other] = [world(), world(), world({ seed: 2 })].map((held) =>
        JSON.stringify(everything(held, kind)),
      );
      assert.equal(one, two, kind);
      assert.notEqual(one, other, kind);
    }
  });

  test('identifiers do not depend on how many objects there are or when it is', () => {
    const [few, many] = [world({ objects: 10 }), world({ objects: 1_000_000, start: '2027-05-05T00:00:00Z' })];
    for (let index = 0; index < 10; index++) assert.equal(few.objects.idAt(index), many.objects.idAt(index));
  });

  test('identifiers tell their kind, lead back to their index, and nothing else does', () => {
    const held = world({ objects: 5000 });
    const prefixes = new Map<string, string>();
    for (const [kind, { source }] of held.collections) {
      for (let index = 0; index < Math.min(source.size, 500); index++) {
        const { id } = source.make(index);
        assert(typeof id === 'string');
        assert.equal(source.indexOf(id), index);
        prefixes.set(id.slice(0, 4), kind);
        for (const [other, collection] of held.collections)
          if (other !== kind) assert.equal(collection.find(id), undefined);
      }
    }
    assert.equal(prefixes.size, held.collections.size);
    assert.equal(held.collection('objects').find('obj_000000000000000000000000'), undefined);
  });

  test('a page of a million objects makes that page and no more', async () => {
    const held = world({ objects: 1_000_000 });
    const { source } = held.collection('objects');
    let made = 0;
    const make = source.make.bind(source);
    const counting = { ...source, make: (index: number) => (made++, make(index)) };
    const { Collection } = await import('../../../src/sandbox/collection.ts');
    const { takePage } = await import('../../../src/sandbox/page.ts');
    const { readListQuery } = await import('../../../src/sandbox/query.ts');
    const { operation } = registry.objects.list;
    const collection = new Collection(counting);
    const middle = new Date(source.createdAt(500_000)).toISOString();
    const owner = held.objects.ownerOf(3);
    const queries = [
      '', 'order=asc', `when_created[$gte]=${middle}`, `when_modified[$lt]=${middle}`, `org_id=${held.organizations[1].id}`,
      `template_id=${held.templates.source.idAt(10)}`, `owner=${owner}`, 'dropped=true', 'geo_hash=u', 'sortBy=when_modified', 'fqdn=meridian.goods',
    ]; // prettier-ignore
    for (const text of queries) {
      made = 0;
      const query = readListQuery(operation, new URLSearchParams(text), registry.objects.schema);
      const page = await takePage(collection, { operation, query, matches: () => true, organizations: undefined });
      assert.equal(page.items.length, 25, text);
      assert(made <= 26, `${text}: ${made} made`);
    }
  });

  test('a million objects are created in order, and spread over the templates as counted', () => {
    const { source } = world({ objects: 1_000_000 }).objects;
    for (let index = 1; index < 1_000_000; index += 997) assert(source.createdAt(index) > source.createdAt(index - 1));
    for (const size of [0, 1, 63, 64, 65, 1000]) {
      const held = world({ objects: size });
      const templates = everything(held, 'objects').map((object) => object['template_id']);
      for (const template of everything(held, 'templates')) {
        const minted = isObject(template['factory']) ? template['factory']['minted_count'] : undefined;
        if (minted !== undefined) assert.equal(minted, templates.filter((id) => id === template['id']).length);
      }
    }
  });

  test('options that make no sense are refused', () => {
    for (const bad of [
      { port: -1 },
      { objects: 1.5 },
      { objects: 1e12 },
      { basePath: 'no slash' },
      { start: 'yesterday' },
    ])
      assert.throws(() => settingsOf(bad), RangeError);
    assert(isKind('objects'));
  });
});
