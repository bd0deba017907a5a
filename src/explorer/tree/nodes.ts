/** The rows of the tree as one union. Each row has a stable, unique key and its parent. */
import type { CommandId } from '../../commands/ids.ts';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import type { Item } from '../../platform/page.ts';
import type { RowName } from '../rows/row-names.ts';
import type { Filter } from '../filter/filter.ts';
import { toOneLine } from '../format.ts';

interface NodeBase {
  /** path from the root; the tree item's id */
  readonly key: string;
  readonly parent?: Node;
  readonly connection: string;
  /** absent below a connection itself and below `All organizations` */
  readonly organization?: string;
}

export interface ConnectionNode extends NodeBase {
  readonly type: 'connection';
}

/** `All organizations` or one of them. */
export interface ScopeNode extends NodeBase {
  readonly type: 'scope';
  readonly label: string;
  readonly detail?: string;
  /** named by the connection's settings, and therefore can be renamed and removed */
  readonly isNamed?: boolean;
}

/** A list of the platform: a section, a list related to a resource, or a favorite. */
export interface ListNode extends NodeBase {
  readonly type: 'list';
  readonly kind: string;
  readonly label: string;
  /** query parameters that the user cannot change */
  readonly fixed: Filter;
  readonly filter: Filter;
  /** storage key of its filter; absent for favorites, which store their own */
  readonly filterKey?: string;
  readonly favorite?: string;
}

/** A kind without a list operation: shows discovered ids and Open by ID…. */
export interface KindNode extends NodeBase {
  readonly type: 'kind';
  readonly kind: string;
}

export interface GroupNode extends NodeBase {
  readonly type: 'group';
  readonly group: 'favorites' | 'statistics';
}

/** One resource: an item of a list, or a reference that is read when it is expanded. */
export interface ResourceNode extends NodeBase {
  readonly type: 'resource';
  readonly kind: string;
  /** absent for an item without an id */
  readonly resource?: ResourceArgument;
  /** absent until it is read */
  readonly item?: Item;
  /** its relation to the parent: `Template`, `Owner` */
  readonly role?: string;
  /** shown after the loaded rows of its list, because Reveal requested it by id */
  readonly isExtra?: boolean;
  /** its name among the rows of its list, if that differs from its title */
  readonly name?: RowName;
  /** its title, if known before it is read */
  readonly hint?: string;
}

/** A sandbox that runs in this window; its state is read when the row is shown. */
export interface SandboxNode extends NodeBase {
  readonly type: 'sandbox';
}

export interface Icon {
  /** codicon */
  readonly id: string;
  /** a theme colour */
  readonly color?: string;
}

export const ERROR_ICON: Icon = { id: 'error', color: 'list.errorForeground' };
export const SIGN_IN_ICON: Icon = { id: 'sign-in' };
export const WARNING_ICON: Icon = { id: 'warning', color: 'list.warningForeground' };

/** A row that only says or offers something: a property, a message, a saved search. A click runs its command. */
export interface LeafNode extends NodeBase {
  readonly type: 'leaf';
  readonly label: string;
  readonly description?: string;
  readonly icon: Icon;
  /** the full text, for screen readers, and for the tooltip unless there is another one */
  readonly text: string;
  readonly tooltip?: string;
  /** the word that `when` clauses of menus match */
  readonly context: string;
  readonly command?: LeafCommand;
  /** http(s), opened by the editor's own dialog */
  readonly url?: string;
  /** what the command is about */
  readonly kind?: string;
  readonly series?: string;
  readonly search?: string;
  /** id of a saved search */
  readonly favorite?: string;
}

interface LeafCommand {
  readonly id: CommandId;
  readonly title: string;
}

export type Node = ConnectionNode | ScopeNode | ListNode | KindNode | GroupNode | ResourceNode | SandboxNode | LeafNode;

/** Appends a name to a key; slashes in the name are encoded. */
export function createChildKey(parent: string, name: string): string {
  return `${parent}/${encodeURIComponent(name.toWellFormed())}`;
}

/** Returns what all rows below a row have. `name` is unique among its siblings. */
export function createNodeBase<Parent extends Node>(
  parent: Parent,
  name: string,
): { readonly key: string; readonly parent: Parent; readonly connection: string } {
  return { key: createChildKey(parent.key, name), parent, connection: parent.connection };
}

/** Creates a leaf below a row: a message, unless `more` says otherwise. `name` is unique among its siblings. */
export function createLeaf(
  parent: Node,
  name: string,
  label: string,
  { text = label, ...more }: Partial<Omit<LeafNode, 'type' | 'key' | 'parent' | 'connection' | 'label'>> = {},
): LeafNode {
  return {
    type: 'leaf',
    ...createNodeBase(parent, name),
    label: toOneLine(label, 160),
    icon: { id: 'info' },
    text: toOneLine(text, 600),
    context: 'note',
    ...more,
  };
}

/** Returns the key of a connection's row. */
export function createConnectionKey(connection: string): string {
  return encodeURIComponent(connection.toWellFormed());
}

/** Makes names unique among siblings: servers repeat ids, tree items must not. */
export class UniqueNames {
  readonly #counts = new Map<string, number>();

  makeUnique(name: string): string {
    const before = this.#counts.get(name) ?? 0;
    this.#counts.set(name, before + 1);
    if (before === 0) return name;
    // Another item may already be called `name~1`.
    return this.makeUnique(`${name}~${before + 1}`);
  }
}

/** Returns the node itself or its closest ancestor that is a list. */
export function findList(node: Node | undefined): ListNode | undefined {
  for (let at = node; at !== undefined; at = at.parent) if (at.type === 'list') return at;
  return undefined;
}

interface ContextValueOptions {
  readonly signedIn: boolean;
  readonly expired: boolean;
  /** its connection is the active one */
  readonly active: boolean;
  readonly sandbox: boolean;
  /** its connection has several identities */
  readonly severalIdentities?: boolean;
  /** the clock of its sandbox is paused */
  readonly paused?: boolean | undefined;
}

/** Returns the words that `when` clauses of menus match, separated by spaces. */
export function getContextValue(node: Node, options: ContextValueOptions): string {
  const { signedIn, expired, active, sandbox, severalIdentities, paused } = options;
  const parts: string[] = [];
  switch (node.type) {
    case 'connection':
      parts.push(
        ...['connection', signedIn ? 'signedIn' : 'signedOut', active ? 'active' : 'inactive'],
        ...(signedIn && expired ? ['expired'] : []),
        ...(sandbox ? ['sandbox'] : []),
        ...(severalIdentities === true ? ['identities'] : []),
      );
      break;
    case 'scope':
      parts.push(
        'organization',
        ...(node.organization === undefined ? ['all'] : ['has:id', 'kind:organizations']),
        ...(node.isNamed === true ? ['named'] : []),
      );
      break;
    case 'list':
      parts.push(
        ...(node.favorite === undefined ? ['section'] : ['favorite']),
        'list',
        `kind:${node.kind}`,
        ...(node.filterKey !== undefined && Object.keys(node.filter).length > 0 ? ['filtered'] : []),
      );
      break;
    case 'kind':
      parts.push('section', `kind:${node.kind}`);
      break;
    case 'group':
      parts.push('section', node.group);
      break;
    case 'resource':
      parts.push('resource', `kind:${node.kind}`, ...(node.resource === undefined ? [] : ['has:id']));
      break;
    case 'sandbox':
      parts.push('sandbox', paused === true ? 'clockPaused' : 'clockRunning');
      break;
    case 'leaf':
      parts.push(node.context, ...(node.url === undefined ? [] : ['url']));
      break;
  }
  return parts.join(' ');
}
