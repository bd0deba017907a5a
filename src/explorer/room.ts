/** The explorer at work: the tree behind the view, kept in step with the sessions, and the commands on its rows. */
import * as vscode from 'vscode';
import type { Entry, Services } from '../commands/entry.ts';
import type { Session } from '../connections/types.ts';
import { kinds, registry } from '../platform/registry.ts';
import { Commands } from './commands.ts';
import { Memory } from './memory.ts';
import type { Node } from './nodes.ts';
import type { ExplorerCommand } from './register.ts';
import type { Surroundings } from './shown.ts';
import { Tree } from './tree.ts';
import { RowPictures } from './row-pictures.ts';
import { treeItem, withTooltip } from './tree-item.ts';

export interface RoomParts {
  readonly entry: Entry;
  readonly services: Services;
  readonly changed: vscode.EventEmitter<Node | Node[] | undefined>;
  readonly view: () => vscode.TreeView<Node>;
}

export interface Room {
  children(node?: Node): Promise<Node[]>;
  item(node: Node): vscode.TreeItem;
  resolve(item: vscode.TreeItem, node: Node): vscode.TreeItem;
  collapsed(node: Node): void;
  run(command: ExplorerCommand, argument: unknown): Promise<unknown>;
  restoreTable(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

const MINUTE = 60_000;

export function createRoom({ entry, services, changed, view }: RoomParts): Room {
  const { sessions, context } = services;
  const tree = new Tree({
    rows: Object.fromEntries(kinds.map((kind) => [kind, registry[kind]])),
    sessions,
    ids: services.ids.index,
    memory: new Memory(context.workspaceState, context.globalState),
    changed: (node) => {
      changed.fire(node);
    },
  });
  const commands = new Commands(tree, services, view);
  const around = (): Surroundings => ({
    rows: tree.rows,
    now: Date.now(),
    session: (connection) => sessions.get(connection),
  });

  const pictures = entry.own(
    new RowPictures(services, (nodes) => {
      changed.fire(nodes);
    }),
  );
  entry.own(followSessions(services, tree, changed));
  entry.own(
    view().onDidCollapseElement(({ element }) => {
      tree.collapsed(element);
    }),
  );
  // "5 min ago" must not stand for an hour.
  const clock = setInterval(() => {
    if (view().visible && tree.isSmall) changed.fire(undefined);
  }, MINUTE);
  entry.own({
    dispose: () => {
      clearInterval(clock);
    },
  });

  return {
    children: async (node) => {
      const nodes = [...(await tree.children(node))];
      // In the background, once the rows are there: what the role does not read is marked when it is known.
      if (node?.type === 'connection') void sessions.get(node.connection)?.loadPermissions();
      return nodes;
    },
    item: (node) => treeItem(node, around(), pictures.of(node)),
    resolve: (item, node) => withTooltip(item, node, around()),
    collapsed: (node) => {
      tree.collapsed(node);
    },
    run: (command, argument) => commands.run(command, argument),
    restoreTable: async (panel, state) => {
      (await import('./table.ts')).restoreTable(tree, services, panel, state);
    },
  };
}

/** Draws anew what a sign-in, a sign-out or a change of settings makes different. */
function followSessions(
  { sessions }: Services,
  tree: Tree,
  changed: vscode.EventEmitter<Node | Node[] | undefined>,
): vscode.Disposable {
  const followed = new Map<Session, vscode.Disposable>();
  const states = new WeakMap<Session, string>();
  const stateOf = ({ signedOutBecause, expired }: Session): string => JSON.stringify([signedOutBecause, expired]);
  const follow = (): void => {
    const open = new Set(sessions.all);
    for (const [session, listening] of followed) {
      if (open.has(session)) continue;
      listening.dispose();
      followed.delete(session);
    }
    for (const session of open) {
      if (followed.has(session)) continue;
      states.set(session, stateOf(session));
      followed.set(
        session,
        session.onDidChange(() => {
          const mended = states.get(session) !== stateOf(session);
          states.set(session, stateOf(session));
          tree.sessionsChanged(mended ? session : undefined);
          changed.fire(undefined);
        }),
      );
    }
  };
  const listening = sessions.onDidChange(() => {
    follow();
    tree.sessionsChanged();
    changed.fire(undefined);
  });
  follow();
  return vscode.Disposable.from(listening, {
    dispose: () => {
      for (const each of followed.values()) each.dispose();
    },
  });
}
