/** Turns a row into VS Code's tree item: icon, accessible name, what a click does, and the tooltip when it is asked for. */
import * as vscode from 'vscode';
import { ROOT_SCHEME } from '../connections/decorations.ts';
import { contextWords, type Node, type Offer } from './nodes.ts';
import { shownOf, type Surroundings } from './shown.ts';
import { tooltipOf } from './tooltip.ts';

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** `picture`: a data: URI that stands for the icon. */
export function treeItem(node: Node, around: Surroundings, picture?: vscode.Uri): vscode.TreeItem {
  const shown = shownOf(node, around);
  const item = new vscode.TreeItem(shown.label, collapsible(node));
  item.id = node.key;
  // `true` would have VS Code take a description from a resource's path.
  item.description = shown.description ?? false;
  item.accessibilityInformation = { label: shown.spoken };
  const session = around.session(node.connection);
  item.contextValue = contextWords(node, {
    signedIn: session !== undefined && session.signedOutBecause === undefined,
    sandbox: session?.profile.source === 'memory',
  });
  // Marks production, wherever the tree is scrolled to.
  if (node.type === 'connection')
    item.resourceUri = vscode.Uri.from({ scheme: ROOT_SCHEME, path: `/${node.connection}` });
  const icon = themeIcon(shown.icon);
  if (picture !== undefined) item.iconPath = picture;
  else if (icon !== undefined) item.iconPath = icon;
  const command = commandOf(node);
  if (command !== undefined) item.command = command;
  return item;
}

/** The tooltip costs a look at the whole resource, so it is made for the row under the mouse alone. Plain text. */
export function withTooltip(item: vscode.TreeItem, node: Node, around: Surroundings): vscode.TreeItem {
  item.tooltip = tooltipOf(node, around);
  return item;
}

function themeIcon(icon: { readonly id: string; readonly color?: string } | undefined): vscode.ThemeIcon | undefined {
  if (icon === undefined) return undefined;
  return new vscode.ThemeIcon(icon.id, icon.color === undefined ? undefined : new vscode.ThemeColor(icon.color));
}

function collapsible(node: Node): vscode.TreeItemCollapsibleState {
  switch (node.type) {
    case 'connection':
      return Expanded;
    case 'scope':
    case 'list':
    case 'kind':
    case 'group':
      return Collapsed;
    case 'resource':
      return node.resource === undefined && node.item === undefined ? None : Collapsed;
    case 'series':
    case 'fact':
    case 'note':
    case 'more':
      return None;
  }
}

const call = (command: string, title: string, ...args: unknown[]): vscode.Command => ({
  command: `smartObjects.${command}`,
  title,
  arguments: args,
});

const offers: Readonly<Record<Offer, string>> = {
  signIn: 'Sign In…',
  clearFilter: 'Clear Filter',
  refresh: 'Retry',
  openResource: 'Open by ID…',
  editConnections: 'Edit Connections',
  addOrganization: 'Add Organization…',
};

function commandOf(node: Node): vscode.Command | undefined {
  switch (node.type) {
    case 'resource':
      // What nothing reads can only be expanded.
      return node.resource === undefined || node.kind === 'organizations' || node.kind === 'wallets'
        ? undefined
        : call('openResource', 'Open', node.resource);
    case 'series':
      return call('showStatistics', 'Show Statistics', node);
    case 'fact':
      return node.url === undefined
        ? undefined
        : { command: 'vscode.open', title: 'Open in Browser', arguments: [vscode.Uri.parse(node.url, true)] };
    case 'note':
      return node.offer === undefined ? undefined : call(node.offer, offers[node.offer], node);
    case 'more':
      switch (node.more) {
        case 'page':
          return call('loadMore', 'Load More', node);
        case 'all':
          return call('loadAll', 'Load All', node);
        case 'filter':
          return call('filter', 'Filter…', node);
        case 'export':
          return call('exportCollection', 'Export…', node);
        case 'table':
          return call('openTable', 'Open as Table', node);
      }
      break;
    case 'connection':
    case 'scope':
    case 'list':
    case 'kind':
    case 'group':
      return undefined;
  }
  return undefined;
}
