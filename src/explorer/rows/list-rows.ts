import * as l10n from '@vscode/l10n';
import type { CommandId } from '../../commands/ids.ts';
import type { Session } from '../../model/session/session.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { formatNumber, pluralize } from '../../platform/text/localization.ts';
import { formatError, getMessageWithServer } from '../../model/text/error-message.ts';
import { formatRemedy, getRemedy } from '../../model/text/error-remedy.ts';
import { MAX_VISIBLE_ROWS, type PagedList, type Failure } from '../tree/paged-list.ts';
import {
  ERROR_ICON,
  SIGN_IN_ICON,
  UniqueNames,
  WARNING_ICON,
  createLeaf,
  createNodeBase,
  type LeafNode,
  type ListNode,
  type Node,
  type ResourceNode,
} from '../tree/nodes.ts';
import { createRowNames, type RowName } from './row-names.ts';
import { getValuesAt } from '../../platform/json/field-values.ts';
import type { Item } from '../../platform/page.ts';
import type { GetTitle } from '../../model/resources/filter-fields.ts';
import { getItemTitle } from '../../model/resources/item-title.ts';
import { isEmptyFilter } from '../filter/filter.ts';
import { formatTimeOrDate, formatLocalTime, toOneLine } from '../format.ts';

/** Characters of a name that are compared with those of other rows. */
const MAX_COMPARED_LENGTH = 400;

/** Creates the rows below a list: a stale notice, its items, failures, and how to load more. */
export function createListRows(
  node: ListNode,
  definition: ResourceDefinition,
  pagedList: PagedList,
  session: Session,
  getTitle: GetTitle,
): readonly Node[] {
  const { failure, items, hasMore, isFull, readAt } = pagedList;
  if (failure?.operation === 'first') return createErrorRows(node, definition, failure);
  const staleRows =
    failure?.operation === 'refresh' ? createStaleRows(node, definition, failure, readAt ?? failure.since) : [];
  if (items.length === 0 && !hasMore && pagedList.invalidItemCount === 0)
    return [...staleRows, createEmptyRow(node, definition, session)];
  return [
    ...staleRows,
    ...createItemNodes(node, definition, pagedList, getTitle),
    ...createInvalidItemRows(node, pagedList),
    ...(items.length === 0 && hasMore && failure === undefined
      ? [createLeaf(node, 'empty', l10n.t('The first pages are empty. Load more to continue'))]
      : []),
    ...(failure?.operation === 'more' ? createErrorRows(node, definition, failure) : []),
    ...(items.length >= MAX_VISIBLE_ROWS
      ? createLimitRows(node, pagedList)
      : hasMore && !isFull
        ? createMoreRows(node, items.length)
        : []),
  ];
}

function createItemNodes(
  parent: ListNode,
  definition: ResourceDefinition,
  { items, extraItems }: PagedList,
  getTitle: GetTitle,
): readonly ResourceNode[] {
  const siblings = new UniqueNames();
  const { connection, kind, organization } = parent;
  const loadedCount = Math.min(items.length, MAX_VISIBLE_ROWS);
  const visible = [...items.slice(0, loadedCount), ...extraItems];
  const names = getRowNames(definition, visible, getTitle);
  return visible.map((item, index) => {
    const { id } = item;
    const name = names[index];
    return {
      type: 'resource',
      ...createNodeBase(parent, siblings.makeUnique(id === undefined ? `@${index}` : `#${id}`)),
      ...(organization !== undefined && { organization }),
      kind,
      ...(id !== undefined && { resource: { connection, kind, id } }),
      item,
      ...(name !== undefined && { name }),
      ...(index >= loadedCount && { isExtra: true }),
    };
  });
}

/** Returns names for the items of kinds that are made from templates; none for other kinds. */
function getRowNames(definition: ResourceDefinition, items: readonly Item[], getTitle: GetTitle): readonly RowName[] {
  const { templateField } = definition;
  if (templateField === undefined) return [];
  return createRowNames(
    items.map(({ id, raw }) => ({
      id,
      title: toOneLine(getItemTitle(definition, raw, getTitle), MAX_COMPARED_LENGTH) || (id ?? ''),
      template: getValuesAt(raw, templateField)[0],
    })),
  );
}

/** Creates the row of a failed read, with a retry. */
export function createErrorRows(
  parent: Node,
  definition: ResourceDefinition,
  { error, operation }: Pick<Failure, 'error' | 'operation'>,
  what = l10n.t('Load {0}', definition.label),
): readonly LeafNode[] {
  // The reason comes first: the parent row already names the list, and sidebars are narrow.
  const reason = formatFailure(error);
  const text = l10n.t('{0} Select to try again.', toOneLine(formatError(what, error), 500));
  const label = operation === 'more' ? l10n.t('Not loaded: {0}', reason) : reason;
  return [
    createLeaf(parent, `error ${operation}`, label, { text, icon: ERROR_ICON, ...createRetry() }),
    ...createRemedyRows(parent, error),
  ];
}

function createRetry(): Pick<LeafNode, 'context' | 'description' | 'command'> {
  const title = l10n.t('Retry');
  return { context: 'error', description: title, command: { id: 'refresh', title } };
}

/** Offers another sign-in or identity if the platform refused the request, and Edit Connections if the base URL redirects elsewhere. */
function createRemedyRows(parent: Node, error: unknown): readonly LeafNode[] {
  if (error instanceof PlatformError && error.detail.redirect !== undefined) {
    const text = l10n.t('Change the base URL of {0}.', parent.connection);
    const title = l10n.t('Edit Connections');
    return [
      createLeaf(parent, 'base-url', title, { text, icon: SIGN_IN_ICON, command: { id: 'editConnections', title } }),
    ];
  }
  const id = getRemedy(error);
  if (id === undefined) return [];
  const text =
    id === 'signIn'
      ? l10n.t('Sign in to {0} again.', parent.connection)
      : l10n.t('Select an identity of {0} that has the permission.', parent.connection);
  const title = formatRemedy(id);
  return [createLeaf(parent, 'sign-in', title, { text, icon: SIGN_IN_ICON, command: { id, title } })];
}

/** Formats the error's message with the server's, in at most 160 characters. */
export function formatFailure(error: unknown): string {
  return toOneLine(getMessageWithServer(error), 160);
}

/** Creates the notice above rows that could not be refreshed; `readAt` in milliseconds since the epoch. */
export function createStaleRows(
  parent: ListNode | ResourceNode,
  definition: ResourceDefinition,
  { error, since }: Pick<Failure, 'error' | 'since'>,
  readAt: number,
): readonly LeafNode[] {
  const readTime = formatTimeOrDate(readAt, Date.now());
  const what = parent.type === 'list' ? definition.label : definition.singular;
  const reason = toOneLine(formatError(l10n.t('Refresh {0}', what), error), 400);
  const label = l10n.t('Not refreshed since {0}', readTime);
  const text = l10n.t('Last refreshed at {0}. {1} Failing since {2}.', readTime, reason, formatLocalTime(since));
  return [
    createLeaf(parent, 'stale', label, { text, icon: WARNING_ICON, ...createRetry() }),
    ...createRemedyRows(parent, error),
  ];
}

/** Explains in one line why a list is empty, with a command that may help. */
function createEmptyRow(parent: ListNode, definition: ResourceDefinition, session: Session): LeafNode {
  const [label, command] = explainEmpty(parent, definition, session);
  return createLeaf(parent, 'empty', label, { ...(command !== undefined && { command }) });
}

function explainEmpty(
  { filter, filterKey, organization }: ListNode,
  definition: ResourceDefinition,
  session: Session,
): readonly [string, LeafNode['command']?] {
  const signIn = { id: 'signIn', title: formatRemedy('signIn') } as const;
  if (session.signedOutReason !== undefined) return [l10n.t('Not signed in. Sign In…'), signIn];
  if (!isEmptyFilter(filter)) {
    return filterKey === undefined
      ? [l10n.t('No matches for the filter of this favorite')]
      : [l10n.t('No matches for the filter. Clear Filter'), { id: 'clearFilter', title: l10n.t('Clear Filter') }];
  }
  if (session.identity?.systemScoped === true && definition.section === 'organization') {
    return [l10n.t('Tokens with system scope can’t read the data of organizations. Sign In…'), signIn];
  }
  const needed = definition.list?.operation.permission;
  if (needed !== undefined && session.hasPermission(needed.resource, needed.verb, organization) === false) {
    return [l10n.t('Your role has no {0} permission for {1}', needed.verb, needed.resource)];
  }
  return [
    organization === undefined
      ? l10n.t('No items, or none that you can access')
      : l10n.t('No items in this organization, or none that you can access'),
  ];
}

function createMoreRows(parent: ListNode, loaded: number): readonly LeafNode[] {
  const count = formatNumber(loaded);
  const more = l10n.t('Load More');
  return [
    createLeaf(parent, 'more-all', l10n.t('Load All ({0} so far)', count), {
      icon: { id: 'fold-down' },
      context: 'more',
      command: { id: 'loadAll', title: l10n.t('Load All') },
    }),
    createLeaf(parent, 'more-page', more, {
      icon: { id: 'chevron-down' },
      text: l10n.t('Load More, {0} so far', count),
      context: 'more',
      command: { id: 'loadMore', title: more },
    }),
  ];
}

/** Reports elements that are not JSON objects, in one row. */
function createInvalidItemRows(parent: ListNode, { invalidItemCount }: PagedList): readonly LeafNode[] {
  if (invalidItemCount === 0) return [];
  const text = formatInvalidItems(invalidItemCount);
  return [createLeaf(parent, 'bad-items', formatInvalidCount(invalidItemCount), { text, icon: WARNING_ICON })];
}

function formatInvalidCount(count: number): string {
  return pluralize(count, l10n.t('{0} invalid item|{0} invalid items'));
}

/** Says how many elements of a list are not JSON objects, in a sentence. */
export function formatInvalidItems(count: number): string {
  return l10n.t('{0}: the server sent something other than a JSON object.', formatInvalidCount(count));
}

function createLimitRows(parent: ListNode, { items, hasMore }: PagedList): readonly Node[] {
  if (items.length === MAX_VISIBLE_ROWS && !hasMore) return [];
  const [visible, loaded] = [formatNumber(MAX_VISIBLE_ROWS), formatNumber(items.length)];
  const label = hasMore
    ? l10n.t('Showing the first {0} of at least {1}', visible, loaded)
    : l10n.t('Showing the first {0} of {1}', visible, loaded);
  return [
    createLeaf(parent, 'too-many', label),
    // The filter of a favorite is fixed.
    ...(parent.filterKey === undefined
      ? []
      : [createOffer(parent, 'filter', 'filter', l10n.t('Filter…'), l10n.t('to show fewer items'))]),
    createOffer(parent, 'exportCollection', 'export', l10n.t('Export…'), l10n.t('all items, to a file')),
    createOffer(
      parent,
      'openTable',
      'table',
      l10n.t('Open as Table'),
      pluralize(items.length, l10n.t('{0} item loaded|{0} items loaded')),
    ),
  ];
}

function createOffer(parent: ListNode, id: CommandId, icon: string, title: string, description: string): LeafNode {
  return createLeaf(parent, `more-${icon}`, title, {
    description,
    icon: { id: icon },
    text: `${title}, ${description}`,
    context: 'more',
    command: { id, title },
  });
}
