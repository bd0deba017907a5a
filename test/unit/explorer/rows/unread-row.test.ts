/** The row of a resource that was not read yet. */
import assert from 'node:assert/strict';
import { getPresentation } from '../../../../src/explorer/rows/row-presentation.ts';
import { Item } from '../../../../src/platform/page.ts';
import { objects } from '../../../../src/platform/resources/objects.ts';
import type { ResourceNode } from '../../../../src/explorer/tree/nodes.ts';

suite('the row of an object without a name', () => {
  const present = (metadata: object, label: string, template?: string) => {
    const raw = { id: 'obj_061b1bca22e947', template_id: 'tpl_1', metadata };
    const node: ResourceNode = {
      type: 'resource',
      key: 'Shop/objects/1',
      connection: 'Shop',
      kind: 'objects',
      resource: { connection: 'Shop', kind: 'objects', id: raw.id },
      item: new Item(raw, objects.schema),
      name: { label },
    };
    const { label: text, description } = getPresentation(node, {
      definitions: { objects },
      now: 0,
      session: () => undefined,
      getTitle: () => (kind) => (kind === 'templates' ? template : undefined),
      getLabel: () => undefined,
    });
    return [text, description];
  };

  test('has the template beside the edition, or in place of its id, once that is read', () => {
    assert.deepEqual(present({ edition: 14063 }, '#14063'), ['#14063', undefined]);
    assert.deepEqual(present({ edition: 14063 }, '#14063', 'Aletsch'), ['#14063', 'Aletsch']);
    assert.deepEqual(present({}, 'obj_061b1bca22e947', 'Aletsch'), ['Aletsch …22e947', undefined]);
    assert.deepEqual(present({ name: 'Print' }, 'Print', 'Aletsch'), ['Print', 'Aletsch']);
  });
});

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
