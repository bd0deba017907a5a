/** Shows the row of a resource in the tree: asks a list for it where it is not loaded, and opens its document where no row can be. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import type { ResourceArgument } from '../commands/ids.ts';
import type { Session } from '../connections/types.ts';
import { isObject } from '../platform/json.ts';
import { failureWords, listRows } from './list-rows.ts';
import type { KindNode, ListNode, Node } from './nodes.ts';
import { isEmpty } from './query.ts';
import { idParts } from './reading.ts';
import { knownNodes } from './resource-rows.ts';
import { oneLine } from './text.ts';
import type { Tree } from './tree.ts';

type Wanted = ResourceArgument & { readonly organization?: string };

const LONGEST = 1024;

/** Throws Error for an argument that names no resource of a connection that is there. */
export async function reveal(
  tree: Tree,
  services: Services,
  view: vscode.TreeView<Node>,
  argument: unknown,
): Promise<void> {
  const wanted = wantedFrom(argument);
  const session = wanted === undefined ? undefined : services.sessions.get(wanted.connection);
  if (
    wanted === undefined ||
    session === undefined ||
    !(wanted.kind === 'organizations' || Object.hasOwn(tree.rows, wanted.kind))
  )
    throw new Error('Name a resource of a connection that is there to show in the tree');
  const found = await vscode.window.withProgress({ location: { viewId: 'smartObjects.explorer' } }, () =>
    rowOf(tree, session, wanted),
  );
  if (session.ended.aborted) return;
  if (typeof found === 'object') {
    const show = (): Thenable<void> => view.reveal(found, { select: true, focus: true });
    const chosen = (): string => view.selection.map(({ key }) => key).join('\n');
    const before = chosen();
    await show();
    // A view that has only just come to light may show the row and lose the selection.
    for (let wait = 0; wait < 20 && chosen() === before && before !== found.key; wait++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    if (chosen() === before && before !== found.key) await show();
    return;
  }
  void services.ui.info(`${oneLine(wanted.id)} has no row in the tree: ${found} Its document is open instead.`);
  const { connection, kind, id } = wanted;
  await vscode.commands.executeCommand('smartObjects.openResource', { connection, kind, id });
}

function wantedFrom(argument: unknown): Wanted | undefined {
  if (!isObject(argument)) return undefined;
  const { connection, kind, id, organization } = argument;
  const isName = (value: unknown): value is string =>
    typeof value === 'string' && value !== '' && value.length <= LONGEST;
  return isName(connection) && isName(kind) && isName(id)
    ? { connection, kind, id, ...(isName(organization) && { organization }) }
    : undefined;
}

/** The row, or why there is none, in a sentence. */
async function rowOf(tree: Tree, session: Session, wanted: Wanted): Promise<Node | string> {
  const { kind, id } = wanted;
  const sections = tree.sectionsOf(session);
  if (kind === 'organizations')
    return sections.find((node) => node.type === 'scope' && node.organization === id) ?? 'It is not known here.';
  const organization = kind === 'roles' ? id.split('/')[0] : wanted.organization;
  const places = sections
    .filter((node) => node.type === 'list' || node.type === 'kind')
    .filter((node) => node.kind === kind);
  // Its own organization's first, then that of all.
  const near = [organization, undefined].flatMap((home) => places.find((node) => node.organization === home) ?? []);
  let why = 'it stands in no list.';
  for (const place of new Set(near)) {
    const found =
      place.type === 'list' ? await inList(tree, session, place, id) : await inKind(tree, session, place, id);
    if (typeof found === 'object') return found;
    why = found;
  }
  return why;
}

async function inList(tree: Tree, session: Session, list: ListNode, id: string): Promise<Node | string> {
  const row = tree.rows[list.kind];
  const branch = tree.branch(list);
  if (row === undefined || branch === undefined) return 'the connection is gone.';
  const before = branch.items.length + branch.beside.length;
  try {
    await branch.show(id);
  } catch (error) {
    return `${failureWords(error)}.`;
  }
  if (branch.items.length + branch.beside.length !== before) tree.shows(list);
  const shown = listRows(list, row, branch, session).find(
    (node) => node.type === 'resource' && node.resource?.id === id,
  );
  if (shown !== undefined) return shown;
  if (branch.failure !== undefined) return `${failureWords(branch.failure.error)}.`;
  const where = list.parent?.type === 'scope' ? ` of ${list.parent.label}` : '';
  return `${isEmpty(list.filter) ? '' : 'as it is filtered, '}${row.label}${where} does not show it.`;
}

/** A kind without a list shows what was met: reading it is meeting it. */
async function inKind(tree: Tree, session: Session, parent: KindNode, id: string): Promise<Node | string> {
  const row = tree.rows[parent.kind];
  if (row === undefined) return 'the connection is gone.';
  const find = (): Node | undefined =>
    knownNodes(parent, row, tree.met(session).ids(row.kind)).find(
      (node) => node.type === 'resource' && node.resource?.id === id,
    );
  if (find() === undefined) {
    try {
      const { item } = await session.client.readOf(row, idParts(row, id), { signal: session.ended });
      tree.take(session, row, [item], id);
    } catch (error) {
      return `${failureWords(error)}.`;
    }
  }
  return find() ?? `${row.label} does not show it.`;
}
