/** The client against the hand-written contract, with an independent server. */
import assert from 'node:assert/strict';
import { readExecutionResult } from '../../../src/actions/run/execution-result.ts';
import type { ReadResult } from '../../../src/platform/client.ts';
import { isObject } from '../../../src/platform/json/json.ts';
import { registry } from '../../../src/platform/registry.ts';
import type { ResourceDefinition } from '../../../src/platform/resource.ts';
import * as executing from '../../../src/platform/resources/actions.ts';
import { findDrift } from '../../../src/platform/schema.ts';
import { getEndpoint, endpoints, getList, formatEndpointName } from '../../support/platform-contract.ts';
import { at, example, leaves, countTurns } from '../../support/example.ts';
import {
  brief,
  filled,
  getShape,
  lists,
  record,
  sendListRequest,
  toPlain,
  useContractServer,
} from './contract-fixture.ts';

suite('contract: client', () => {
  const { requests, runWithResponse } = useContractServer();

  for (const of of endpoints) {
    const name = formatEndpointName(of);
    const list = getList(of);
    if (list === undefined) continue;
    test(`${name}: sends every parameter under its name`, async () => {
      for (const { values, sent } of filled(of.query)) {
        requests.length = 0;
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
    const definition: ResourceDefinition = registry[kind];
    test(`${name}: requests that path, and reads every field`, async () => {
      const { response: shape } = getEndpoint(name);
      const value = example(shape);
      const { item, text } = await runWithResponse(value, (client) => client.readFor(definition, id));
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
      const definition: ResourceDefinition = listed;
      const filtered = ['filter', 'paging'].includes(definition.read.by);
      const value = example(item);
      const id = at(value, 'id');
      assert.ok(typeof id === 'string');
      const wrapper = definition.singular.replaceAll(' ', '_');
      const wrapped = { items: [{ [wrapper]: value, rank: 1 }, { [wrapper]: value }] };
      for (const sent of [wrapped, { success: true, data: wrapped }]) {
        const page = await runWithResponse(sent, (client) => client.listPageFor(definition));
        assert.deepEqual(
          page.items.map((each) => [each.id, each.drift.length]),
          [
            [id, 0],
            [id, 0],
          ],
          definition.kind,
        );
        assert.ok(page.drift.some(({ message }) => message.includes(wrapper)));
        if (filtered) {
          const { item: read, text }: ReadResult = await runWithResponse(sent, (client) =>
            client.readFor(definition, [id]),
          );
          assert.deepEqual([read.id, at(JSON.parse(text), 'id')], [id, id], definition.kind);
        }
      }
    }
    for (const [name, [kind, id]] of Object.entries(reads)) {
      const definition: ResourceDefinition = registry[kind];
      const value = example(getEndpoint(name).response);
      for (const sent of [
        { [definition.singular]: value },
        { data: { [definition.singular]: value } },
        { data: value },
      ]) {
        const { item, text } = await runWithResponse(sent, (client) => client.readFor(definition, id));
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
      requests.length = 0;
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
    const { view, raw } = await runWithResponse(value, (client) => client.execute(body));
    assert.deepEqual(
      requests.map(({ method, path, body }) => [method, path, body]),
      [['POST', '/base/ebus/execute', body]],
    );
    assert.deepEqual(findDrift(executing.executionResult, raw), []);
    for (const leaf of leaves(shape, value))
      assert.deepEqual(leaf.steps.reduce(at, view), leaf.value, leaf.steps.join('.'));
  });
});

function sorted(query: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  return query.toSorted(([a], [b]) => (a < b ? -1 : 1));
}
