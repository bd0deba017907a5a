/** The commands on the explorer's rows; each also works from the palette, on the selected row or by asking which. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import { chooseList } from './choose-list.ts';
import { listOf, type ListNode, type Node } from './nodes.ts';
import type { ExplorerCommand } from './register.ts';
import type { Tree } from './tree.ts';

export class Commands {
  readonly #tree: Tree;
  readonly #services: Services;
  readonly #view: () => vscode.TreeView<Node>;

  constructor(tree: Tree, services: Services, view: () => vscode.TreeView<Node>) {
    this.#tree = tree;
    this.#services = services;
    this.#view = view;
  }

  async run(command: ExplorerCommand, argument: unknown): Promise<unknown> {
    switch (command) {
      case 'refresh':
        return this.#refresh(argument);
      case 'refreshAll':
        return this.#refresh(undefined);
      case 'loadMore':
        return this.#loadMore(await this.#list(argument, 'Load more of'));
      case 'loadAll':
        return (await import('./load-all.ts')).loadAll(
          this.#tree,
          this.#services,
          await this.#list(argument, 'Load all of'),
        );
      case 'filter':
        return (await import('./filter-flow.ts')).askFilter(
          this.#tree,
          this.#services,
          await this.#list(argument, 'Filter'),
        );
      case 'clearFilter':
        return this.#clearFilter(await this.#list(argument, 'Clear the filter of'));
      case 'addFavorite':
        return (await import('./favorites.ts')).addFavorite(
          this.#tree,
          this.#services,
          await this.#list(argument, 'Pin'),
        );
      case 'removeFavorite':
        return (await import('./favorites.ts')).removeFavorite(this.#tree, this.#services, nodeFrom(argument));
      case 'searchResources':
        return this.#search();
      case 'openTable':
        return this.#openTable(await this.#list(argument, 'Open'));
      case 'reveal':
        return (await import('./reveal.ts')).reveal(this.#tree, this.#services, this.#view(), argument);
      case 'exportCollection':
        return this.#export(argument);
    }
  }

  /** The list that a row belongs to; without a row the selected one's, or the one that is chosen. */
  async #list(argument: unknown, purpose: string): Promise<ListNode | undefined> {
    const node = nodeFrom(argument) ?? this.#view().selection[0];
    return listOf(node) ?? chooseList(this.#tree, this.#services, purpose);
  }

  async #refresh(argument: unknown): Promise<void> {
    // A document in front is part of what a person sees; its own button names it, and then it alone is meant.
    const front = vscode.window.activeTextEditor?.document.uri;
    const document = argument instanceof vscode.Uri ? argument : argument === undefined ? front : undefined;
    if (document?.scheme === 'smartobject')
      await vscode.commands.executeCommand('smartObjects.refreshDocument', document);
    if (argument instanceof vscode.Uri) return;
    const node = nodeFrom(argument);
    const connection = text(argument, 'connection');
    if (node === undefined && connection !== undefined)
      await this.#tree.refreshKind(connection, text(argument, 'kind'));
    else {
      const { sessions } = this.#services;
      const meant = node === undefined ? sessions.all : [this.#tree.session(node)];
      await Promise.all([
        this.#tree.refresh(node),
        ...meant.map((session) => session?.loadPermissions(undefined, true)),
      ]);
    }
  }

  async #loadMore(list: ListNode | undefined): Promise<void> {
    const branch = list === undefined ? undefined : this.#tree.branch(list);
    if (list === undefined || branch === undefined) return;
    await vscode.window.withProgress({ location: { viewId: 'smartObjects.explorer' } }, async () => {
      // One that was never expanded has nothing to add to yet.
      if (branch.readAt === undefined) await branch.open();
      else await branch.more();
    });
    this.#tree.shows(list);
  }

  async #openTable(list: ListNode | undefined): Promise<void> {
    (await import('./table.ts')).openTable(this.#tree, this.#services, list);
  }

  async #search(): Promise<void> {
    const { search } = await import('./search-picker.ts');
    const found = await search(this.#tree, this.#services);
    if (found !== undefined) await vscode.commands.executeCommand('smartObjects.openResource', found);
  }

  async #export(argument: unknown): Promise<void> {
    const { exportList, resumeExport } = await import('./export/command.ts');
    const target = text(argument, 'resume');
    if (target !== undefined) await resumeExport(this.#tree, this.#services, target);
    else await exportList(this.#tree, this.#services, await this.#list(argument, 'Export'));
  }

  async #clearFilter(list: ListNode | undefined): Promise<void> {
    if (list !== undefined) await this.#tree.setFilter(list, {});
  }
}

const types = new Set(['connection', 'scope', 'list', 'kind', 'group', 'series', 'resource', 'fact', 'note', 'more']);

/** A row of ours; anything else that a caller hands over is none. */
export function nodeFrom(argument: unknown): Node | undefined {
  const type = text(argument, 'type');
  // Rows come back as the very objects that were handed out.
  return type !== undefined && types.has(type) && text(argument, 'key') !== undefined ? (argument as Node) : undefined;
}

function text(argument: unknown, field: string): string | undefined {
  const value: unknown = typeof argument === 'object' && argument !== null ? Reflect.get(argument, field) : undefined;
  return typeof value === 'string' ? value : undefined;
}
