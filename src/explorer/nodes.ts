/** Pure: what stands in the tree: one union of rows, each with a key that is stable and unique, and its parent. */
import type { ResourceArgument } from '../commands/ids.ts';
import type { Item } from '../platform/page.ts';
import type { Filter } from './query.ts';

interface Row {
  /** path from the root, the tree item's id */
  readonly key: string;
  readonly parent?: Node;
  readonly connection: string;
  /** absent below a connection itself and below `All organizations` */
  readonly organization?: string;
}

export interface ConnectionNode extends Row {
  readonly type: 'connection';
}

/** `All organizations` or one of them. */
export interface ScopeNode extends Row {
  readonly type: 'scope';
  readonly label: string;
  readonly detail?: string;
}

/** A list of the platform: a section, a list related to a resource, or a favorite. */
export interface ListNode extends Row {
  readonly type: 'list';
  readonly kind: string;
  readonly label: string;
  /** what always goes into the query */
  readonly fixed: Filter;
  readonly filter: Filter;
  /** where its filter is kept; absent for favorites, whose filter is theirs */
  readonly filterKey?: string;
  readonly favorite?: string;
}

/** A kind that has no list: what is known of it, and a way to any other. */
export interface KindNode extends Row {
  readonly type: 'kind';
  readonly kind: string;
}

export interface GroupNode extends Row {
  readonly type: 'group';
  readonly group: 'favorites' | 'statistics';
}

export interface SeriesNode extends Row {
  readonly type: 'series';
  readonly series: string;
  readonly label: string;
}

/** One resource: an item of a list, or a way to it, which is read when it is expanded. */
export interface ResourceNode extends Row {
  readonly type: 'resource';
  readonly kind: string;
  /** absent for an item without an id */
  readonly resource?: ResourceArgument;
  /** absent for what was not read yet */
  readonly item?: Item;
  /** what it is to its parent: `Template`, `Owner` */
  readonly role?: string;
  /** it stands after the loaded rows of its list, because it was looked for */
  readonly beside?: boolean;
  /** what is known of it before it is read */
  readonly hint?: string;
}

/** Something said of a resource that leads nowhere, or to a web address. */
export interface FactNode extends Row {
  readonly type: 'fact';
  readonly label: string;
  readonly value: string;
  readonly icon: string;
  /** http(s), opened by the editor's own dialog */
  readonly url?: string;
}

export type Offer = 'signIn' | 'clearFilter' | 'refresh' | 'openResource' | 'editConnections' | 'addOrganization';

/** Says something: why a list is empty, what failed, since when rows are stale. Clicking it does what it offers. */
export interface NoteNode extends Row {
  readonly type: 'note';
  readonly note: 'empty' | 'error' | 'stale' | 'hint' | 'open' | 'bad';
  readonly label: string;
  /** the whole of it, for the tooltip and for screen readers */
  readonly text: string;
  readonly kind?: string;
  readonly offer?: Offer;
  /** what clicking it does, where the label does not say so */
  readonly action?: string;
}

/** Stands at the end of what was loaded. */
export interface MoreNode extends Row {
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

/** One step of a key: a slash in a name makes no step. */
export function step(parent: string, name: string): string {
  return `${parent}/${encodeURIComponent(name.toWellFormed())}`;
}

export function connectionKey(connection: string): string {
  return encodeURIComponent(connection.toWellFormed());
}

/** Hands out names that are unique among siblings: servers repeat ids, and a tree must not. */
export class Siblings {
  readonly #taken = new Map<string, number>();

  unique(name: string): string {
    const before = this.#taken.get(name) ?? 0;
    this.#taken.set(name, before + 1);
    if (before === 0) return name;
    // Another item's own name may look like one of ours.
    return this.unique(`${name}~${before + 1}`);
  }
}

/** Where a node of the tree stands in a list's rows, or above them: the nearest list. */
export function listOf(node: Node | undefined): ListNode | undefined {
  for (let at = node; at !== undefined; at = at.parent) if (at.type === 'list') return at;
  return undefined;
}

/** The words by which menus know a row: joined with spaces in `contextValue`. */
export interface Circumstances {
  readonly signedIn: boolean;
  readonly sandbox: boolean;
}

export function contextWords(node: Node, { signedIn, sandbox }: Circumstances): string {
  const words: string[] = [];
  switch (node.type) {
    case 'connection':
      words.push('connection', signedIn ? 'signedIn' : 'signedOut', ...(sandbox ? ['sandbox'] : []));
      break;
    case 'scope':
      words.push('organization', ...(node.organization === undefined ? ['all'] : ['has:id', 'kind:organizations']));
      break;
    case 'list':
      words.push(
        ...(node.favorite === undefined ? ['section'] : ['favorite']),
        'list',
        `kind:${node.kind}`,
        ...(node.filterKey !== undefined && Object.keys(node.filter).length > 0 ? ['filtered'] : []),
      );
      break;
    case 'kind':
      words.push('section', `kind:${node.kind}`);
      break;
    case 'group':
      words.push('section', node.group);
      break;
    case 'series':
      words.push('statistics');
      break;
    case 'resource':
      words.push('resource', `kind:${node.kind}`, ...(node.resource === undefined ? [] : ['has:id']));
      break;
    case 'fact':
      words.push('fact', ...(node.url === undefined ? [] : ['url']));
      break;
    case 'note':
      words.push(node.note === 'error' || node.note === 'stale' ? 'error' : 'note');
      break;
    case 'more':
      words.push('more');
      break;
  }
  return words.join(' ');
}
