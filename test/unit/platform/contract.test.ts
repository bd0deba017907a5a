/** Registry and client against the contract as it is written out by hand, through a server that knows neither. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import * as z from 'zod/mini';
import { readAnswer } from '../../../src/actions/answer.ts';
import { PlatformClient, type Reading } from '../../../src/platform/client.ts';
import { isObject } from '../../../src/platform/json.ts';
import * as operations from '../../../src/platform/operation.ts';
import type { Page } from '../../../src/platform/page.ts';
import { registry } from '../../../src/platform/registry.ts';
import type { ResourceRow } from '../../../src/platform/resource.ts';
import * as executing from '../../../src/platform/resources/actions.ts';
import * as inviting from '../../../src/platform/resources/invites.ts';
import { objectSidecars } from '../../../src/platform/resources/objects.ts';
import { permission, resourceNames } from '../../../src/platform/resources/permission.ts';
import { statistics, statisticsPoint } from '../../../src/platform/resources/statistics.ts';
import { registerWallet, wallet } from '../../../src/platform/resources/wallets.ts';
import { driftOf, viewOf, type Drift } from '../../../src/platform/schema.ts';
import { defaultPresentation, defaultQueryWords } from '../../../src/platform/target.ts';
import type { Transport } from '../../../src/platform/transport.ts';
import { createTransport } from '../../../src/platform/undici.ts';
import { endpoint, endpoints, listOf, nameOf, resources, type Endpoint, type Query } from '../../support/contract.ts';
import { at, departures, example, leaves, turns } from '../../support/example.ts';

const rows: readonly ResourceRow[] = Object.values(registry);
const lists = new Map(
  rows.flatMap((row) => (row.list === undefined ? [] : [[keyOf(row.list.operation), row] as const])),
);

function keyOf(operation: operations.Operation): string {
  return operations.nameOf(operation);
}

/** Every operation that the product has, by name. */
function known(): ReadonlyMap<string, operations.Operation> {
  const all: operations.Operation[] = [executing.executeAction, inviting.confirmInvite, registerWallet];
  all.push(...statistics.map(({ operation }) => operation));
  for (const { list, read } of rows) {
    if (list !== undefined) all.push(list.operation);
    if (read.by === 'path') all.push(read.operation, ...Object.values(read.variants ?? {}));
  }
  return new Map(all.map((operation) => [keyOf(operation), operation]));
}

/** The schema of an answer, or of the items of a list. */
function schemaOf(name: string): z.core.SomeType {
  const row = lists.get(name);
  if (row?.list !== undefined) return row.list.schema ?? row.schema;
  if (name.startsWith('GET /stats/')) return statisticsPoint;
  if (name === 'POST /ebus/execute') return executing.executionResult;
  if (name === 'POST /wallets') return wallet;
  if (name.endsWith('/invite')) return inviting.tokens;
  for (const { read, schema } of rows) {
    if (read.by !== 'path') continue;
    if ([read.operation, ...Object.values(read.variants ?? {})].some((operation) => keyOf(operation) === name))
      return schema;
  }
  throw new Error(`no schema for ${name}`);
}

/** The shape that a schema of ours is held against: an answer's, or of the items of a list. */
function shapeOf(of: Endpoint): Endpoint['answer'] {
  const walletShape = of.answer.fields['wallet'];
  if (typeof walletShape === 'object' && 'fields' in walletShape) return walletShape;
  return listOf(of)?.item ?? of.answer;
}

/** A parameter of ours in the contract's words. */
function queryOf(name: string, parameter: operations.Parameter): Query {
  switch (parameter.type) {
    case 'limit':
      return { limit: parameter.max ?? 'not shown' };
    case 'enum':
      return { values: parameter.values };
    case 'text':
    case 'id':
      return 'text';
    case 'flag':
    case 'dates':
    case 'cursor':
    case 'order':
      assert.equal(parameter.type === 'cursor', name === 'next');
      return parameter.type;
  }
}

suite('contract: registry', () => {
  useServer();

  test('has the twenty operations, no fewer and no more', () => {
    assert.equal(endpoints.length, 20);
    assert.deepEqual([...known().keys()].toSorted(), endpoints.map(nameOf).toSorted());
  });

  test('has the resources that permissions name', () => {
    assert.deepEqual([...resourceNames], [...resources]);
    for (const resource of resources) {
      const crud = { read: true, create: false, update: false, delete: true };
      assert.deepEqual(driftOf(permission, { resource, crud }), []);
    }
  });

  for (const of of endpoints) {
    const name = nameOf(of);
    test(`${name}: the same parameters, with their values and limits`, () => {
      const query = known().get(name)?.query ?? {};
      const described = Object.entries(query).map(([each, parameter]) => [each, queryOf(each, parameter)] as const);
      assert.deepEqual(Object.fromEntries(described), of.query);
    });

    test(`${name}: knows each field, what is required, and each value`, () => {
      const schema = schemaOf(name);
      const shape = shapeOf(of);
      const names = schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
      assert.deepEqual(
        names.toSorted(),
        Object.keys(shape.fields)
          .map((each) => each.replace('?', ''))
          .toSorted(),
      );
      for (let turn = 0; turn < turns(shape); turn++) {
        const value = example(shape, turn);
        assert.deepEqual(driftOf(schema, value), []);
        const view = viewOf(schema, value);
        for (const leaf of leaves(shape, value))
          assert.deepEqual(plainOf(leaf.steps.reduce(at, view)), leaf.value, leaf.steps.join('.'));
      }
      for (const { path, problem, value } of departures(shape))
        assert.deepEqual(driftOf(schema, value).map(brief), problem === undefined ? [] : [[path, problem]], path);
    });

    const list = listOf(of);
    if (list === undefined) continue;
    test(`${name}: the list stands where the contract has it, and is required where the contract says so`, async () => {
      const { key, item } = list;
      const page = await answered({ [key]: [example(item)], next: 'n' }, (client) => readList(client, name));
      assert.deepEqual(page.items.length, 1);
      assert.deepEqual(page.drift, []);
      if (!name.startsWith('GET /stats/')) assert.equal(page.next, 'n');
      const without = await answered({}, (client) => readList(client, name));
      assert.deepEqual(without.drift.map(brief), key in of.answer.fields ? [[key, 'missing']] : []);
    });
  }

  test('GET /objects: faces and actions beside the objects', () => {
    const { fields } = endpoint('GET /objects').answer;
    const shape = {
      fields: Object.fromEntries(Object.entries(fields).filter(([name]) => ['faces?', 'actions?'].includes(name))),
    };
    assert.deepEqual(driftOf(objectSidecars, example(shape)), []);
    const view = viewOf(objectSidecars, example(shape));
    for (const leaf of leaves(shape, example(shape)))
      assert.deepEqual(plainOf(leaf.steps.reduce(at, view)), leaf.value, leaf.steps.join('.'));
    for (const { path, problem, value } of departures(shape))
      assert.deepEqual(driftOf(objectSidecars, value).map(brief), problem === undefined ? [] : [[path, problem]], path);
  });
});

function record(value: unknown): Readonly<Record<string, unknown>> {
  assert.ok(isObject(value));
  return value;
}

function brief({ path, problem }: Drift): readonly [string, string] {
  return [path, problem];
}

function plainOf(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly accept: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

let server: Server;
let transport: Transport;
let asked: Asked[] = [];
let answer: unknown;

function makeClient(): PlatformClient {
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return new PlatformClient({
    target: {
      name: 'Contract',
      baseUrl: `http://127.0.0.1:${address.port}/base`,
      presentation: defaultPresentation,
      words: defaultQueryWords,
    },
    transport,
    timeouts: { connect: 5000, headers: 5000, body: 5000 },
    credential: () => Promise.resolve({ apiKey: 'key' }),
  });
}

/** The server of a suite, which answers whatever it is told to and writes down what it was asked. */
function useServer(): void {
  suiteSetup(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const url = new URL(request.url ?? '', 'http://x');
        const { accept, 'content-type': type } = request.headers;
        asked.push({
          method: request.method ?? '',
          path: url.pathname,
          query: [...url.searchParams],
          accept,
          type,
          body,
        });
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    transport = createTransport({});
  });
  suiteTeardown(async () => {
    await transport.close();
    server.closeAllConnections();
    server.close();
  });
  setup(() => {
    asked = [];
  });
}

async function answered<T>(json: unknown, run: (client: PlatformClient) => Promise<T>): Promise<T> {
  answer = json;
  return run(makeClient());
}

const series: Readonly<Record<string, (client: PlatformClient) => Promise<Page>>> = {
  'GET /stats/actions/execution': (client) => client.statistics(statistics[0], {}),
  'GET /stats/actions/fees': (client) => client.statistics(statistics[1], {}),
  'GET /stats/objects/creation': (client) => client.statistics(statistics[2], {}),
};

function readList(client: PlatformClient, name: string): Promise<Page> {
  const row = lists.get(name);
  if (row !== undefined) return client.pageOf(row, {});
  const read = series[name];
  assert.ok(read !== undefined, name);
  return read(client);
}

/** As the product asks for a list: statistics by their operation, others by their row. */
function ask(client: PlatformClient, name: string, query: operations.AnyQuery): Promise<unknown> {
  const row = lists.get(name);
  const operation = known().get(name);
  assert.ok(operation !== undefined, name);
  return row === undefined ? client.send(operation, {}, query) : client.pageOf(row, query);
}

const WHEN = '2026-03-02T10:00:00Z';

/** A value for each parameter, and how the contract has it sent. */
function filled(
  query: Endpoint['query'],
): { given: operations.AnyQuery; sent: readonly (readonly [string, string])[] }[] {
  const most = Math.max(
    1,
    ...Object.values(query).map((of) => (typeof of === 'object' && 'values' in of ? of.values.length : 1)),
  );
  return Array.from({ length: most }, (_, turn) => {
    const given: Record<string, operations.AnyQuery[string]> = {};
    const sent: [string, string][] = [];
    for (const [name, of] of Object.entries(query)) {
      const text = `${name} & [${turn}]`;
      if (of === 'dates') {
        given[name] = { gt: WHEN, gte: WHEN, lt: WHEN, lte: WHEN };
        for (const bound of ['$gt', '$gte', '$lt', '$lte']) sent.push([`${name}[${bound}]`, WHEN]);
        continue;
      }
      const [value, word]: readonly [string | number | boolean, string] =
        of === 'flag'
          ? [true, 'true']
          : of === 'order'
            ? ['ascending', 'asc']
            : typeof of === 'string'
              ? [text, text]
              : 'limit' in of
                ? [of.limit === 'not shown' ? 7 : of.limit, String(of.limit === 'not shown' ? 7 : of.limit)]
                : [of.values[turn % of.values.length] ?? '', of.values[turn % of.values.length] ?? ''];
      given[name] = value;
      sent.push([name, word]);
    }
    return { given, sent };
  });
}

suite('contract: client', () => {
  useServer();

  for (const of of endpoints) {
    const name = nameOf(of);
    const list = listOf(of);
    if (list === undefined) continue;
    test(`${name}: sends every parameter under its name`, async () => {
      for (const { given, sent } of filled(of.query)) {
        asked = [];
        await answered({ [list.key]: [] }, (client) => ask(client, name, given));
        const [request] = asked;
        assert.equal(request?.method, 'GET');
        assert.equal(request.path, `/base${of.path}`);
        assert.equal(request.accept, 'application/json');
        assert.deepEqual(sorted(request.query), sorted(sent));
      }
    });
  }

  const reads: Readonly<Record<string, readonly [kind: keyof typeof registry, id: readonly string[], path: string]>> = {
    'GET /templates/{templateId}': ['templates', ['t 1'], '/templates/t%201'],
    'GET /objects/{objectId}': ['objects', ['o/1'], '/objects/o%2F1'],
    'GET /batches/{batchId}': ['batches', ['b1'], '/batches/b1'],
    'GET /organizations/{organizationId}/roles/{roleId}': ['roles', ['g', 'r'], '/organizations/g/roles/r'],
    'GET /organizations/{organizationId}/roles/default': ['roles', ['g', 'default'], '/organizations/g/roles/default'],
    'GET /organizations/{organizationId}/myrole': ['roles', ['g', 'myrole'], '/organizations/g/myrole'],
  };
  for (const [name, [kind, id, path]] of Object.entries(reads)) {
    const row: ResourceRow = registry[kind];
    test(`${name}: asks that path, and reads every field`, async () => {
      const { answer: shape } = endpoint(name);
      const value = example(shape);
      const { item, text } = await answered(value, (client) => client.readOf(row, id));
      assert.deepEqual(
        asked.map(({ method, path }) => [method, path]),
        [['GET', `/base${path}`]],
      );
      assert.deepEqual(item.drift, []);
      for (const leaf of leaves(shape, value))
        assert.deepEqual(plainOf(leaf.steps.reduce(at, item.view)), leaf.value, leaf.steps.join('.'));
      assert.deepEqual(JSON.parse(text), value);
    });
  }

  test('what is wrapped one level deep is a resource of its kind, in lists and in documents', async () => {
    for (const of of endpoints) {
      const listed = lists.get(nameOf(of));
      const item = listOf(of)?.item;
      if (listed === undefined || item === undefined) continue;
      const row: ResourceRow = listed;
      const filtered = ['filter', 'paging'].includes(row.read.by);
      const value = example(item);
      const id = at(value, 'id');
      assert.ok(typeof id === 'string');
      const wrapper = row.singular.replaceAll(' ', '_');
      const wrapped = { items: [{ [wrapper]: value, rank: 1 }, { [wrapper]: value }] };
      for (const sent of [wrapped, { success: true, data: wrapped }]) {
        const page = await answered(sent, (client) => client.pageOf(row));
        assert.deepEqual(
          page.items.map((each) => [each.id, each.drift.length]),
          [
            [id, 0],
            [id, 0],
          ],
          row.kind,
        );
        assert.ok(page.drift.some(({ message }) => message.includes(wrapper)));
        if (filtered) {
          const { item: read, text }: Reading = await answered(sent, (client) => client.readOf(row, [id]));
          assert.deepEqual([read.id, at(JSON.parse(text), 'id')], [id, id], row.kind);
        }
      }
    }
    for (const [name, [kind, id]] of Object.entries(reads)) {
      const row: ResourceRow = registry[kind];
      const value = example(endpoint(name).answer);
      for (const sent of [{ [row.singular]: value }, { data: { [row.singular]: value } }, { data: value }]) {
        const { item, text } = await answered(sent, (client) => client.readOf(row, id));
        assert.deepEqual(item.drift, [], name);
        assert.deepEqual(JSON.parse(text), value);
      }
    }
    // A picture inside is not the resource.
    const page = await answered({ objects: [{ name: 'x', metadata: { id: 'm' } }] }, (client) =>
      client.page('objects'),
    );
    assert.equal(page.items[0]?.id, undefined);
  });

  test('another name for a root or an action id is no drift; its absence is', () => {
    const object = { ...record(example(shapeOf(endpoint('GET /objects')))), state_root: undefined };
    assert.deepEqual(driftOf(registry.objects.schema, { ...object, state_hash: '0x1' }), []);
    assert.deepEqual(driftOf(registry.objects.schema, object).map(brief), [['state_root', 'missing']]);
    const log = record(example(shapeOf(endpoint('GET /ebus/action-logs'))));
    const affected = { id: 'o', template_id: 't' };
    const drift = (of: object): readonly unknown[] =>
      driftOf(registry['action-logs'].schema, { ...log, affected_objects: [affected, of] }).map(({ path }) => path);
    assert.deepEqual(drift({ ...affected, next_state_hash: '0x1' }), ['affected_objects[0].next_state_root']);
    assert.deepEqual(driftOf(executing.executionResult, { actionId: 'a', steps: [] }), []);
    assert.deepEqual(driftOf(executing.executionResult, { steps: [] }).map(brief), [['action_id', 'missing']]);
    assert.equal(readAnswer({ actionId: 'a', steps: [] }).actionId, 'a');
    assert.equal(readAnswer({ data: { actionId: 'a' } }).actionId, 'a');
  });

  test('POST /wallets: sends each field of the body, and reads the wallet and both tokens', async () => {
    const of = endpoint('POST /wallets');
    assert.ok(of.body !== undefined);
    for (let turn = 0; turn < turns(of.body); turn++) {
      asked = [];
      const body = example(of.body, turn);
      const value = example(of.answer, turn);
      const issued = await answered(value, (client) => client.registerWallet(body ?? {}));
      assert.deepEqual(
        asked.map(({ method, path, type }) => [method, path, type?.split(';')[0]]),
        [['POST', '/base/wallets', 'application/json']],
      );
      assert.deepEqual(JSON.parse(asked[0]?.body ?? ''), body);
      assert.deepEqual(
        [issued.accessToken, issued.refreshToken],
        [at(value, 'access_token'), at(value, 'refresh_token')],
      );
      assert.deepEqual(issued.item.drift, []);
    }
    for (const left of ['access_token', 'refresh_token', 'wallet']) {
      const value = structuredClone(example(of.answer));
      assert.ok(isObject(value));
      Reflect.deleteProperty(value, left);
      await assert.rejects(
        answered(value, (client) => client.registerWallet({})),
        left,
      );
    }
  });

  test('GET /organizations/{organizationId}/invite: sends both parameters, and reads both tokens', async () => {
    const value = example(endpoint('GET /organizations/{organizationId}/invite').answer);
    const issued = await answered(value, (client) =>
      client.confirmInvite({ organizationId: 'g/1' }, { token: 't&1', member_id: 'm 1' }),
    );
    assert.deepEqual(
      asked.map(({ method, path }) => [method, path]),
      [['GET', '/base/organizations/g%2F1/invite']],
    );
    assert.deepEqual(sorted(asked[0]?.query ?? []), [
      ['member_id', 'm 1'],
      ['token', 't&1'],
    ]);
    assert.deepEqual(
      [issued.accessToken, issued.refreshToken],
      [at(value, 'access_token'), at(value, 'refresh_token')],
    );
  });

  test('POST /ebus/execute: sends action and signature as they stand, and reads the id and each step', async () => {
    const { answer: shape } = endpoint('POST /ebus/execute');
    const value = example(shape);
    const body = '{"action": {"mint": {"template_id": "t", "num": 9007199254740993}}, "signature": "0x1"}';
    const { view, drift } = await answered(value, (client) => client.execute(body));
    assert.deepEqual(
      asked.map(({ method, path, body }) => [method, path, body]),
      [['POST', '/base/ebus/execute', body]],
    );
    assert.deepEqual(drift, []);
    for (const leaf of leaves(shape, value))
      assert.deepEqual(leaf.steps.reduce(at, view), leaf.value, leaf.steps.join('.'));
  });
});

function sorted(query: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  return query.toSorted(([a], [b]) => (a < b ? -1 : 1));
}
