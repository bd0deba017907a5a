/** Tolerant views, and drift. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseJson } from '../../../src/platform/json/parse-json.ts';
import { kinds, registry } from '../../../src/platform/registry.ts';
import { actionLog } from '../../../src/platform/resources/action-logs.ts';
import { smartObject } from '../../../src/platform/resources/objects.ts';
import { factory } from '../../../src/platform/resources/shared-schemas.ts';
import { formatSupply } from '../../../src/platform/resources/templates.ts';
import { findDrift, createView } from '../../../src/platform/schema.ts';

const complete = {
  id: 'o1',
  org_id: 'g1',
  metadata: { name: 'One', edition: 3 },
  owner: '0xabc',
  template_id: 't1',
  nonce: 1,
  version: 2,
  state_root: '0x1',
  when_created: '2026-01-01T00:00:00Z',
  when_modified: '2026-01-01T00:00:00.123456789+02:00',
};

suite('views', () => {
  test('an object of the contract has no drift and reads field by field', () => {
    assert.deepEqual(findDrift(smartObject, complete), []);
    const view = createView(smartObject, complete);
    assert.equal(view?.metadata?.name, 'One');
    assert.equal(view.metadata.edition, 3);
    assert.equal(view.location, undefined);
  });

  test('integers past 2^53 become bigints and are no drift', () => {
    const raw = parseJson(JSON.stringify(complete).replace('"nonce":1', '"nonce":9223372036854775807'));
    assert.equal(createView(smartObject, raw)?.nonce, 9223372036854775807n);
    assert.deepEqual(findDrift(smartObject, raw), []);
  });

  test('an unknown enum value is in the view and is drift', () => {
    const raw = { status: 'proving' };
    assert.equal(createView(actionLog, raw)?.status, 'proving');
    assert.ok(findDrift(actionLog, raw).some((drift) => drift.path === 'status' && drift.problem === 'enum'));
  });

  test('missing, null and wrongly typed required fields are drift, each named once', () => {
    const { id: _id, ...rest } = complete;
    const raw = { ...rest, owner: null, metadata: { name: 5, image: {} } };
    const found = Object.fromEntries(findDrift(smartObject, raw).map((drift) => [drift.path, drift.problem]));
    assert.deepEqual(found, {
      id: 'missing',
      owner: 'type',
      'metadata.name': 'type',
      'metadata.image.id': 'missing',
      'metadata.image.url': 'missing',
    });
    const view = createView(smartObject, raw);
    assert.equal(view?.id, undefined);
    assert.equal(view?.metadata?.name, undefined);
  });

  test('null in an optional field means absent', () => {
    assert.deepEqual(findDrift(smartObject, { ...complete, location: null, assets: null }), []);
  });

  test('fields without a type may be absent or any value', () => {
    assert.deepEqual(findDrift(registry['api-keys'].schema, {}), []);
    assert.deepEqual(findDrift(registry['api-keys'].schema, { key: { a: 1 }, org_id: 3, wallet_id: null }), []);
  });

  test('lists drop items of a wrong type', () => {
    const view = createView(actionLog, { affected_objects: [{ id: 'a' }, 'text', null, { id: 'b' }] });
    assert.deepEqual(
      view?.affected_objects?.map((entry) => entry.id),
      ['a', 'b'],
    );
  });

  test('views, summaries and drift checks never throw, for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...kinds), (raw, kind) => {
        const definition = registry[kind];
        findDrift(definition.schema, raw);
        const summary = definition.summary(raw);
        assert.equal(typeof summary.title, 'string');
        const view = createView(definition.schema, raw);
        if (view !== undefined) for (const field of Object.keys(definition.schema.shape)) Reflect.get(view, field);
      }),
      { numRuns: 1000 },
    );
  });

  test('a state named like an inherited property is an unknown state', () => {
    for (const status of ['constructor', '__proto__', 'toString'])
      for (const definition of [registry['action-logs'], registry.batches])
        assert.deepEqual(definition.summary({ id: 'a', status }).state, { label: status, tone: 'unknown' });
  });

  test('no supply text without a maximum', () => {
    assert.equal(formatSupply(of(100, 12)), '12 of 100');
    assert.equal(formatSupply(of(0, 0)), undefined);
    assert.equal(formatSupply(undefined), undefined);
    assert.equal(formatSupply(of(9223372036854775807n)), '0 of 9223372036854775807');
  });
});

function of(max_supply: number | bigint, minted_count?: number) {
  return createView(
    factory,
    parseJson(`{"max_supply":${String(max_supply)},"minted_count":${String(minted_count ?? null)}}`),
  );
}
