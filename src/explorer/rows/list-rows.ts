import * as l10n from '@vscode/l10n';
import type { Session } from '../../model/session/session.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { formatNumber, pluralize } from '../../platform/text/localization.ts';
import { formatError, getMessageWithServer } from '../../model/text/error-message.ts';
import { formatRemedy, getRemedy } from '../../model/text/error-remedy.ts';
import { MAX_VISIBLE_ROWS, type PagedList, type Failure } from '../tree/paged-list.ts';
import {
  UniqueNames,
  createChildKey,
  createNote,
  type ListNode,
  type MoreNode,
  type Node,
  type NoteNode,
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
    ...(items.length === 0 && hasMore && failure === undefined ? [createEmptyPagesRow(node)] : []),
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
      key: createChildKey(parent.key, siblings.makeUnique(id === undefined ? `@${index}` : `#${id}`)),
      parent,
      connection,
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
): readonly NoteNode[] {
  // The reason comes first: the parent row already names the list, and sidebars are narrow.
  const reason = formatFailure(error);
  const text = l10n.t('{0} Select to try again.', toOneLine(formatError(what, error), 500));
  const label = operation === 'more' ? l10n.t('Not loaded: {0}', reason) : reason;
  const retry = { text, actionLabel: l10n.t('Retry'), kind: definition.kind, command: 'refresh' } as const;
  return [createNote(parent, 'error', `error ${operation}`, label, retry), ...createRemedyRows(parent, error)];
}

/** Offers another sign-in or identity if the platform refused the request, and Edit Connections if the base URL redirects elsewhere. */
function createRemedyRows(parent: Node, error: unknown): readonly NoteNode[] {
  if (error instanceof PlatformError && error.detail.redirect !== undefined) {
    const text = l10n.t('Change the base URL of {0}.', parent.connection);
    return [createNote(parent, 'hint', 'base-url', l10n.t('Edit Connections'), { text, command: 'editConnections' })];
  }
  const command = getRemedy(error);
  if (command === undefined) return [];
  const text =
    command === 'signIn'
      ? l10n.t('Sign in to {0} again.', parent.connection)
      : l10n.t('Select an identity of {0} that has the permission.', parent.connection);
  return [createNote(parent, 'hint', 'sign-in', formatRemedy(command), { text, command })];
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
): readonly NoteNode[] {
  const readTime = formatTimeOrDate(readAt, Date.now());
  const what = parent.type === 'list' ? definition.label : definition.singular;
  const reason = toOneLine(formatError(l10n.t('Refresh {0}', what), error), 400);
  const label = l10n.t('Not refreshed since {0}', readTime);
  const text = l10n.t('Last refreshed at {0}. {1} Failing since {2}.', readTime, reason, formatLocalTime(since));
  const retry = { text, actionLabel: l10n.t('Retry'), kind: definition.kind, command: 'refresh' } as const;
  return [createNote(parent, 'stale', 'stale', label, retry), ...createRemedyRows(parent, error)];
}

/** Explains in one line why a list is empty, with a command that may help. */
function createEmptyRow(parent: ListNode, definition: ResourceDefinition, session: Session): NoteNode {
  const [label, offer] = explainEmpty(parent, definition, session);
  return createNote(parent, 'empty', 'empty', label, {
    kind: parent.kind,
    ...(offer !== undefined && { command: offer }),
  });
}

function explainEmpty(
  { filter, filterKey, organization }: ListNode,
  definition: ResourceDefinition,
  session: Session,
): readonly [string, NoteNode['command']] {
  if (session.signedOutReason !== undefined) return [l10n.t('Not signed in. Sign In…'), 'signIn'];
  if (!isEmptyFilter(filter)) {
    return filterKey === undefined
      ? [l10n.t('No matches for the filter of this favorite'), undefined]
      : [l10n.t('No matches for the filter. Clear Filter'), 'clearFilter'];
  }
  if (session.identity?.systemScoped === true && definition.section === 'organization') {
    return [l10n.t('Tokens with system scope can’t read the data of organizations. Sign In…'), 'signIn'];
  }
  const needed = definition.list?.operation.permission;
  if (needed !== undefined && session.hasPermission(needed.resource, needed.verb, organization) === false) {
    return [l10n.t('Your role has no {0} permission for {1}', needed.verb, needed.resource), undefined];
  }
  return [
    organization === undefined
      ? l10n.t('No items, or none that you can access')
      : l10n.t('No items in this organization, or none that you can access'),
    undefined,
  ];
}

function createMoreRows(parent: ListNode, loaded: number): readonly MoreNode[] {
  return [createMoreRow(parent, 'all', loaded), createMoreRow(parent, 'page', loaded)];
}

/** Reports elements that are not JSON objects, in one row. */
function createInvalidItemRows(parent: ListNode, { invalidItemCount }: PagedList): readonly NoteNode[] {
  if (invalidItemCount === 0) return [];
  const label = pluralize(invalidItemCount, l10n.t('{0} invalid item|{0} invalid items'));
  const text = l10n.t('{0}: the server sent something other than a JSON object.', label);
  return [createNote(parent, 'bad', 'bad-items', label, { text })];
}

function createEmptyPagesRow(parent: ListNode): NoteNode {
  const label = l10n.t('The first pages are empty. Load more to continue');
  return createNote(parent, 'empty', 'empty', label, { kind: parent.kind });
}

function createLimitRows(parent: ListNode, { items, hasMore }: PagedList): readonly Node[] {
  if (items.length === MAX_VISIBLE_ROWS && !hasMore) return [];
  const [visible, loaded] = [formatNumber(MAX_VISIBLE_ROWS), formatNumber(items.length)];
  const label = hasMore
    ? l10n.t('Showing the first {0} of at least {1}', visible, loaded)
    : l10n.t('Showing the first {0} of {1}', visible, loaded);
  return [
    createNote(parent, 'empty', 'too-many', label),
    // The filter of a favorite is fixed.
    ...(parent.filterKey === undefined ? [] : [createMoreRow(parent, 'filter', items.length)]),
    createMoreRow(parent, 'export', items.length),
    createMoreRow(parent, 'table', items.length),
  ];
}

function createMoreRow(parent: ListNode, what: MoreNode['more'], loaded: number): MoreNode {
  const { connection, organization } = parent;
  return {
    type: 'more',
    more: what,
    key: createChildKey(parent.key, `more ${what}`),
    parent,
    connection,
    ...(organization !== undefined && { organization }),
    loaded,
  };
}
