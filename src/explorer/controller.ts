/** Connects the tree, its storage, thumbnails and commands to the view, and re-renders on session changes. */
import * as vscode from 'vscode';
import { onDidChangeSandbox } from '../connections/sandbox/running.ts';
import type { FeatureContext, Services } from '../commands/context.ts';
import type { Session } from '../model/session/session.ts';
import { kinds, registry } from '../platform/registry.ts';
import { ExplorerCommands } from './explorer-commands.ts';
import { ExplorerStorage } from './storage.ts';
import type { Node } from './tree/nodes.ts';
import { getMissingPermission, type PresentationContext } from './rows/row-presentation.ts';
import { Tree } from './tree/tree.ts';
import { RowThumbnails } from './rows/row-thumbnails.ts';
import { createTreeItem, addTooltip } from './rows/tree-item.ts';

interface ExplorerControllerOptions {
  readonly features: FeatureContext;
  readonly services: Services;
  readonly changed: vscode.EventEmitter<Node | Node[] | undefined>;
  readonly view: () => vscode.TreeView<Node>;
}

/** The explorer's tree provider and commands, loaded on first use. */
export interface ExplorerController {
  getChildren(node?: Node): Promise<Node[]>;
  getTreeItem(node: Node): vscode.TreeItem;
  resolveTreeItem(item: vscode.TreeItem, node: Node): vscode.TreeItem;
  handleCollapse(node: Node): void;
  readonly commands: ExplorerCommands;
  restoreTable(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

const REFRESH_INTERVAL = 60_000;

/** Creates the tree and registers its listeners with the feature context. */
export function createExplorerController({
  features,
  services,
  changed,
  view,
}: ExplorerControllerOptions): ExplorerController {
  const { sessions, context } = services;
  const tree = new Tree({
    definitions: Object.fromEntries(kinds.map((kind) => [kind, registry[kind]])),
    sessions,
    ids: services.knownIds.index,
    labels: services.labels,
    storage: new ExplorerStorage(context.workspaceState, context.globalState),
    changed: (node) => changed.fire(node),
  });
  const commands = new ExplorerCommands(tree, services, view);
  const getContext = (): PresentationContext => ({
    definitions: tree.definitions,
    now: Date.now(),
    session: (connection) => sessions.get(connection),
    active: sessions.active?.profile.name,
    getTitle: (connection) => tree.getTitleLookup(connection),
    getLabel: (value) => services.labels.get(value)?.text,
  });

  const thumbnails = features.addDisposable(new RowThumbnails(services, (nodes) => changed.fire(nodes)));
  features.addDisposable(followSessions(services, tree, getContext));
  features.addDisposable(onDidChangeSandbox((name) => changed.fire(tree.getSandboxNode(name))));
  features.addDisposable(services.labels.onDidChange(() => tree.rerender()));
  features.addDisposable(view().onDidExpandElement(({ element }) => tree.markExpanded(element)));
  features.addDisposable(view().onDidCollapseElement(({ element }) => tree.markCollapsed(element)));
  // Keeps relative times up to date.
  const timer = setInterval(() => {
    if (view().visible && tree.isSmall) changed.fire(undefined);
  }, REFRESH_INTERVAL);
  features.addDisposable({ dispose: () => clearInterval(timer) });

  return {
    getChildren: async (node) => {
      const nodes = [...(await tree.getChildren(node))];
      // In the background: sections that the role cannot read are marked once the permissions are known.
      if (node?.type === 'connection') void sessions.get(node.connection)?.loadPermissions();
      return nodes;
    },
    getTreeItem: (node) => {
      commands.selectedRow.handleRead();
      return createTreeItem(node, getContext(), thumbnails.getIcon(node));
    },
    resolveTreeItem: (item, node) => addTooltip(item, node, getContext(), thumbnails.getIcon(node)),
    handleCollapse: (node) => tree.markCollapsed(node),
    commands,
    restoreTable: async (panel, state) =>
      (await import('./table/table-panel.ts')).restoreTable(tree, services, panel, state),
  };
}

/** Re-renders what a change of the sessions concerns: a connection, or the tree if connections come or go. */
function followSessions({ sessions }: Services, tree: Tree, getContext: () => PresentationContext): vscode.Disposable {
  const lockedRows = new WeakMap<Session, string>();
  let active = sessions.active?.profile.name;
  const updateLockedRows = (session: Session): boolean => {
    const context = getContext();
    const locked = tree.getSections(session).filter((node) => getMissingPermission(node, context) !== undefined);
    const previous = lockedRows.get(session) ?? '';
    const current = locked.map(({ key }) => key).join('\n');
    lockedRows.set(session, current);
    return current !== previous;
  };
  return vscode.Disposable.from(
    sessions.onDidChange((change) => {
      const previous = active;
      active = sessions.active?.profile.name;
      if (change.type === 'active') {
        for (const name of new Set([previous, active]))
          if (name !== undefined && sessions.get(name) !== undefined) tree.rerender(tree.getConnectionNode(name));
        return;
      }
      tree.handleSessionsChange();
      tree.rerender(change.type === 'replaced' ? tree.getConnectionNode(change.connection) : undefined);
    }),
    sessions.onDidChangeSession(({ session, type }) => {
      if (type === 'credential' || (type === 'permissions' && !updateLockedRows(session))) return;
      if (type === 'state') tree.handleSessionsChange(session);
      tree.rerender(tree.getConnectionNode(session.profile.name));
    }),
  );
}
