/** Registers the explorer's view and commands; the controller is imported when the view is first shown. */
import * as vscode from 'vscode';
import type { FeatureContext } from '../commands/context.ts';
import { registerCommands } from '../commands/register-commands.ts';
import type { Node } from './tree/nodes.ts';
import { commands } from './commands.ts';
import type { ExplorerController } from './controller.ts';
import { DRAG_MIME, formatDragData } from '../model/resources/drag-data.ts';
import { registerWebviewPanel } from '../commands/register-webviews.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';

const VIEW = 'smartObjects.explorer';

/** The registered provider and view, for tests. */
export interface ExplorerHooks {
  readonly provider: vscode.TreeDataProvider<Node>;
  readonly view: vscode.TreeView<Node>;
  /** simulates collapsing the row in the view */
  collapse(node: Node): Promise<void>;
}

/** Registers the tree view, drag and drop, the commands and the table panel. */
export function registerExplorer(features: FeatureContext): ExplorerHooks {
  const changed = features.addDisposable(new vscode.EventEmitter<Node | Node[] | undefined>());
  let controller: ExplorerController | undefined;
  let loading: Promise<ExplorerController> | undefined;
  const load = (): Promise<ExplorerController> =>
    (loading ??= Promise.all([features.services(), import('./controller.ts')]).then(
      ([services, { createExplorerController }]) =>
        (controller = createExplorerController({ features, services, changed, view: () => view })),
    ));
  const provider: vscode.TreeDataProvider<Node> = {
    onDidChangeTreeData: changed.event,
    getChildren: async (node) => (await load()).getChildren(node),
    // Synchronous once loaded: VS Code calls this for thousands of rows.
    getTreeItem: (node) => controller?.getTreeItem(node) ?? load().then((loaded) => loaded.getTreeItem(node)),
    getParent: (node) => node.parent,
    resolveTreeItem: (item, node) => controller?.resolveTreeItem(item, node) ?? item,
  };
  const view = features.addDisposable(
    vscode.window.createTreeView(VIEW, {
      treeDataProvider: provider,
      showCollapseAll: true,
      canSelectMany: true,
      dragAndDropController: {
        dragMimeTypes: [DRAG_MIME],
        dropMimeTypes: [],
        handleDrag(nodes, transfer) {
          const dragged = nodes.flatMap((node): readonly ResourceArgument[] => {
            const { connection } = node;
            if (node.type === 'scope' && node.organization !== undefined)
              return [{ connection, kind: 'organizations', id: node.organization }];
            return node.type === 'resource' && node.resource !== undefined ? [node.resource] : [];
          });
          if (dragged.length > 0) transfer.set(DRAG_MIME, new vscode.DataTransferItem(formatDragData(dragged)));
        },
      },
    }),
  );
  registerCommands(features, async () => (await load()).commands, commands);
  registerWebviewPanel(features, 'smartObjects.table', async (_services, panel, state) =>
    (await load()).restoreTable(panel, state),
  );
  const collapse = async (node: Node): Promise<void> => (await load()).handleCollapse(node);
  return { provider, view, collapse };
}
