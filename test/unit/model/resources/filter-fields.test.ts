import assert from 'node:assert/strict';
import { registry } from '../../../../src/platform/registry.ts';
import type { ResourceDefinition } from '../../../../src/platform/resource.ts';
import {
  formatFilterText,
  getFilterField,
  getIdKind,
  groupFilterFields,
} from '../../../../src/model/resources/filter-fields.ts';

const isFilter = (type: string): boolean => type !== 'limit' && type !== 'cursor';

suite('names of filters', () => {
  const parameters = Object.values<ResourceDefinition>(registry).flatMap((definition) =>
    Object.entries(definition.list?.operation.query ?? {}),
  );

  test('every filter of every list has a word of its own, and one that is typed an example', () => {
    const labels = new Map<string, string>();
    for (const [name, { type }] of parameters.filter(([, parameter]) => isFilter(parameter.type))) {
      const { label, example } = getFilterField(name);
      assert.match(label, /^[A-Z]/);
      assert.doesNotMatch(label, /_|when/, name);
      assert.ok(
        !labels.has(label) || labels.get(label) === name,
        `${label} for ${name} and ${labels.get(label) ?? ''}`,
      );
      labels.set(label, name);
      // The example of an ID is one of the list.
      if (type === 'text' || type === 'id') assert.ok(example !== undefined, name);
    }
  });

  test('a parameter has one kind of ID in all lists', () => {
    for (const [name, parameter] of parameters)
      if (parameter.type === 'id') assert.equal(getIdKind(name), parameter.kind, name);
  });

  test('a resource is named where its name is known, else by its ID', () => {
    const getTitle = (kind: string | undefined, id: string): string | undefined =>
      kind === 'templates' && id === 'tpl_1' ? 'Gala Ticket' : undefined;
    assert.equal(formatFilterText('template_id', 'tpl_1', getTitle), 'Template: Gala Ticket');
    assert.equal(formatFilterText('template_id', 'tpl_2', getTitle), 'Template: tpl_2');
    assert.equal(formatFilterText('owner', 'tpl_1', getTitle), 'Owner: tpl_1');
    assert.equal(formatFilterText('when_shipped_id', 'x', getTitle), 'Shipped: x');
  });

  test('fields are grouped in one order', () => {
    const names = ['when_created', 'status', 'template_id', 'owner'];
    const groups = groupFilterFields(names, (name) => getFilterField(name).group);
    assert.deepEqual(
      groups.map(({ label, items }) => [label, ...items]),
      [
        ['Belongs to', 'template_id', 'owner'],
        ['State', 'status'],
        ['Time', 'when_created'],
      ],
    );
  });
});
