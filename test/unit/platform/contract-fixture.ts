/** What the tests of the contract share: its operations in the product, and an independent server. */
import assert from 'node:assert/strict';
import type * as z from 'zod/mini';
import type { PlatformClient } from '../../../src/platform/client.ts';
import { isObject } from '../../../src/platform/json/json.ts';
import * as operations from '../../../src/platform/operation.ts';
import type { Page } from '../../../src/platform/page.ts';
import { registry } from '../../../src/platform/registry.ts';
import type { ResourceDefinition } from '../../../src/platform/resource.ts';
import * as executing from '../../../src/platform/resources/actions.ts';
import * as inviting from '../../../src/platform/resources/invites.ts';
import { statisticsSeries, statisticsPoint } from '../../../src/platform/resources/statistics.ts';
import { registerWallet, wallet } from '../../../src/platform/resources/wallets.ts';
import type { Drift } from '../../../src/platform/schema.ts';
import { getList, type Endpoint, type Query } from '../../support/platform-contract.ts';
import { useServers } from '../../support/platform-client.ts';

const definitions: readonly ResourceDefinition[] = Object.values(registry);
export const lists = new Map(
  definitions.flatMap((definition) =>
    definition.list === undefined ? [] : [[getOperationKey(definition.list.operation), definition] as const],
  ),
);

function getOperationKey(operation: operations.Operation): string {
  return operations.getOperationName(operation);
}

/** Every operation of the product, by name. */
export function getKnownOperations(): ReadonlyMap<string, operations.Operation> {
  const all: operations.Operation[] = [executing.executeAction, inviting.confirmInvite, registerWallet];
  all.push(...statisticsSeries.map(({ operation }) => operation));
  for (const { list, read } of definitions) {
    if (list !== undefined) all.push(list.operation);
    if (read.by === 'path')
      all.push(read.operation, ...Object.values(read.variants ?? {}).map(({ operation }) => operation));
  }
  return new Map(all.map((operation) => [getOperationKey(operation), operation]));
}

/** The schema of a response, or of the items of a list. */
export function getSchema(name: string): z.core.SomeType {
  const definition = lists.get(name);
  if (definition?.list !== undefined) return definition.list.schema ?? definition.schema;
  if (name.startsWith('GET /stats/')) return statisticsPoint;
  if (name === 'POST /ebus/execute') return executing.executionResult;
  if (name === 'POST /wallets') return wallet;
  if (name.endsWith('/invite')) return inviting.tokens;
  for (const { read, schema } of definitions) {
    if (read.by !== 'path') continue;
    if ([read, ...Object.values(read.variants ?? {})].some(({ operation }) => getOperationKey(operation) === name))
      return schema;
  }
  throw new Error(`no schema for ${name}`);
}

/** The contract's shape for a schema: of a response, or of the items of a list. */
export function getShape(of: Endpoint): Endpoint['response'] {
  const walletShape = of.response.fields['wallet'];
  if (typeof walletShape === 'object' && 'fields' in walletShape) return walletShape;
  return getList(of)?.item ?? of.response;
}

/** Converts a parameter to the contract's notation. */
export function toQuery(name: string, parameter: operations.Parameter): Query {
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

export function record(value: unknown): Readonly<Record<string, unknown>> {
  assert.ok(isObject(value));
  return value;
}

export function brief({ path, problem }: Drift): readonly [string, string] {
  return [path, problem];
}

export function toPlain(value: unknown): unknown {
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

export interface ContractFixture {
  /** the requests of the test so far */
  readonly requests: RecordedRequest[];
  /** Runs with a client whose server answers with `json`. Rejects as `run` does. */
  readonly runWithResponse: <T>(json: unknown, run: (client: PlatformClient) => Promise<T>) => Promise<T>;
}

/** A server for the tests of a suite, which answers with a given response and records requests. */
export function useContractServer(): ContractFixture {
  const { servers, createClient } = useServers();
  const requests: RecordedRequest[] = [];
  setup(() => {
    requests.length = 0;
  });
  return {
    requests,
    async runWithResponse(json, run) {
      const server = await servers.http(({ method, url, headers, body }, response) => {
        const { pathname, searchParams } = new URL(url, 'http://x');
        const { accept, 'content-type': type } = headers;
        requests.push({ method, path: pathname, query: [...searchParams], accept, type, body });
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json));
      });
      return run(createClient({ origin: `${server.origin}/base` }));
    },
  };
}

const series: Readonly<Record<string, (client: PlatformClient) => Promise<Page>>> = {
  'GET /stats/actions/execution': (client) => client.statistics(statisticsSeries[0], {}),
  'GET /stats/actions/fees': (client) => client.statistics(statisticsSeries[1], {}),
  'GET /stats/objects/creation': (client) => client.statistics(statisticsSeries[2], {}),
};

export function readList(client: PlatformClient, name: string): Promise<Page> {
  const definition = lists.get(name);
  if (definition !== undefined) return client.listPageFor(definition, {});
  const read = series[name];
  assert.ok(read !== undefined, name);
  return read(client);
}

/** Reads a list as the product does: statistics by their operation, others by their kind. */
export function sendListRequest(client: PlatformClient, name: string, query: operations.AnyQuery): Promise<unknown> {
  const definition = lists.get(name);
  const operation = getKnownOperations().get(name);
  assert.ok(operation !== undefined, name);
  if (definition !== undefined) return client.listPageFor(definition, query);
  return client.statistics({ operation }, query);
}

const WHEN = '2026-03-02T10:00:00Z';

/** A value for each parameter, and its form in the query. */
export function filled(
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
