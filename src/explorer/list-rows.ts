/** Pure: the rows below a list: its items, what is stale or failed, why it is empty, and what comes after the last. */
import type { Session } from '../connections/types.ts';
import { PlatformError } from '../platform/errors.ts';
import { articleOf, pluralOf, type ResourceRow } from '../platform/resource.ts';
import { errorText } from '../ui/error-text.ts';
import { MOST_ROWS, type Branch, type Failure } from './branch.ts';
import { Siblings, step, type ListNode, type MoreNode, type Node, type NoteNode, type ResourceNode } from './nodes.ts';
import { isEmpty } from './query.ts';
import { asOf, countText, localTime, oneLine } from './text.ts';

export function listRows(node: ListNode, row: ResourceRow, branch: Branch, session: Session): readonly Node[] {
  const { failure, items, hasMore, full, readAt } = branch;
  if (failure?.of === 'first') return failed(node, row, failure);
  const old = failure?.of === 'refresh' ? stale(node, row, failure, readAt ?? failure.since) : [];
  if (items.length === 0 && !hasMore && branch.bad === 0) return [...old, emptyNote(node, row, session)];
  return [
    ...old,
    ...itemNodes(node, branch),
    ...badItems(node, row, branch),
    ...(items.length === 0 && hasMore && failure === undefined ? [nothingYet(node, row)] : []),
    ...(failure?.of === 'more' ? failed(node, row, failure) : []),
    ...(items.length >= MOST_ROWS ? tooMany(node, row, branch) : hasMore && !full ? ends(node, items.length) : []),
  ];
}

function itemNodes(parent: ListNode, { items, beside }: Branch): readonly ResourceNode[] {
  const siblings = new Siblings();
  const { connection, kind, organization } = parent;
  const shown = Math.min(items.length, MOST_ROWS);
  return [...items.slice(0, shown), ...beside].map((item, index) => {
    const { id } = item;
    return {
      type: 'resource',
      key: step(parent.key, siblings.unique(id === undefined ? `@${index}` : `#${id}`)),
      parent,
      connection,
      ...(organization !== undefined && { organization }),
      kind,
      ...(id !== undefined && { resource: { connection, kind, id } }),
      item,
      ...(index >= shown && { beside: true }),
    };
  });
}

export function failed(
  parent: Node,
  row: ResourceRow,
  { error, of }: Pick<Failure, 'error' | 'of'>,
  what = `${of === 'more' ? 'Load more' : 'List'} ${pluralOf(row)}`,
): readonly NoteNode[] {
  const { connection } = parent;
  // The row stands below what failed, so the reason comes first: sidebars are narrow.
  const reason = failureWords(error);
  const text = `${oneLine(errorText(what, error), 500)} Select to try again.`;
  return [
    {
      type: 'note',
      note: 'error',
      key: step(parent.key, `error ${of}`),
      parent,
      connection,
      label: of === 'more' ? `Not loaded: ${reason}` : reason,
      text,
      action: 'Retry',
      kind: row.kind,
      offer: 'refresh',
    },
    ...signInRow(parent, error),
  ];
}

/** Where another sign-in may mend it, the way to one stands below the reason. */
function signInRow(parent: Node, error: unknown): readonly NoteNode[] {
  if (!(error instanceof PlatformError) || error.code !== 'unauthenticated') return [];
  const { connection } = parent;
  const label = 'Sign In…';
  const text = `Sign in to ${connection} again`;
  return [
    { type: 'note', note: 'hint', key: step(parent.key, 'sign in'), parent, connection, label, text, offer: 'signIn' },
  ];
}

/** The reason in few words: ours, and the server's. */
export function failureWords(error: unknown): string {
  if (!(error instanceof PlatformError)) return oneLine(error instanceof Error ? error.message : 'unknown error', 160);
  const { serverMessage } = error.detail;
  return oneLine(serverMessage === undefined ? error.message : `${error.message}: ${serverMessage}`, 160);
}

/** Stands before rows that were read at `readAt`, and that a refresh could not renew. */
export function stale(
  parent: ListNode | ResourceNode,
  row: ResourceRow,
  { error, since }: Pick<Failure, 'error' | 'since'>,
  readAt: number,
): readonly NoteNode[] {
  const { connection } = parent;
  const then = asOf(readAt, Date.now());
  const what = parent.type === 'list' ? pluralOf(row) : row.singular;
  const reason = oneLine(errorText(`Refresh ${what}`, error), 400);
  const label = `Not refreshed: as of ${then}`;
  const text = `These rows are as of ${then}. ${reason} Failing since ${localTime(since)}.`;
  return [
    {
      type: 'note',
      note: 'stale',
      key: step(parent.key, 'stale'),
      parent,
      connection,
      label,
      text,
      action: 'Retry',
      kind: row.kind,
      offer: 'refresh',
    },
    ...signInRow(parent, error),
  ];
}

/** Says in one line why there is nothing, with what can be done about it. */
export function emptyNote(parent: ListNode, row: ResourceRow, session: Session): NoteNode {
  const { connection, kind } = parent;
  const [label, offer] = whyEmpty(parent, row, session);
  const key = step(parent.key, 'empty');
  return {
    type: 'note',
    note: 'empty',
    key,
    parent,
    connection,
    label,
    text: label,
    kind,
    ...(offer !== undefined && { offer }),
  };
}

function whyEmpty(
  { filter, filterKey, organization }: ListNode,
  row: ResourceRow,
  session: Session,
): readonly [string, NoteNode['offer']] {
  const things = pluralOf(row);
  if (session.signedOutBecause !== undefined) return [`No ${things} without a sign-in. Sign In…`, 'signIn'];
  if (!isEmpty(filter)) {
    return filterKey === undefined
      ? [`No ${things} match this favorite’s filter`, undefined]
      : [`No ${things} match the filter. Clear Filter`, 'clearFilter'];
  }
  if (session.identity?.systemScoped === true && row.section === 'organization') {
    return [`No ${things}: this token has the system scope, which lists no organization’s. Sign In…`, 'signIn'];
  }
  const needed = row.list?.operation.permission;
  if (needed !== undefined && session.can(needed.resource, needed.verb, organization) === false) {
    return [`No ${things}: your role grants no ${needed.verb} on ${needed.resource}`, undefined];
  }
  const where = organization === undefined ? '' : ' in this organization';
  return [`No ${things}${where}, or none that this identity may see`, undefined];
}

function ends(parent: ListNode, loaded: number): readonly MoreNode[] {
  return [more(parent, 'all', loaded), more(parent, 'page', loaded)];
}

/** What the server sent in place of items, in one row. */
function badItems(parent: ListNode, row: ResourceRow, { bad }: Branch): readonly NoteNode[] {
  if (bad === 0) return [];
  const { connection } = parent;
  const label = bad === 1 ? `1 item is not ${articleOf(row)}` : `${countText(bad)} items are not ${pluralOf(row)}`;
  const text = `${label}: the server sent something other than a JSON object in their place.`;
  return [{ type: 'note', note: 'bad', key: step(parent.key, 'bad items'), parent, connection, label, text }];
}

function nothingYet(parent: ListNode, row: ResourceRow): NoteNode {
  const { connection, kind } = parent;
  const label = `No ${pluralOf(row)} on the first pages; there are more pages`;
  return { type: 'note', note: 'empty', key: step(parent.key, 'empty'), parent, connection, label, text: label, kind };
}

function tooMany(parent: ListNode, row: ResourceRow, { items, hasMore }: Branch): readonly Node[] {
  if (items.length === MOST_ROWS && !hasMore) return [];
  const { connection } = parent;
  const label = `The first ${countText(MOST_ROWS)} of ${countText(items.length)} ${hasMore ? 'or more ' : ''}${pluralOf(row)} are shown`;
  return [
    { type: 'note', note: 'empty', key: step(parent.key, 'too many'), parent, connection, label, text: label },
    // A favorite keeps its filter.
    ...(parent.filterKey === undefined ? [] : [more(parent, 'filter', items.length)]),
    more(parent, 'export', items.length),
    more(parent, 'table', items.length),
  ];
}

function more(parent: ListNode, what: MoreNode['more'], loaded: number): MoreNode {
  const { connection, organization } = parent;
  return {
    type: 'more',
    more: what,
    key: step(parent.key, `more ${what}`),
    parent,
    connection,
    ...(organization !== undefined && { organization }),
    loaded,
  };
}
