/** The row of a resource that was not read yet. */
import assert from 'node:assert/strict';
import { getPresentation } from '../../../../src/explorer/rows/row-presentation.ts';
import type { ResourceNode } from '../../../../src/explorer/tree/nodes.ts';

suite('the row of a resource that was not read', () => {
  const node: ResourceNode = {
    type: 'resource',
    key: 'Shop/batches/42',
    connection: 'Shop',
    kind: 'batches',
    resource: { connection: 'Shop', kind: 'batches', id: '42' },
  };
  const present = (title: string | undefined) => {
    const { label, description, accessibleLabel } = getPresentation(node, {
      definitions: {},
      now: 0,
      session: () => undefined,
      getTitle: () => () => title,
      getLabel: () => undefined,
    });
    return [label, description, accessibleLabel];
  };

  test('shows its id once', () => {
    assert.deepEqual(present(undefined), ['42', undefined, '42']);
    assert.deepEqual(present('42'), ['42', undefined, '42']);
  });

  test('shows the id beside a title that is known', () => {
    assert.deepEqual(present('Evening'), ['Evening', '42', 'Evening, 42']);
  });
});
