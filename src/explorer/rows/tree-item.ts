/** Converts rows to `vscode.TreeItem`. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { CONNECTION_SCHEME } from '../../connections/status/decorations.ts';
import { getSandboxStatus } from '../../connections/sandbox/running.ts';
import { escapeLinks } from '../../ui/escape-links.ts';
import { getCardFields, MAX_CARD_VALUE_LENGTH } from './card-fields.ts';
import { getContextValue, type Icon, type Node, type ResourceNode } from '../tree/nodes.ts';
import { getPresentation, type PresentationContext } from './row-presentation.ts';
import { formatTooltip } from './tooltip.ts';
import { formatPair } from '../../platform/text/localization.ts';
import { getItemTitle } from '../../model/resources/item-title.ts';

const OPEN_URL = 'vscode.open';
const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** Creates the tree item of a row without its tooltip. `thumbnail`: a data: URI that replaces the icon. */
export function createTreeItem(node: Node, context: PresentationContext, thumbnail?: vscode.Uri): vscode.TreeItem {
  const presentation = getPresentation(node, context);
  const item = new vscode.TreeItem(presentation.label, getCollapsibleState(node));
  item.id = node.key;
  // Not `true`: VS Code would derive a description from the resource's path.
  item.description = presentation.description ?? false;
  item.accessibilityInformation = { label: presentation.accessibleLabel };
  const session = context.session(node.connection);
  item.contextValue = getContextValue(node, {
    signedIn: session !== undefined && session.signedOutReason === undefined,
    expired: session?.expired === true,
    active: node.connection === context.active,
    sandbox: session?.profile.source === 'memory',
    severalIdentities: session?.identityName !== undefined,
    paused: getSandboxStatus(node.connection)?.paused,
  });
  // Lets the decoration provider mark production connections.
  if (node.type === 'connection')
    item.resourceUri = vscode.Uri.from({ scheme: CONNECTION_SCHEME, path: `/${node.connection}` });
  const icon = createThemeIcon(presentation.icon);
  if (thumbnail !== undefined) item.iconPath = thumbnail;
  else if (icon !== undefined) item.iconPath = icon;
  const command = getRowCommand(node, context);
  // VS Code forgets a command with arguments once it reads the row again, although the row is still there to be clicked.
  if (command !== undefined)
    item.command = command.command === OPEN_URL ? command : createCommand('openRow', command.title);
  return item;
}

/** Adds the tooltip, which VS Code requests for the row under the pointer. `thumbnail`: a data: URI. */
export function addTooltip(
  item: vscode.TreeItem,
  node: Node,
  context: PresentationContext,
  thumbnail?: vscode.Uri,
): vscode.TreeItem {
  item.tooltip = node.type === 'resource' ? createResourceCard(node, context, thumbnail) : formatTooltip(node, context);
  return item;
}

/** Creates an untrusted Markdown card: picture, title, kind, telling fields and id. Server text is escaped. */
function createResourceCard(
  node: ResourceNode,
  context: PresentationContext,
  thumbnail: vscode.Uri | undefined,
): vscode.MarkdownString {
  const card = new vscode.MarkdownString();
  const definition = context.definitions[node.kind];
  const raw = node.item?.raw;
  const getTitle = context.getTitle(node.connection);
  const id = node.resource?.id;
  const known = id === undefined ? undefined : getTitle(node.kind, id);
  const title = raw === undefined ? (known ?? node.hint) : definition && getItemTitle(definition, raw, getTitle);
  if (thumbnail !== undefined) card.appendMarkdown(`![](${thumbnail.toString(true)}|height=64)\n\n`);
  card.appendMarkdown('**');
  card.appendText(escapeLinks(title ?? node.resource?.id ?? node.kind, 80) || '–');
  card.appendMarkdown('**  \n');
  card.appendText(definition?.singular ?? node.kind);
  const label = id === undefined ? undefined : context.getLabel(id);
  const fields = [
    ...(label === undefined ? [] : [{ label: l10n.t('Label'), value: label }]),
    ...(definition === undefined ? [] : getCardFields(definition, raw, getTitle)),
  ];
  fields.forEach(({ label, value }, index) => {
    card.appendMarkdown(index === 0 ? '\n\n' : '  \n');
    card.appendText(formatPair(escapeLinks(label, 40), escapeLinks(value, MAX_CARD_VALUE_LENGTH)));
  });
  if (node.resource !== undefined) {
    card.appendMarkdown('\n\n');
    card.appendText(escapeLinks(node.resource.id, 100));
  }
  return card;
}

function createThemeIcon(icon: Icon | undefined): vscode.ThemeIcon | undefined {
  if (icon === undefined) return undefined;
  return new vscode.ThemeIcon(icon.id, icon.color === undefined ? undefined : new vscode.ThemeColor(icon.color));
}

function getCollapsibleState(node: Node): vscode.TreeItemCollapsibleState {
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
    case 'sandbox':
    case 'leaf':
      return None;
  }
}

const createCommand = (command: string, title: string, ...args: unknown[]): vscode.Command => ({
  command: `smartObjects.${command}`,
  title,
  ...(args.length > 0 && { arguments: args }),
});

/** Returns what a click on a row does. */
export function getRowCommand(
  node: Node,
  { definitions }: Pick<PresentationContext, 'definitions'>,
): vscode.Command | undefined {
  switch (node.type) {
    case 'resource':
      // Organizations and wallets have no read operation; their rows can only be expanded.
      return node.resource === undefined || (definitions[node.kind]?.read.by ?? 'cache') === 'cache'
        ? undefined
        : createCommand('openResource', l10n.t('Open'), node.resource);
    case 'leaf': {
      const { url, command } = node;
      if (url !== undefined)
        return { command: OPEN_URL, title: l10n.t('Open in Browser'), arguments: [vscode.Uri.parse(url, true)] };
      return command && createCommand(command.id, command.title, node);
    }
    case 'connection':
    case 'scope':
    case 'list':
    case 'kind':
    case 'group':
    case 'sandbox':
      return undefined;
  }
}
