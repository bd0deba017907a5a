/** Pure: the rows below a resource, from what is known of it: its facts, its ways to others, the lists it filters. */
import { isDeepStrictEqual } from 'node:util';
import { pluralOf, articleOf, type ResourceRow } from '../platform/resource.ts';
import { Siblings, step, type FactNode, type ListNode, type Node, type ResourceNode } from './nodes.ts';
import { filterFrom } from './query.ts';
import type { Child } from './related.ts';
import type { Ground } from './sections.ts';

/** The resource's own row, or `parent` a row that stands for several. */
export function childNodes(parent: Node, children: readonly Child[], ground: Ground, titles: Titles): readonly Node[] {
  const siblings = new Siblings();
  return children.map((child) => {
    switch (child.type) {
      case 'fact':
        return factNode(parent, child, siblings);
      case 'list':
        return listNode(parent, child, siblings, ground);
      case 'way':
        return wayNode(parent, child, siblings, ground, titles);
    }
  });
}

/** What is known of a resource by its id. */
export type Titles = (kind: string, id: string) => string | undefined;

function factNode(parent: Node, child: Extract<Child, { type: 'fact' }>, siblings: Siblings): FactNode {
  const { connection } = parent;
  const key = step(parent.key, siblings.unique(`fact ${child.label}`));
  return { ...child, key, parent, connection };
}

/** With the filter that is kept by now: rows outlive the reading that made them. */
export function withFilter(node: Node, { rows, memory }: Ground): Node {
  if (node.type !== 'list' || node.filterKey === undefined) return node;
  const filter = filterFrom(memory.filter(node.filterKey), rows[node.kind]?.list?.operation.query ?? {});
  return isDeepStrictEqual(filter, node.filter) ? node : { ...node, filter };
}

function listNode(
  parent: Node,
  child: Extract<Child, { type: 'list' }>,
  siblings: Siblings,
  { rows, memory }: Ground,
): ListNode {
  const { connection } = parent;
  const { label, kind, fixed } = child;
  const key = step(parent.key, siblings.unique(`list ${kind} ${Object.keys(fixed).join(' ')}`));
  const filter = filterFrom(memory.filter(key), rows[kind]?.list?.operation.query ?? {});
  return { type: 'list', key, parent, connection, kind, label, fixed, filter, filterKey: key };
}

function wayNode(
  parent: Node,
  { label, kind, id }: Extract<Child, { type: 'way' }>,
  siblings: Siblings,
  { rows }: Ground,
  titles: Titles,
): ResourceNode {
  const { connection, organization } = parent;
  const home = kind === 'organizations' ? id : rows[kind]?.section === 'organization' ? organization : undefined;
  const title = titles(kind, id);
  return {
    type: 'resource',
    key: step(parent.key, siblings.unique(`way ${label} ${id}`)),
    parent,
    connection,
    ...(home !== undefined && { organization: home }),
    kind,
    resource: { connection, kind, id },
    role: label,
    ...(title !== undefined && { hint: title }),
  };
}

const variantWords: Readonly<Record<string, string>> = { myrole: 'My role', default: 'Default role' };

/** Below a kind without a list: what has an operation of its own, and the ids that were met. */
export function knownNodes(
  parent: Extract<Node, { type: 'kind' }>,
  row: ResourceRow,
  met: Iterable<string>,
): readonly Node[] {
  const { connection, kind, organization } = parent;
  const owner = organization === undefined ? {} : { organization };
  const variants = row.read.by === 'path' ? Object.keys(row.read.variants ?? {}) : [];
  const prefix = organization === undefined ? '' : `${organization}/`;
  const node = (id: string, role?: string): ResourceNode => ({
    type: 'resource',
    key: step(parent.key, `#${id}`),
    parent,
    connection,
    ...owner,
    kind,
    resource: { connection, kind, id },
    ...(role !== undefined && { role }),
  });
  const ids = [...met].filter((id) => id.startsWith(prefix));
  const shown = [
    ...[...variants].sort((a, b) => b.localeCompare(a)).map((name) => node(prefix + name, variantWords[name] ?? name)),
    ...ids.map((id) => node(id)),
  ];
  const open: Node = {
    type: 'note',
    note: 'open',
    key: step(parent.key, 'open by id'),
    parent,
    connection,
    ...owner,
    label: 'Open by ID…',
    text: `Open ${articleOf(row)} by its ID`,
    kind,
    offer: 'openResource',
  };
  if (shown.length > 0) return [...shown, open];
  const label = `The platform has no list of ${pluralOf(row)}; those met in what is read appear here`;
  return [
    { type: 'note', note: 'empty', key: step(parent.key, 'empty'), parent, connection, label, text: label, kind },
    open,
  ];
}
