import { createChildKey, createConnectionKey, type ListNode } from '../explorer/tree/nodes.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import type { ListSource } from './related-list.ts';

/** Returns the row of the tree whose list is that of a page: for commands on lists. */
export function createListNode(
  { connection }: ResourceArgument,
  { key, definition, label, fixed }: ListSource,
): ListNode {
  return {
    type: 'list',
    key: createChildKey(createConnectionKey(connection), `page ${key} ${Object.values(fixed).join(' ')}`),
    connection,
    kind: definition.kind,
    label,
    fixed,
    filter: {},
  };
}
