/** The rows of the tree as one union. Each row has a stable, unique key and its parent. */
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import type { Remedy } from '../../model/text/error-remedy.ts';
import type { Item } from '../../platform/page.ts';
import type { RowName } from '../rows/row-names.ts';
import type { Filter } from '../filter/filter.ts';

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

export interface SeriesNode extends NodeBase {
  readonly type: 'series';
  readonly series: string;
  readonly label: string;
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

/** A property of a resource; opens a web address if it has one. */
export interface FactNode extends NodeBase {
  readonly type: 'fact';
  readonly label: string;
  readonly value: string;
  readonly icon: string;
  /** http(s), opened by the editor's own dialog */
  readonly url?: string;
}

export type NodeCommand =
  Remedy | 'searchResources' | 'clearFilter' | 'refresh' | 'openResource' | 'editConnections' | 'addOrganization';

/** A message: why a list is empty, what failed, since when rows are stale. A click runs its command. */
export interface NoteNode extends NodeBase {
  readonly type: 'note';
  readonly note: 'empty' | 'error' | 'stale' | 'hint' | 'open' | 'bad' | 'search' | 'sandbox';
  readonly label: string;
  /** the full message, for the tooltip and for screen readers */
  readonly text: string;
  readonly kind?: string;
  readonly command?: NodeCommand;
  /** names the command if the label does not */
  readonly actionLabel?: string;
  /** of a saved search, whose text is `text` */
  readonly favorite?: string;
}

/** Offers to load or narrow down, after the last loaded row. */
export interface MoreNode extends NodeBase {
  readonly type: 'more';
  readonly more: 'page' | 'all' | 'filter' | 'export' | 'table';
  readonly loaded: number;
  readonly parent: ListNode;
}

export type Node =
  | ConnectionNode
  | ScopeNode
  | ListNode
  | KindNode
  | GroupNode
  | SeriesNode
  | ResourceNode
  | FactNode
  | NoteNode
  | MoreNode;

/** Appends a name to a key; slashes in the name are encoded. */
export function createChildKey(parent: string, name: string): string {
  return `${parent}/${encodeURIComponent(name.toWellFormed())}`;
}

/** Creates a message below a row. `name` is unique among its siblings; `text` is the label unless given. */
export function createNote(
  parent: Node,
  note: NoteNode['note'],
  name: string,
  label: string,
  more: Partial<Omit<NoteNode, 'type' | 'note' | 'key' | 'parent' | 'connection' | 'label'>> = {},
): NoteNode {
  const { key, connection } = parent;
  return { type: 'note', note, key: createChildKey(key, name), parent, connection, label, text: label, ...more };
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

const errorNotes: ReadonlySet<NoteNode['note']> = new Set(['error', 'stale']);

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
    case 'series':
      parts.push('statistics');
      break;
    case 'resource':
      parts.push('resource', `kind:${node.kind}`, ...(node.resource === undefined ? [] : ['has:id']));
      break;
    case 'fact':
      parts.push('fact', ...(node.url === undefined ? [] : ['url']));
      break;
    case 'note':
      if (node.note === 'sandbox') parts.push('sandbox', paused === true ? 'clockPaused' : 'clockRunning');
      else parts.push(errorNotes.has(node.note) ? 'error' : node.note === 'search' ? 'favorite' : 'note');
      break;
    case 'more':
      parts.push('more');
      break;
  }
  return parts.join(' ');
}
