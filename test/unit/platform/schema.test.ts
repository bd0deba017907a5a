/** Views forgive everything; drift tells it all. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseJson } from '../../../src/platform/json.ts';
import { kinds, registry } from '../../../src/platform/registry.ts';
import { actionLog } from '../../../src/platform/resources/action-logs.ts';
import { apiKey } from '../../../src/platform/resources/api-keys.ts';
import { smartObject } from '../../../src/platform/resources/objects.ts';
import { factory } from '../../../src/platform/resources/shapes.ts';
import { supply } from '../../../src/platform/resources/templates.ts';
import { driftOf, viewOf } from '../../../src/platform/schema.ts';

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
    assert.deepEqual(driftOf(smartObject, complete), []);
    const view = viewOf(smartObject, complete);
    assert.equal(view?.metadata?.name, 'One');
    assert.equal(view.metadata.edition, 3);
    assert.equal(view.location, undefined);
  });

  test('integers past 2^53 become bigints and are no drift', () => {
    const raw = parseJson(JSON.stringify(complete).replace('"nonce":1', '"nonce":9223372036854775807'));
    assert.equal(viewOf(smartObject, raw)?.nonce, 9223372036854775807n);
    assert.deepEqual(driftOf(smartObject, raw), []);
  });

  test('an unknown enum value is kept and is drift', () => {
    const raw = { status: 'proving' };
    assert.equal(viewOf(actionLog, raw)?.status, 'proving');
    assert.ok(driftOf(actionLog, raw).some((drift) => drift.path === 'status' && drift.problem === 'enum'));
  });

  test('missing, null and wrongly typed required fields are drift, each named once', () => {
    const { id: _id, ...rest } = complete;
    const raw = { ...rest, owner: null, metadata: { name: 5, image: {} } };
    const found = Object.fromEntries(driftOf(smartObject, raw).map((drift) => [drift.path, drift.problem]));
    assert.deepEqual(found, {
      id: 'missing',
      owner: 'type',
      'metadata.name': 'type',
      'metadata.image.id': 'missing',
      'metadata.image.url': 'missing',
    });
    const view = viewOf(smartObject, raw);
    assert.equal(view?.id, undefined);
    assert.equal(view?.metadata?.name, undefined);
  });

  test('null stands for absent where the contract has the field optional', () => {
    assert.deepEqual(driftOf(smartObject, { ...complete, location: null, assets: null }), []);
  });

  test('fields whose shape is not shown may be absent or anything', () => {
    assert.deepEqual(driftOf(apiKey, {}), []);
    assert.deepEqual(driftOf(apiKey, { key: { a: 1 }, org_id: 3, wallet_id: null }), []);
  });

  test('lists drop what has not even the right type, and keep the rest', () => {
    const view = viewOf(actionLog, { affected_objects: [{ id: 'a' }, 'text', null, { id: 'b' }] });
    assert.deepEqual(
      view?.affected_objects?.map((entry) => entry.id),
      ['a', 'b'],
    );
  });

  test('any JSON at all: no view, no summary and no drift check ever throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...kinds), (raw, kind) => {
        const row = registry[kind];
        driftOf(row.schema, raw);
        const summary = row.summary(raw);
        assert.equal(typeof summary.title, 'string');
        const view = viewOf(row.schema, raw);
        if (view !== undefined) for (const field of Object.keys(row.schema.shape)) Reflect.get(view, field);
      }),
      { numRuns: 1000 },
    );
  });

  test('a state that is called like something every object has is an unknown state', () => {
    for (const status of ['constructor', '__proto__', 'toString'])
      for (const row of [registry['action-logs'], registry.batches])
        assert.deepEqual(row.summary({ id: 'a', status }).state, { word: status, tone: 'unknown' });
  });

  test('supply says nothing where there is no maximum', () => {
    assert.equal(supply(of(100, 12)), '12 of 100');
    assert.equal(supply(of(0, 0)), undefined);
    assert.equal(supply(undefined), undefined);
    assert.equal(supply(of(9223372036854775807n)), '0 of 9223372036854775807');
  });
});

function of(max_supply: number | bigint, minted_count?: number) {
  return viewOf(
    factory,
    parseJson(`{"max_supply":${String(max_supply)},"minted_count":${String(minted_count ?? null)}}`),
  );
}
