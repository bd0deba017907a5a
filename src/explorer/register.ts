/** Registers the explorer: a light tree provider and its commands; the tree itself loads when the view is first shown. */
import * as vscode from 'vscode';
import type { Entry } from '../commands/entry.ts';
import type { CommandId } from '../commands/ids.ts';
import type { Node } from './nodes.ts';
import type { Room } from './room.ts';
import { DRAG_MIME, dragText, type DraggedResource } from '../ui/drag.ts';
import { lazyPanel } from '../webviews/lazy.ts';

const VIEW = 'smartObjects.explorer';

const COMMANDS = [
  'refresh',
  'refreshAll',
  'filter',
  'clearFilter',
  'loadMore',
  'loadAll',
  'addFavorite',
  'removeFavorite',
  'searchResources',
  'exportCollection',
  'openTable',
  'reveal',
] as const satisfies readonly CommandId[];
export type ExplorerCommand = (typeof COMMANDS)[number];

/** The tree as VS Code gets it, for tests. */
export interface ExplorerHooks {
  readonly provider: vscode.TreeDataProvider<Node>;
  readonly view: vscode.TreeView<Node>;
  /** as if a person had collapsed the row */
  collapse(node: Node): Promise<void>;
}

export function registerExplorer(entry: Entry): ExplorerHooks {
  const changed = entry.own(new vscode.EventEmitter<Node | Node[] | undefined>());
  let room: Room | undefined;
  let loading: Promise<Room> | undefined;
  const load = (): Promise<Room> =>
    (loading ??= Promise.all([entry.services(), import('./room.ts')]).then(
      ([services, { createRoom }]) => (room = createRoom({ entry, services, changed, view: () => view })),
    ));
  const provider: vscode.TreeDataProvider<Node> = {
    onDidChangeTreeData: changed.event,
    getChildren: async (node) => (await load()).children(node),
    // Without a wait once it is there: VS Code asks for each of thousands of rows.
    getTreeItem: (node) => room?.item(node) ?? load().then((loaded) => loaded.item(node)),
    getParent: (node) => node.parent,
    resolveTreeItem: (item, node) => room?.resolve(item, node) ?? item,
  };
  const view = entry.own(
    vscode.window.createTreeView(VIEW, {
      treeDataProvider: provider,
      showCollapseAll: true,
      canSelectMany: true,
      dragAndDropController: {
        dragMimeTypes: [DRAG_MIME],
        dropMimeTypes: [],
        handleDrag(nodes, transfer) {
          const dragged = nodes.flatMap((node): readonly DraggedResource[] => {
            const { connection } = node;
            if (node.type === 'scope' && node.organization !== undefined)
              return [{ connection, kind: 'organizations', id: node.organization }];
            return node.type === 'resource' && node.resource !== undefined ? [node.resource] : [];
          });
          if (dragged.length > 0) transfer.set(DRAG_MIME, new vscode.DataTransferItem(dragText(dragged)));
        },
      },
    }),
  );
  for (const id of COMMANDS) {
    entry.command(id, async (_services, ...args: readonly unknown[]) => (await load()).run(id, args[0]));
  }
  lazyPanel(entry, 'smartObjects.table', async (_services, panel, state) => (await load()).restoreTable(panel, state));
  const collapse = async (node: Node): Promise<void> => {
    (await load()).collapsed(node);
  };
  return { provider, view, collapse };
}
