/** Pure: the fixed part of the tree, from the registry: connections, organizations, and the sections below each. */
import type { Session } from '../connections/types.ts';
import type { ResourceRow } from '../platform/resource.ts';
import { statistics } from '../platform/resources/statistics.ts';
import type { Favorite, Memory } from './memory.ts';
import {
  connectionKey,
  Siblings,
  step,
  type ConnectionNode,
  type GroupNode,
  type KindNode,
  type ListNode,
  type Node,
  type NoteNode,
  type ScopeNode,
  type SeriesNode,
} from './nodes.ts';
import { filterFrom, type Filter } from './query.ts';
import type { Rows } from './related.ts';
import { organizationLabel } from './shown.ts';

export const ALL = 'All organizations';

export function connectionNode(name: string): ConnectionNode {
  return { type: 'connection', key: connectionKey(name), connection: name };
}

export interface Ground {
  readonly rows: Rows;
  readonly memory: Memory;
}

/** Below a connection. */
export function connectionChildren(ground: Ground, node: ConnectionNode, session: Session): readonly Node[] {
  const favorites = ground.memory.favorites(node.connection);
  return [
    ...signInHint(node, session),
    ...(favorites.length === 0 ? [] : [groupNode(node, 'favorites')]),
    scopeNode(node),
    ...session.organizations.map((organization) =>
      scopeNode(node, {
        id: organization.id,
        label: organizationLabel(organization),
        ...(organization.source === 'discovered' && { detail: 'found' }),
      }),
    ),
    ...sections(ground, node, 'connection'),
    groupNode(node, 'statistics'),
  ];
}

function signInHint(parent: ConnectionNode, { signedOutBecause, expired }: Session): readonly NoteNode[] {
  const reason = signedOutBecause ?? (expired ? 'The sign-in has run out' : undefined);
  if (reason === undefined) return [];
  const { connection } = parent;
  const text = `${reason.replace(/\.$/, '')}. Sign In…`;
  return [
    {
      type: 'note',
      note: 'hint',
      key: step(parent.key, 'sign in'),
      parent,
      connection,
      label: text,
      text,
      offer: 'signIn',
    },
  ];
}

function scopeNode(
  parent: ConnectionNode,
  organization?: { readonly id: string; readonly label: string; readonly detail?: string },
): ScopeNode {
  const { connection } = parent;
  if (organization === undefined)
    return { type: 'scope', key: step(parent.key, 'all'), parent, connection, label: ALL };
  const { id, label, detail } = organization;
  const key = step(parent.key, `organization ${id}`);
  const id2 = label === id ? undefined : id;
  const told = [id2, detail].filter((part) => part !== undefined).join(' · ');
  return { type: 'scope', key, parent, connection, organization: id, label, ...(told !== '' && { detail: told }) };
}

function groupNode(parent: ConnectionNode, group: GroupNode['group']): GroupNode {
  return { type: 'group', group, key: step(parent.key, group), parent, connection: parent.connection };
}

/** The sections that the registry puts in that place. `parent` may also be an organization met on the way. */
export function sections(
  { rows, memory }: Ground,
  parent: Node,
  place: 'organization' | 'connection',
): readonly (ListNode | KindNode)[] {
  const { connection } = parent;
  const organization = place === 'organization' ? parent.organization : undefined;
  const owner = organization === undefined ? {} : { organization };
  return Object.values(rows)
    .filter((row) => row.section === place && (organization !== undefined || !belongsToOrganization(row)))
    .map((row) => {
      const key = step(parent.key, row.kind);
      if (row.list === undefined) return { type: 'kind', key, parent, connection, kind: row.kind, ...owner };
      const filterKey = filterKeyOf(connection, organization, row.kind);
      const fixed: Filter = organization === undefined ? {} : { org_id: organization };
      const filter = filterFrom(memory.filter(filterKey), row.list.operation.query);
      return {
        type: 'list',
        key,
        parent,
        connection,
        ...owner,
        kind: row.kind,
        label: row.label,
        fixed,
        filter,
        filterKey,
      };
    });
}

/** Where it takes more than its own id to read one, the first part is the organization. */
function belongsToOrganization(row: ResourceRow): boolean {
  return row.list === undefined && row.read.by === 'path' && row.read.parameters.length > 1;
}

export function filterKeyOf(connection: string, organization: string | undefined, kind: string): string {
  return JSON.stringify([connection, organization ?? null, kind]);
}

export function favoriteNodes({ rows, memory }: Ground, parent: GroupNode): readonly ListNode[] {
  const siblings = new Siblings();
  return memory.favorites(parent.connection).flatMap((favorite) => {
    const list = rows[favorite.kind]?.list;
    return list === undefined
      ? []
      : [favoriteNode(parent, favorite, siblings, filterFrom(favorite.filter, list.operation.query))];
  });
}

function favoriteNode(
  parent: GroupNode,
  favorite: Omit<Favorite, 'filter'>,
  siblings: Siblings,
  filter: Filter,
): ListNode {
  const { connection } = parent;
  const { organization, kind, name, id } = favorite;
  return {
    type: 'list',
    key: step(parent.key, siblings.unique(id)),
    parent,
    connection,
    ...(organization !== undefined && { organization }),
    kind,
    label: name,
    fixed: organization === undefined ? {} : { org_id: organization },
    filter,
    favorite: id,
  };
}

export function seriesNodes(parent: GroupNode): readonly SeriesNode[] {
  const { connection } = parent;
  return statistics.map(({ id, label }) => ({
    type: 'series',
    key: step(parent.key, id),
    parent,
    connection,
    series: id,
    label,
  }));
}
