/** Creates the rows below resources and below kinds without a list. */
import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import type { ResourceDefinition } from '../../platform/resource.ts';
import {
  UniqueNames,
  createLeaf,
  createNodeBase,
  type LeafNode,
  type ListNode,
  type Node,
  type ResourceNode,
} from '../tree/nodes.ts';
import { parseFilter } from '../filter/filter.ts';
import { toOneLine } from '../format.ts';
import type { GetTitle } from '../../model/resources/filter-fields.ts';
import type { ResourceChild } from './related-resources.ts';
import type { TreeContext } from './section-rows.ts';

/** Creates the rows of a resource's children. */
export function createChildNodes(
  parent: Node,
  children: readonly ResourceChild[],
  context: TreeContext,
  getTitle: GetTitle,
): readonly Node[] {
  const siblings = new UniqueNames();
  return children.map((child) => {
    switch (child.type) {
      case 'fact':
        return createFactNode(parent, child, siblings);
      case 'list':
        return createListNode(parent, child, siblings, context);
      case 'reference':
        return createReferenceNode(parent, child, siblings, context, getTitle);
    }
  });
}

function createFactNode(
  parent: Node,
  { label, value, icon, url }: Extract<ResourceChild, { type: 'fact' }>,
  siblings: UniqueNames,
): LeafNode {
  const description = toOneLine(value, 120);
  return createLeaf(parent, siblings.makeUnique(`fact ${label}`), toOneLine(label), {
    ...(description !== '' && { description }),
    icon: { id: icon },
    text: [toOneLine(label), description].filter((part) => part !== '').join(', '),
    tooltip: [toOneLine(label, 160), toOneLine(value, 160)].filter((line) => line !== '').join('\n'),
    context: 'fact',
    ...(url !== undefined && { url }),
  });
}

/** Returns the node with its stored filter, which may have changed since the row was created. */
export function applyStoredFilter(node: Node, { definitions, storage }: TreeContext): Node {
  if (node.type !== 'list' || node.filterKey === undefined) return node;
  const filter = parseFilter(storage.filters.get(node.filterKey), definitions[node.kind]?.list?.operation.query ?? {});
  return isDeepStrictEqual(filter, node.filter) ? node : { ...node, filter };
}

function createListNode(
  parent: Node,
  child: Extract<ResourceChild, { type: 'list' }>,
  siblings: UniqueNames,
  { definitions, storage }: TreeContext,
): ListNode {
  const { label, kind, fixed } = child;
  const base = createNodeBase(parent, siblings.makeUnique(`list ${kind} ${Object.keys(fixed).join(' ')}`));
  const filter = parseFilter(storage.filters.get(base.key), definitions[kind]?.list?.operation.query ?? {});
  return { type: 'list', ...base, kind, label, fixed, filter, filterKey: base.key };
}

function createReferenceNode(
  parent: Node,
  { label, kind, id }: Extract<ResourceChild, { type: 'reference' }>,
  siblings: UniqueNames,
  { definitions }: TreeContext,
  getTitle: GetTitle,
): ResourceNode {
  const { connection, organization } = parent;
  const owner =
    kind === 'organizations' ? id : definitions[kind]?.section === 'organization' ? organization : undefined;
  const title = getTitle(kind, id);
  return {
    type: 'resource',
    ...createNodeBase(parent, siblings.makeUnique(`reference ${label} ${id}`)),
    ...(owner !== undefined && { organization: owner }),
    kind,
    resource: { connection, kind, id },
    role: label,
    ...(title !== undefined && { hint: title }),
  };
}

/** Creates the rows below a kind without a list: variants with their own operation, and discovered ids. */
export function createKindRows(
  parent: Extract<Node, { type: 'kind' }>,
  definition: ResourceDefinition,
  discoveredIds: Iterable<string>,
): readonly Node[] {
  const { connection, kind, organization } = parent;
  const owner = organization === undefined ? {} : { organization };
  const variants = definition.read.by === 'path' ? Object.entries(definition.read.variants ?? {}) : [];
  const prefix = organization === undefined ? '' : `${organization}/`;
  const node = (id: string, role?: string): ResourceNode => ({
    type: 'resource',
    ...createNodeBase(parent, `#${id}`),
    ...owner,
    kind,
    resource: { connection, kind, id },
    ...(role !== undefined && { role }),
  });
  const ids = [...discoveredIds].filter((id) => id.startsWith(prefix));
  const resourceNodes = [
    ...variants.map(([name, { label }]) => node(prefix + name, label)),
    ...ids.map((id) => node(id)),
  ];
  const title = l10n.t('Open by ID…');
  const open = createLeaf(parent, 'open-by-id', title, {
    ...owner,
    icon: { id: 'go-to-file' },
    text: l10n.t('{0}: Open by ID…', definition.label),
    kind,
    command: { id: 'openResource', title },
  });
  if (resourceNodes.length > 0) return [...resourceNodes, open];
  const label = l10n.t('The platform does not list them. Those found in other responses appear here');
  return [createLeaf(parent, 'empty', label), open];
}
