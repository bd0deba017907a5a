import assert from 'node:assert/strict';
import { FILTER_KINDS } from '../../../../src/model/resources/filter-kinds.ts';
import { registry } from '../../../../src/platform/registry.ts';
import type { ResourceDefinition } from '../../../../src/platform/resource.ts';

suite('Filter by This', () => {
  test('is offered for the kinds by which the contract filters lists', () => {
    const definitions: readonly ResourceDefinition[] = Object.values(registry);
    const found = definitions
      .flatMap(({ list }) => Object.values(list?.operation.query ?? {}))
      .flatMap((parameter) => (parameter.type === 'id' ? [parameter.kind] : []));
    assert.deepEqual([...FILTER_KINDS].toSorted(), [...new Set(found)].toSorted());
  });
});
