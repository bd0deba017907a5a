import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import type { Session } from '../../model/session/session.ts';
import { isObject } from '../../platform/json/json.ts';
import { formatFailure, createListRows } from '../rows/list-rows.ts';
import type { KindNode, ListNode, Node } from './nodes.ts';
import { isEmptyFilter } from '../filter/filter.ts';
import { splitResourceId } from '../../model/resources/resource-uri.ts';
import { createKindRows } from '../rows/resource-rows.ts';
import { toOneLine } from '../format.ts';
import type { Tree } from './tree.ts';

type RevealTarget = ResourceArgument & { readonly organization?: string };

const MAX_NAME_LENGTH = 1024;

/**
 * Selects the row of a resource in the tree; loads it if needed, and opens its document if no row can show it. Rejects
 * with Error for an argument that names no resource of a known connection.
 */
export async function reveal(
  tree: Tree,
  services: Services,
  view: vscode.TreeView<Node>,
  argument: unknown,
): Promise<void> {
  const target = parseTarget(argument);
  const session = target === undefined ? undefined : services.sessions.get(target.connection);
  if (
    target === undefined ||
    session === undefined ||
    !(target.kind === 'organizations' || Object.hasOwn(tree.definitions, target.kind))
  )
    throw new Error(l10n.t('Specify a resource of an existing connection'));
  const found = await vscode.window.withProgress({ location: { viewId: 'smartObjects.explorer' } }, () =>
    findRow(tree, session, target),
  );
  if (session.ended.aborted) return;
  if (typeof found === 'object') {
    const show = (): Thenable<void> => view.reveal(found, { select: true, focus: true });
    const getSelection = (): string => view.selection.map(({ key }) => key).join('\n');
    const before = getSelection();
    await show();
    // A view that has just become visible may show the row but lose the selection.
    for (let wait = 0; wait < 20 && getSelection() === before && before !== found.key; wait++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    if (getSelection() === before && before !== found.key) await show();
    return;
  }
  void services.ui.info(
    l10n.t('{0} is not shown in the tree. {1} Its document was opened instead.', toOneLine(target.id), found),
  );
  const { connection, kind, id } = target;
  await vscode.commands.executeCommand('smartObjects.openResource', { connection, kind, id });
}

function parseTarget(argument: unknown): RevealTarget | undefined {
  if (!isObject(argument)) return undefined;
  const { connection, kind, id, organization } = argument;
  const isName = (value: unknown): value is string =>
    typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH;
  return isName(connection) && isName(kind) && isName(id)
    ? { connection, kind, id, ...(isName(organization) && { organization }) }
    : undefined;
}

/** Resolves to the row, or to a sentence that explains why there is none. */
async function findRow(tree: Tree, session: Session, target: RevealTarget): Promise<Node | string> {
  const { kind, id } = target;
  const sections = tree.getSections(session);
  if (kind === 'organizations')
    return (
      sections.find((node) => node.type === 'scope' && node.organization === id) ?? l10n.t('Unknown organization.')
    );
  const organization = splitResourceId(kind, id).length > 1 ? splitResourceId(kind, id)[0] : target.organization;
  const candidates = sections
    .filter((node) => node.type === 'list' || node.type === 'kind')
    .filter((node) => node.kind === kind);
  // The list of its organization first, then that of all organizations.
  const ordered = [organization, undefined].flatMap(
    (home) => candidates.find((node) => node.organization === home) ?? [],
  );
  let reason = l10n.t('No list contains it.');
  for (const section of new Set(ordered)) {
    const found =
      section.type === 'list'
        ? await findInList(tree, session, section, id)
        : await findInKind(tree, session, section, id);
    if (typeof found === 'object') return found;
    reason = found;
  }
  return reason;
}

async function findInList(tree: Tree, session: Session, list: ListNode, id: string): Promise<Node | string> {
  const definition = tree.definitions[list.kind];
  const pagedList = tree.getPagedList(list);
  if (definition === undefined || pagedList === undefined) return l10n.t('The connection was removed.');
  const before = pagedList.items.length + pagedList.extraItems.length;
  try {
    await pagedList.ensureVisible(id);
  } catch (error) {
    return `${formatFailure(error)}.`;
  }
  if (pagedList.items.length + pagedList.extraItems.length !== before) tree.rerender(list);
  const visibleRow = createListRows(list, definition, pagedList, session, tree.getTitleLookup(list.connection)).find(
    (node) => node.type === 'resource' && node.resource?.id === id,
  );
  if (visibleRow !== undefined) return visibleRow;
  if (pagedList.failure !== undefined) return `${formatFailure(pagedList.failure.error)}.`;
  const path = list.parent?.type === 'scope' ? `${list.parent.label} › ${definition.label}` : definition.label;
  return isEmptyFilter(list.filter)
    ? l10n.t('{0} does not contain it.', path)
    : l10n.t('{0} does not contain it with the current filter.', path);
}

/** Reads the resource if it is unknown, so that its kind's section shows it. */
async function findInKind(tree: Tree, session: Session, parent: KindNode, id: string): Promise<Node | string> {
  const definition = tree.definitions[parent.kind];
  if (definition === undefined) return l10n.t('The connection was removed.');
  const find = (): Node | undefined =>
    createKindRows(parent, definition, tree.getDiscoveredIds(session).getIds(definition.kind)).find(
      (node) => node.type === 'resource' && node.resource?.id === id,
    );
  if (find() === undefined) {
    try {
      const { item } = await session.client.readFor(definition, splitResourceId(definition.kind, id), {
        signal: session.ended,
      });
      tree.recordItems(session, definition, [item], id);
    } catch (error) {
      return `${formatFailure(error)}.`;
    }
  }
  return find() ?? l10n.t('{0} does not contain it.', definition.label);
}
