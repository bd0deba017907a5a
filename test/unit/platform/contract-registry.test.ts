/** The registry against the hand-written contract. */
import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { objectExtras } from '../../../src/platform/resources/objects.ts';
import { permission, resourceNames } from '../../../src/platform/resources/permission.ts';
import { findDrift, createView } from '../../../src/platform/schema.ts';
import { getEndpoint, endpoints, getList, formatEndpointName } from '../../support/platform-contract.ts';
import { at, departures, example, leaves, countTurns } from '../../support/example.ts';
import { resources } from '../../support/platform-shapes.ts';
import {
  brief,
  getKnownOperations,
  getSchema,
  getShape,
  readList,
  toPlain,
  toQuery,
  useContractServer,
} from './contract-fixture.ts';

suite('contract: registry', () => {
  const { runWithResponse } = useContractServer();

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
