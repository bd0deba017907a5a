/** Creates the fixed rows of the tree: connections, organizations, sections, favorites and statistics. */
import * as l10n from '@vscode/l10n';
import { formatRemedy } from '../../model/text/error-remedy.ts';
import { isNamedOrganization } from '../../model/text/heading.ts';
import type { Session } from '../../model/session/session.ts';
import { isOwnedByOrganization } from '../../platform/resource.ts';
import { statisticsSeries } from '../../platform/resources/statistics.ts';
import type { Favorite, ExplorerStorage } from '../storage.ts';
import {
  createConnectionKey,
  ERROR_ICON,
  SIGN_IN_ICON,
  UniqueNames,
  createLeaf,
  createNodeBase,
  type ConnectionNode,
  type GroupNode,
  type KindNode,
  type LeafNode,
  type ListNode,
  type Node,
  type ScopeNode,
} from '../tree/nodes.ts';
import { parseFilter, type Filter } from '../filter/filter.ts';
import type { ResourceRows } from './related-resources.ts';
import { toOneLine } from '../format.ts';

/** Creates the row of a connection. */
export function createConnectionNode(name: string): ConnectionNode {
  return { type: 'connection', key: createConnectionKey(name), connection: name };
}

/** Creates the row of a problem in the settings. */
export function createProblemNode(problem: string, index: number): LeafNode {
  const label = l10n.t('Settings: {0}', problem);
  return {
    type: 'leaf',
    key: `problem/${index}`,
    connection: '',
    label: toOneLine(label, 160),
    icon: ERROR_ICON,
    text: toOneLine(label, 600),
    context: 'error',
    command: { id: 'editConnections', title: l10n.t('Edit Connections') },
  };
}

export interface TreeContext {
  readonly definitions: ResourceRows;
  readonly storage: ExplorerStorage;
}

/** Creates the rows below a connection. */
export function createConnectionRows(context: TreeContext, node: ConnectionNode, session: Session): readonly Node[] {
  const favorites = context.storage.getFavorites(node.connection);
  return [
    ...createSignInRows(node, session),
    ...(favorites.length === 0 ? [] : [createGroupNode(node, 'favorites')]),
    createScopeNode(node),
    ...session.organizations.map((organization) =>
      createScopeNode(node, {
        id: organization.id,
        label: toOneLine(organization.label ?? organization.id),
        isNamed: isNamedOrganization(organization),
        ...(organization.source === 'discovered' && { detail: l10n.t('discovered') }),
      }),
    ),
    ...createSectionNodes(context, node, 'connection'),
    createGroupNode(node, 'statistics'),
  ];
}

function createSignInRows(parent: ConnectionNode, { signedOutReason, expired }: Session): readonly LeafNode[] {
  const reason = signedOutReason ?? (expired ? l10n.t('Session expired') : undefined);
  if (reason === undefined) return [];
  const label = l10n.t('{0}. Sign In…', reason.replace(/\.$/, ''));
  const command = { id: 'signIn', title: formatRemedy('signIn') } as const;
  return [createLeaf(parent, 'sign-in', label, { icon: SIGN_IN_ICON, command })];
}

function createScopeNode(
  parent: ConnectionNode,
  organization?: { readonly id: string; readonly label: string; readonly isNamed: boolean; readonly detail?: string },
): ScopeNode {
  if (organization === undefined)
    return { type: 'scope', ...createNodeBase(parent, 'all'), label: l10n.t('All organizations') };
  const { id, label, isNamed, detail } = organization;
  const visibleId = label === id ? undefined : id;
  const detailText = [visibleId, detail].filter((part) => part !== undefined).join(' · ');
  return {
    type: 'scope',
    ...createNodeBase(parent, `organization ${id}`),
    organization: id,
    label,
    isNamed,
    ...(detailText !== '' && { detail: detailText }),
  };
}

function createGroupNode(parent: ConnectionNode, group: GroupNode['group']): GroupNode {
  return { type: 'group', group, ...createNodeBase(parent, group) };
}

/** Creates the sections that the registry assigns to `place`. `parent` may be a reference to an organization. */
export function createSectionNodes(
  { definitions, storage }: TreeContext,
  parent: Node,
  place: 'organization' | 'connection',
): readonly (ListNode | KindNode)[] {
  const organization = place === 'organization' ? parent.organization : undefined;
  const owner = organization === undefined ? {} : { organization };
  return Object.values(definitions)
    .filter(
      (definition) =>
        definition.section === place && (organization !== undefined || !isOwnedByOrganization(definition)),
    )
    .map((definition) => {
      const base = { ...createNodeBase(parent, definition.kind), ...owner, kind: definition.kind };
      if (definition.list === undefined) return { type: 'kind', ...base };
      const filterKey = createFilterKey(parent.connection, organization, definition.kind);
      const fixed: Filter = organization === undefined ? {} : { org_id: organization };
      const filter = parseFilter(storage.filters.get(filterKey), definition.list.operation.query);
      return {
        type: 'list',
        ...base,
        label: definition.label,
        fixed,
        filter,
        filterKey,
      };
    });
}

/** Returns the storage key of a section's filter. */
function createFilterKey(connection: string, organization: string | undefined, kind: string): string {
  return JSON.stringify([connection, organization ?? null, kind]);
}

/** Creates the rows below Favorites. */
export function createFavoriteNodes({ definitions, storage }: TreeContext, parent: GroupNode): readonly Node[] {
  const siblings = new UniqueNames();
  return storage.getFavorites(parent.connection).flatMap((favorite): readonly Node[] => {
    const { search: text, id, name } = favorite;
    if (text !== undefined)
      return [
        createLeaf(parent, siblings.makeUnique(id), name, {
          icon: { id: 'search' },
          text,
          context: 'favorite',
          command: { id: 'searchResources', title: l10n.t('Search…') },
          search: text,
          favorite: id,
        }),
      ];
    const list = definitions[favorite.kind]?.list;
    return list === undefined
      ? []
      : [createFavoriteNode(parent, favorite, siblings, parseFilter(favorite.filter, list.operation.query))];
  });
}

function createFavoriteNode(parent: GroupNode, favorite: Favorite, siblings: UniqueNames, filter: Filter): ListNode {
  const { organization, kind, name, id } = favorite;
  return {
    type: 'list',
    ...createNodeBase(parent, siblings.makeUnique(id)),
    ...(organization !== undefined && { organization }),
    kind,
    label: name,
    fixed: organization === undefined ? {} : { org_id: organization },
    filter,
    favorite: id,
  };
}

/** Creates the rows below Statistics. */
export function createSeriesNodes(parent: GroupNode): readonly LeafNode[] {
  return statisticsSeries.map(({ id, label }) =>
    createLeaf(parent, id, label, {
      icon: { id: 'graph-line' },
      context: 'statistics',
      command: { id: 'showStatistics', title: l10n.t('Show Statistics') },
      series: id,
    }),
  );
}
