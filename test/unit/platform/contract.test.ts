/** Registry and client against the hand-written contract, with an independent server. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import * as z from 'zod/mini';
import { readExecutionResult } from '../../../src/actions/run/execution-result.ts';
import type { PlatformClient } from '../../../src/platform/client.ts';
import type { ReadResult } from '../../../src/platform/client.ts';
import { isObject } from '../../../src/platform/json/json.ts';
import * as operations from '../../../src/platform/operation.ts';
import type { Page } from '../../../src/platform/page.ts';
import { registry } from '../../../src/platform/registry.ts';
import type { ResourceDefinition } from '../../../src/platform/resource.ts';
import * as executing from '../../../src/platform/resources/actions.ts';
import * as inviting from '../../../src/platform/resources/invites.ts';
import { objectExtras } from '../../../src/platform/resources/objects.ts';
import { permission, resourceNames } from '../../../src/platform/resources/permission.ts';
import { statisticsSeries, statisticsPoint } from '../../../src/platform/resources/statistics.ts';
import { registerWallet, wallet } from '../../../src/platform/resources/wallets.ts';
import { findDrift, createView, type Drift } from '../../../src/platform/schema.ts';
import type { Transport } from '../../../src/platform/http/transport.ts';
import { createTransport } from '../../../src/platform/http/undici-transport.ts';
import {
  getEndpoint,
  endpoints,
  getList,
  formatEndpointName,
  resources,
  type Endpoint,
  type Query,
} from '../../support/platform-contract.ts';
import { at, departures, example, leaves, countTurns } from '../../support/example.ts';
import { createTestClient } from '../../support/platform-client.ts';

const rows: readonly ResourceDefinition[] = Object.values(registry);
const lists = new Map(
  rows.flatMap((row) => (row.list === undefined ? [] : [[getOperationKey(row.list.operation), row] as const])),
);

function getOperationKey(operation: operations.Operation): string {
  return operations.getOperationName(operation);
}

/** Every operation of the product, by name. */
function getKnownOperations(): ReadonlyMap<string, operations.Operation> {
  const all: operations.Operation[] = [executing.executeAction, inviting.confirmInvite, registerWallet];
  all.push(...statisticsSeries.map(({ operation }) => operation));
  for (const { list, read } of rows) {
    if (list !== undefined) all.push(list.operation);
    if (read.by === 'path')
      all.push(read.operation, ...Object.values(read.variants ?? {}).map(({ operation }) => operation));
  }
  return new Map(all.map((operation) => [getOperationKey(operation), operation]));
}

/** The schema of a response, or of the items of a list. */
function getSchema(name: string): z.core.SomeType {
  const row = lists.get(name);
  if (row?.list !== undefined) return row.list.schema ?? row.schema;
  if (name.startsWith('GET /stats/')) return statisticsPoint;
  if (name === 'POST /ebus/execute') return executing.executionResult;
  if (name === 'POST /wallets') return wallet;
  if (name.endsWith('/invite')) return inviting.tokens;
  for (const { read, schema } of rows) {
    if (read.by !== 'path') continue;
    if ([read, ...Object.values(read.variants ?? {})].some(({ operation }) => getOperationKey(operation) === name))
      return schema;
  }
  throw new Error(`no schema for ${name}`);
}

/** The contract's shape for a schema: of a response, or of the items of a list. */
function getShape(of: Endpoint): Endpoint['response'] {
  const walletShape = of.response.fields['wallet'];
  if (typeof walletShape === 'object' && 'fields' in walletShape) return walletShape;
  return getList(of)?.item ?? of.response;
}

/** Converts a parameter to the contract's notation. */
function toQuery(name: string, parameter: operations.Parameter): Query {
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

  test('has exactly the twenty operations', () => {
    assert.equal(endpoints.length, 20);
    assert.deepEqual([...getKnownOperations().keys()].toSorted(), endpoints.map(formatEndpointName).toSorted());
  });

  test('has the resources of permissions', () => {
    assert.deepEqual([...resourceNames], [...resources]);
    for (const resource of resources) {
      const crud = { read: true, create: false, update: false, delete: true };
      assert.deepEqual(findDrift(permission, { resource, crud }), []);
    }
  });

  for (const of of endpoints) {
    const name = formatEndpointName(of);
    test(`${name}: the same parameters, with their values and limits`, () => {
      const query = getKnownOperations().get(name)?.query ?? {};
      const described = Object.entries(query).map(([each, parameter]) => [each, toQuery(each, parameter)] as const);
      assert.deepEqual(Object.fromEntries(described), of.query);
    });

    test(`${name}: has each field, whether it is required, and each value`, () => {
      const schema = getSchema(name);
      const shape = getShape(of);
      const names = schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
      assert.deepEqual(
        names.toSorted(),
        Object.keys(shape.fields)
          .map((each) => each.replace('?', ''))
          .toSorted(),
      );
      for (let turn = 0; turn < countTurns(shape); turn++) {
        const value = example(shape, turn);
        assert.deepEqual(findDrift(schema, value), []);
        const view = createView(schema, value);
        for (const leaf of leaves(shape, value))
          assert.deepEqual(toPlain(leaf.steps.reduce(at, view)), leaf.value, leaf.steps.join('.'));
      }
      for (const { path, problem, value } of departures(shape))
        assert.deepEqual(findDrift(schema, value).map(brief), problem === undefined ? [] : [[path, problem]], path);
    });

    const list = getList(of);
    if (list === undefined) continue;
    test(`${name}: the list has the contract’s name, and is required if the contract requires it`, async () => {
      const { key, item } = list;
      const page = await runWithResponse({ [key]: [example(item)], next: 'n' }, (client) => readList(client, name));
      assert.deepEqual(page.items.length, 1);
      assert.deepEqual(page.drift, []);
      if (!name.startsWith('GET /stats/')) assert.equal(page.next, 'n');
      const without = await runWithResponse({}, (client) => readList(client, name));
      assert.deepEqual(without.drift.map(brief), key in of.response.fields ? [[key, 'missing']] : []);
    });
  }

  test('GET /objects: faces and actions in addition to the objects', () => {
    const { fields } = getEndpoint('GET /objects').response;
    const shape = {
      fields: Object.fromEntries(Object.entries(fields).filter(([name]) => ['faces?', 'actions?'].includes(name))),
    };
    assert.deepEqual(findDrift(objectExtras, example(shape)), []);
    const view = createView(objectExtras, example(shape));
    for (const leaf of leaves(shape, example(shape)))
      assert.deepEqual(toPlain(leaf.steps.reduce(at, view)), leaf.value, leaf.steps.join('.'));
    for (const { path, problem, value } of departures(shape))
      assert.deepEqual(findDrift(objectExtras, value).map(brief), problem === undefined ? [] : [[path, problem]], path);
  });
});

function record(value: unknown): Readonly<Record<string, unknown>> {
  assert.ok(isObject(value));
  return value;
}

function brief({ path, problem }: Drift): readonly [string, string] {
  return [path, problem];
}

function toPlain(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly accept: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

let server: Server;
let transport: Transport;
let requests: RecordedRequest[] = [];
let answer: unknown;

function createClient(): PlatformClient {
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return createTestClient(`http://127.0.0.1:${address.port}/base`, transport);
}

/** The server of a suite: answers with a given response and records requests. */
function useServer(): void {
  suiteSetup(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const url = new URL(request.url ?? '', 'http://x');
        const { accept, 'content-type': type } = request.headers;
        requests.push({
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
    requests = [];
  });
}

async function runWithResponse<T>(json: unknown, run: (client: PlatformClient) => Promise<T>): Promise<T> {
  answer = json;
  return run(createClient());
}

const series: Readonly<Record<string, (client: PlatformClient) => Promise<Page>>> = {
  'GET /stats/actions/execution': (client) => client.statistics(statisticsSeries[0], {}),
  'GET /stats/actions/fees': (client) => client.statistics(statisticsSeries[1], {}),
  'GET /stats/objects/creation': (client) => client.statistics(statisticsSeries[2], {}),
};

function readList(client: PlatformClient, name: string): Promise<Page> {
  const row = lists.get(name);
  if (row !== undefined) return client.listPageFor(row, {});
  const read = series[name];
  assert.ok(read !== undefined, name);
  return read(client);
}

/** Reads a list as the product does: statistics by their operation, others by their kind. */
function sendListRequest(client: PlatformClient, name: string, query: operations.AnyQuery): Promise<unknown> {
  const row = lists.get(name);
  const operation = getKnownOperations().get(name);
  assert.ok(operation !== undefined, name);
  return row === undefined ? client.send(operation, {}, query) : client.listPageFor(row, query);
}

const WHEN = '2026-03-02T10:00:00Z';

/** A value for each parameter, and its form in the query. */
function filled(
  query: Endpoint['query'],
): { values: operations.AnyQuery; sent: readonly (readonly [string, string])[] }[] {
  const count = Math.max(
    1,
    ...Object.values(query).map((of) => (typeof of === 'object' && 'values' in of ? of.values.length : 1)),
  );
  return Array.from({ length: count }, (_, turn) => {
    const values: Record<string, operations.AnyQuery[string]> = {};
    const sent: [string, string][] = [];
    for (const [name, of] of Object.entries(query)) {
      const text = `${name} & [${turn}]`;
      if (of === 'dates') {
        values[name] = { gt: WHEN, gte: WHEN, lt: WHEN, lte: WHEN };
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
      values[name] = value;
      sent.push([name, word]);
    }
    return { values, sent };
  });
}

suite('contract: client', () => {
  useServer();

  for (const of of endpoints) {
    const name = formatEndpointName(of);
    const list = getList(of);
    if (list === undefined) continue;
    test(`${name}: sends every parameter under its name`, async () => {
      for (const { values, sent } of filled(of.query)) {
        requests = [];
        await runWithResponse({ [list.key]: [] }, (client) => sendListRequest(client, name, values));
        const [request] = requests;
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
    const row: ResourceDefinition = registry[kind];
    test(`${name}: requests that path, and reads every field`, async () => {
      const { response: shape } = getEndpoint(name);
      const value = example(shape);
      const { item, text } = await runWithResponse(value, (client) => client.readFor(row, id));
      assert.deepEqual(
        requests.map(({ method, path }) => [method, path]),
        [['GET', `/base${path}`]],
      );
      assert.deepEqual(item.drift, []);
      for (const leaf of leaves(shape, value))
        assert.deepEqual(toPlain(leaf.steps.reduce(at, item.view)), leaf.value, leaf.steps.join('.'));
      assert.deepEqual(JSON.parse(text), value);
    });
  }

  test('a resource that is wrapped one level deep is read, in lists and in documents', async () => {
    for (const of of endpoints) {
      const listed = lists.get(formatEndpointName(of));
      const item = getList(of)?.item;
      if (listed === undefined || item === undefined) continue;
      const row: ResourceDefinition = listed;
      const filtered = ['filter', 'paging'].includes(row.read.by);
      const value = example(item);
      const id = at(value, 'id');
      assert.ok(typeof id === 'string');
      const wrapper = row.singular.replaceAll(' ', '_');
      const wrapped = { items: [{ [wrapper]: value, rank: 1 }, { [wrapper]: value }] };
      for (const sent of [wrapped, { success: true, data: wrapped }]) {
        const page = await runWithResponse(sent, (client) => client.listPageFor(row));
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
          const { item: read, text }: ReadResult = await runWithResponse(sent, (client) => client.readFor(row, [id]));
          assert.deepEqual([read.id, at(JSON.parse(text), 'id')], [id, id], row.kind);
        }
      }
    }
    for (const [name, [kind, id]] of Object.entries(reads)) {
      const row: ResourceDefinition = registry[kind];
      const value = example(getEndpoint(name).response);
      for (const sent of [{ [row.singular]: value }, { data: { [row.singular]: value } }, { data: value }]) {
        const { item, text } = await runWithResponse(sent, (client) => client.readFor(row, id));
        assert.deepEqual(item.drift, [], name);
        assert.deepEqual(JSON.parse(text), value);
      }
    }
    // An embedded picture is not the resource.
    const page = await runWithResponse({ objects: [{ name: 'x', metadata: { id: 'm' } }] }, (client) =>
      client.listPage('objects'),
    );
    assert.equal(page.items[0]?.id, undefined);
  });

  test('another name of a root or action id is no drift; its absence is', () => {
    const object = { ...record(example(getShape(getEndpoint('GET /objects')))), state_root: undefined };
    assert.deepEqual(findDrift(registry.objects.schema, { ...object, state_hash: '0x1' }), []);
    assert.deepEqual(findDrift(registry.objects.schema, object).map(brief), [['state_root', 'missing']]);
    const log = record(example(getShape(getEndpoint('GET /ebus/action-logs'))));
    const affected = { id: 'o', template_id: 't' };
    const drift = (of: object): readonly unknown[] =>
      findDrift(registry['action-logs'].schema, { ...log, affected_objects: [affected, of] }).map(({ path }) => path);
    assert.deepEqual(drift({ ...affected, next_state_hash: '0x1' }), ['affected_objects[0].next_state_root']);
    assert.deepEqual(findDrift(executing.executionResult, { actionId: 'a', steps: [] }), []);
    assert.deepEqual(findDrift(executing.executionResult, { steps: [] }).map(brief), [['action_id', 'missing']]);
    assert.equal(readExecutionResult({ actionId: 'a', steps: [] }).actionId, 'a');
    assert.equal(readExecutionResult({ data: { actionId: 'a' } }).actionId, 'a');
  });

  test('POST /wallets: sends each field of the body, and reads the wallet and both tokens', async () => {
    const of = getEndpoint('POST /wallets');
    assert.ok(of.body !== undefined);
    for (let turn = 0; turn < countTurns(of.body); turn++) {
      requests = [];
      const body = example(of.body, turn);
      const value = example(of.response, turn);
      const issued = await runWithResponse(value, (client) => client.registerWallet(body ?? {}));
      assert.deepEqual(
        requests.map(({ method, path, type }) => [method, path, type?.split(';')[0]]),
        [['POST', '/base/wallets', 'application/json']],
      );
      assert.deepEqual(JSON.parse(requests[0]?.body ?? ''), body);
      assert.deepEqual(
        [issued.accessToken, issued.refreshToken],
        [at(value, 'access_token'), at(value, 'refresh_token')],
      );
      assert.deepEqual(issued.item.drift, []);
    }
    for (const left of ['access_token', 'refresh_token', 'wallet']) {
      const value = structuredClone(example(of.response));
      assert.ok(isObject(value));
      Reflect.deleteProperty(value, left);
      await assert.rejects(
        runWithResponse(value, (client) => client.registerWallet({})),
        left,
      );
    }
  });

  test('GET /organizations/{organizationId}/invite: sends both parameters, and reads both tokens', async () => {
    const value = example(getEndpoint('GET /organizations/{organizationId}/invite').response);
    const issued = await runWithResponse(value, (client) =>
      client.confirmInvite({ organizationId: 'g/1' }, { token: 't&1', member_id: 'm 1' }),
    );
    assert.deepEqual(
      requests.map(({ method, path }) => [method, path]),
      [['GET', '/base/organizations/g%2F1/invite']],
    );
    assert.deepEqual(sorted(requests[0]?.query ?? []), [
      ['member_id', 'm 1'],
      ['token', 't&1'],
    ]);
    assert.deepEqual(
      [issued.accessToken, issued.refreshToken],
      [at(value, 'access_token'), at(value, 'refresh_token')],
    );
  });

  test('POST /ebus/execute: sends action and signature unchanged, and reads the id and each step', async () => {
    const { response: shape } = getEndpoint('POST /ebus/execute');
    const value = example(shape);
    const body = '{"action": {"mint": {"template_id": "t", "num": 9007199254740993}}, "signature": "0x1"}';
    const { view, drift } = await runWithResponse(value, (client) => client.execute(body));
    assert.deepEqual(
      requests.map(({ method, path, body }) => [method, path, body]),
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
