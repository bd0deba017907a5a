/** Finds what the explorer's commands are about: a row, the selected row, or a list chosen in a quick pick. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../commands/context.ts';
import { chooseList } from './tree/choose-list.ts';
import { findList, type ListNode, type Node } from './tree/nodes.ts';
import { getRowCommand } from './rows/tree-item.ts';
import type { Tree } from './tree/tree.ts';
import { SelectedRow } from '../ui/selected-row.ts';
import { RESOURCE_SCHEME } from '../model/resources/resource-schemes.ts';

/** What the explorer's commands share. */
export class ExplorerCommands {
  readonly tree: Tree;
  readonly services: Services;
  readonly view: () => vscode.TreeView<Node>;
  readonly selectedRow: SelectedRow<Node>;

  constructor(tree: Tree, services: Services, view: () => vscode.TreeView<Node>) {
    this.tree = tree;
    this.services = services;
    this.view = view;
    this.selectedRow = new SelectedRow(view);
  }

  /** The row that a command was invoked on, if any. */
  readonly getNode = parseNode;

  /** Does what a click on a row does: on the selected one, unless given. */
  async openRow(argument: unknown): Promise<void> {
    const node = parseNode(argument) ?? (await this.selectedRow.find());
    const command = node && getRowCommand(node, this.tree);
    const args: readonly unknown[] = command?.arguments ?? [];
    if (command !== undefined) await vscode.commands.executeCommand(command.command, ...args);
  }

  /** Calls back with the list of the row, or of the selected row; otherwise shows a quick pick of lists. */
  async withList(
    argument: unknown,
    title: string,
    run: (tree: Tree, services: Services, list: ListNode | undefined) => unknown,
  ): Promise<unknown> {
    return run(this.tree, this.services, await this.#resolveList(argument, title));
  }

  async #resolveList(argument: unknown, title: string): Promise<ListNode | undefined> {
    const node = parseNode(argument) ?? this.view().selection[0];
    return findList(node) ?? chooseList(this.tree, this.services, title);
  }

  /** Shows all rows of a list again. */
  async clearFilter(argument: unknown): Promise<void> {
    const list = await this.#resolveList(argument, l10n.t('Clear Filter'));
    if (list !== undefined) await this.tree.setFilter(list, {});
  }

  /** Refreshes a row, a kind, a document or everything. Failures are shown in place. */
  async refresh(argument: unknown): Promise<void> {
    // Without an argument, Refresh includes the document in the active editor. A Uri is passed by the document's own button.
    const front = vscode.window.activeTextEditor?.document.uri;
    const document = argument instanceof vscode.Uri ? argument : argument === undefined ? front : undefined;
    if (document?.scheme === RESOURCE_SCHEME)
      await vscode.commands.executeCommand('smartObjects.refreshDocument', document);
    if (argument instanceof vscode.Uri) return;
    const node = parseNode(argument);
    const connection = getTextField(argument, 'connection');
    if (node === undefined && connection !== undefined)
      await this.tree.refreshKind(connection, getTextField(argument, 'kind'));
    else {
      const { sessions } = this.services;
      const targetSessions = node === undefined ? sessions.all : [this.tree.session(node)];
      await Promise.all([
        this.tree.refresh(node),
        ...targetSessions.map((session) => session?.loadPermissions(undefined, true)),
      ]);
    }
  }

  /** Loads the next page of a list. Rejects with PlatformError. */
  async loadMore(argument: unknown): Promise<void> {
    const list = await this.#resolveList(argument, l10n.t('Load More'));
    const pagedList = list === undefined ? undefined : this.tree.getPagedList(list);
    if (list === undefined || pagedList === undefined) return;
    await vscode.window.withProgress({ location: { viewId: 'smartObjects.explorer' } }, async () => {
      // A list that was never expanded has no first page yet.
      if (pagedList.readAt === undefined) await pagedList.open();
      else await pagedList.loadMore();
    });
    this.tree.rerender(list);
  }

  /** Searches all connections, and opens what the user picks. Rejects with PlatformError. */
  async search(argument: unknown): Promise<void> {
    const { pickSearchResult: search } = await import('./search/search-picker.ts');
    const node = parseNode(argument);
    const saved =
      node?.type === 'leaf' && node.search !== undefined
        ? { connection: node.connection, text: node.search }
        : undefined;
    const found = await search(this.tree, this.services, saved);
    if (found !== undefined) await vscode.commands.executeCommand('smartObjects.openResource', found);
  }

  /** Exports a list, or resumes an export. Rejects with Error. */
  async export(argument: unknown): Promise<void> {
    const { exportList, resumeExport } = await import('./export/export-command.ts');
    const target = getTextField(argument, 'resume');
    if (target !== undefined) await resumeExport(this.tree, this.services, target);
    else await exportList(this.tree, this.services, await this.#resolveList(argument, l10n.t('Export')));
  }
}

const NODE_TYPES = new Set(['connection', 'scope', 'list', 'kind', 'group', 'resource', 'sandbox', 'leaf']);

/** Checks that a command argument is a row of the explorer's tree. */
function parseNode(argument: unknown): Node | undefined {
  const type = getTextField(argument, 'type');
  // VS Code passes back the objects that `getChildren` returned.
  return type !== undefined && NODE_TYPES.has(type) && getTextField(argument, 'key') !== undefined
    ? (argument as Node)
    : undefined;
}

function getTextField(argument: unknown, field: string): string | undefined {
  const value: unknown = typeof argument === 'object' && argument !== null ? Reflect.get(argument, field) : undefined;
  return typeof value === 'string' ? value : undefined;
}
