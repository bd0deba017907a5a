/** The tree's state: loaded lists and expanded resources of each session. */
import * as l10n from '@vscode/l10n';
import { getSandboxStatus } from '../../connections/sandbox/running.ts';
import type { IdIndex } from '../../cache/id-index.ts';
import type { Labels } from '../../model/text/labels.ts';
import type { Session, Sessions } from '../../model/session/session.ts';
import type { Item } from '../../platform/page.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { isCancelled } from '../../model/text/error-message.ts';
import type { PagedList } from './paged-list.ts';
import { createSessionList } from './session-list.ts';
import { createErrorRows, createListRows, createStaleRows } from '../rows/list-rows.ts';
import type { ExplorerStorage } from '../storage.ts';
import { DiscoveredIds } from './discovered-ids.ts';
import {
  createConnectionKey,
  createNodeBase,
  type ConnectionNode,
  type ListNode,
  type Node,
  type ResourceNode,
  type SandboxNode,
} from './nodes.ts';
import { isEmptyFilter, type Filter } from '../filter/filter.ts';
import { readChildren } from './read-children.ts';
import { createTitleLookup } from '../../cache/title-lookup.ts';
import type { GetTitle } from '../../model/resources/filter-fields.ts';
import type { ResourceRows } from '../rows/related-resources.ts';
import { createChildNodes, createKindRows, applyStoredFilter } from '../rows/resource-rows.ts';
import {
  createConnectionRows,
  createConnectionNode,
  createFavoriteNodes,
  createSectionNodes,
  createSeriesNodes,
  createProblemNode,
} from '../rows/section-rows.ts';
import { getOrAdd } from '../../platform/get-or-add.ts';

interface TreeOptions {
  readonly definitions: ResourceRows;
  readonly sessions: Pick<Sessions, 'all' | 'get' | 'problems'>;
  readonly storage: ExplorerStorage;
  /** discovered ids with their names */
  readonly ids: Pick<IdIndex, 'find' | 'newestFirst'>;
  readonly labels: Pick<Labels, 'get' | 'all'>;
  /** called when the rows below this node, or all rows, have changed */
  readonly changed: (node?: Node) => void;
}

interface SessionValue<T> {
  readonly session: Session;
  readonly value: T;
}

/** The last rows below a resource, shown when reading it again fails. */
interface LastGoodRows {
  readonly session: Session;
  readonly rows: readonly Node[];
  readonly readAt: number;
  /** milliseconds since the epoch of the first failure */
  readonly since?: number;
}

interface CachedList extends SessionValue<PagedList> {
  readonly kind: string;
  /** the query as JSON */
  readonly queryKey: string;
}

interface CachedRows extends SessionValue<Promise<readonly Node[]>> {
  /** a refreshed list holds new items, whose rows are read again */
  readonly item: Item | undefined;
}

/** Loads and caches the rows of the tree. */
export class Tree {
  readonly #options: TreeOptions;
  readonly #lists = new Map<string, CachedList>();
  /** children of resources that were expanded */
  readonly #resourceRows = new Map<string, CachedRows>();
  readonly #lastGoodRows = new Map<string, LastGoodRows>();
  /** rows that are expanded */
  readonly #expanded = new Map<string, Node>();
  /** rows that have been expanded: VS Code keeps their children, even when collapsed, until they are reported as changed */
  readonly #rendered = new Map<string, Node>();
  readonly #discovered = new WeakMap<Session, DiscoveredIds>();
  readonly #connectionNodes = new Map<string, ConnectionNode>();

  readonly #sandboxNodes = new Map<string, SandboxNode>();

  constructor(options: TreeOptions) {
    this.#options = options;
  }

  get definitions(): ResourceRows {
    return this.#options.definitions;
  }

  getRoots(): readonly Node[] {
    const { all, problems } = this.#options.sessions;
    return [...problems.map(createProblemNode), ...all.map(({ profile }) => this.getConnectionNode(profile.name))];
  }

  /** The same node at each call: VS Code finds the row of a changed node by identity. */
  getConnectionNode(name: string): ConnectionNode {
    return getOrAdd(this.#connectionNodes, name, () => createConnectionNode(name));
  }

  /** The row of a connection's sandbox; the same node at each call. */
  getSandboxNode(name: string): SandboxNode {
    return getOrAdd(this.#sandboxNodes, name, () => ({
      type: 'sandbox',
      ...createNodeBase(this.getConnectionNode(name), 'sandbox'),
    }));
  }

  /** Never rejects: a failure is shown as a row. */
  async getChildren(node?: Node): Promise<readonly Node[]> {
    if (node === undefined) return this.getRoots();
    const session = this.session(node);
    if (session === undefined) return [];
    this.#expanded.set(node.key, node);
    this.#rendered.set(node.key, node);
    const context = { definitions: this.definitions, storage: this.#options.storage };
    switch (node.type) {
      case 'connection':
        return [
          ...createConnectionRows(context, node, session),
          ...(getSandboxStatus(node.connection) === undefined ? [] : [this.getSandboxNode(node.connection)]),
        ];
      case 'scope':
        return createSectionNodes(context, node, 'organization');
      case 'group':
        return node.group === 'favorites' ? createFavoriteNodes(context, node) : createSeriesNodes(node);
      case 'list':
        return this.#getListRows(node, session);
      case 'kind': {
        const definition = this.definitions[node.kind];
        return definition === undefined
          ? []
          : createKindRows(node, definition, this.getDiscoveredIds(session).getIds(node.kind));
      }
      case 'resource':
        return node.kind === 'organizations'
          ? createSectionNodes(context, node, 'organization')
          : (await this.#getResourceRows(node, session)).map((row) => applyStoredFilter(row, context));
      case 'sandbox':
      case 'leaf':
        return [];
    }
  }

  session({ connection }: Node): Session | undefined {
    return this.#options.sessions.get(connection);
  }

  get knownIds(): Pick<IdIndex, 'find' | 'newestFirst'> {
    return this.#options.ids;
  }

  /** Returns the known resources of a kind, newest first. */
  getKnownResources(connection: string, kind: string): readonly { readonly id: string; readonly title: string }[] {
    return this.#options.ids
      .newestFirst()
      .filter((known) => known.connection === connection && known.kind === kind)
      .take(500)
      .toArray();
  }

  get labels(): Pick<Labels, 'get' | 'all'> {
    return this.#options.labels;
  }

  /** Returns a function that finds labels, titles of a connection's known resources and labels of its organizations. */
  getTitleLookup(connection: string): GetTitle {
    const { ids: index, sessions, labels } = this.#options;
    return createTitleLookup({ knownIds: { index }, sessions, labels }, [connection]);
  }

  getDiscoveredIds(session: Session): DiscoveredIds {
    return getOrAdd(this.#discovered, session, () => new DiscoveredIds(this.definitions));
  }

  /** Returns the list's state for the current session. Creates an empty state; sends nothing. */
  getPagedList(node: ListNode): PagedList | undefined {
    const session = this.session(node);
    if (session === undefined || this.definitions[node.kind] === undefined) return undefined;
    const cached = this.#lists.get(node.key);
    const queryKey = JSON.stringify([node.fixed, node.filter]);
    if (cached?.session === session && cached.queryKey === queryKey) return cached.value;
    const value = this.createPagedList(node);
    if (value !== undefined) this.#lists.set(node.key, { session, kind: node.kind, queryKey, value });
    return value;
  }

  /** Returns a new, empty list with the query of a node, which the tree does not show; sends nothing. */
  createPagedList(node: ListNode): PagedList | undefined {
    const session = this.session(node);
    const definition = this.definitions[node.kind];
    if (session === undefined || definition === undefined) return undefined;
    const record = (items: readonly Item[]): void => this.recordItems(session, definition, items);
    return createSessionList(session, definition, node, record, this.getTitleLookup(node.connection));
  }

  /** Returns the items of a kind that the lists of the session have loaded; some of them twice. */
  getLoadedItems(session: Session, kind: string): Iterable<Item> {
    return this.#lists
      .values()
      .filter((list) => list.session === session && list.kind === kind)
      .flatMap(({ value }) => value.items);
  }

  /** Records organizations, and ids of kinds without a list, that the items name. */
  recordItems(session: Session, definition: ResourceDefinition, items: readonly Item[], requestedId?: string): void {
    const { organizations, kinds } = this.getDiscoveredIds(session).add(definition, items, requestedId);
    if (organizations.length > 0) session.addDiscoveredOrganizations(organizations);
    for (const node of this.#expanded.values())
      if (node.type === 'kind' && node.connection === session.profile.name && kinds.has(node.kind))
        this.#options.changed(node);
  }

  /** Reads a list that was collapsed again, behind the rows that VS Code has kept and shows at once. */
  markExpanded(node: Node): void {
    if (this.#expanded.has(node.key)) return;
    this.#expanded.set(node.key, node);
    const list = this.#lists.get(node.key)?.value;
    // A list without rows is read when VS Code requests them; reading a long one again takes many requests.
    if (list !== undefined && !list.isLong) void this.#reload(node, list);
  }

  markCollapsed(node: Node): void {
    this.#expanded.delete(node.key);
  }

  /** Returns the node object that VS Code holds for this row. */
  getRenderedNode(node: Node): Node {
    return this.#rendered.get(node.key) ?? node;
  }

  /** Whether re-rendering the whole tree is cheap: at most 1000 list rows are expanded. */
  get isSmall(): boolean {
    let rows = 0;
    for (const key of this.#expanded.keys()) rows += this.#lists.get(key)?.value.items.length ?? 0;
    return rows <= 1000;
  }

  /**
   * Reads the expanded lists at and below a node, or all of them, again; drops collapsed ones, which are read when they
   * are expanded. Old rows stay until the new ones arrive, and when reading fails. Never rejects.
   */
  async refresh(node?: Node): Promise<void> {
    const target = node?.type === 'leaf' || node?.type === 'sandbox' ? node.parent : node;
    const isBelow = (key: string): boolean =>
      target === undefined || key === target.key || key.startsWith(`${target.key}/`);
    for (const key of [...this.#resourceRows.keys()].filter(isBelow)) {
      this.#resourceRows.delete(key);
      if (!this.#expanded.has(key)) this.#lastGoodRows.delete(key);
    }
    const work: Promise<void>[] = [];
    for (const [key, { value }] of [...this.#lists].filter(([key]) => isBelow(key))) {
      const expanded = this.#expanded.get(key);
      if (expanded === undefined) {
        this.#lists.delete(key);
        const rendered = this.#rendered.get(key);
        if (rendered !== undefined) this.#options.changed(rendered);
      } else {
        work.push(this.#reload(expanded, value));
      }
    }
    if (target?.type !== 'list') this.#options.changed(target === undefined ? undefined : this.getRenderedNode(target));
    await Promise.all(work);
  }

  /** As `refresh`, for all lists of a connection, or those of one kind. Never rejects. */
  async refreshKind(connection: string, kind: string | undefined): Promise<void> {
    const prefix = `${createConnectionKey(connection)}/`;
    const keys = new Set([...this.#lists.keys()].filter((key) => key.startsWith(prefix)));
    const expanded = [...this.#expanded.values()].filter(
      (node) => node.type === 'list' && keys.delete(node.key) && matchesKind(node),
    );
    function matchesKind(node: Node): boolean {
      return kind === undefined || (node.type === 'list' && node.kind === kind);
    }
    for (const key of keys) {
      const rendered = this.#rendered.get(key);
      if (rendered !== undefined && !matchesKind(rendered)) continue;
      this.#lists.delete(key);
      // Collapsed: VS Code keeps the old rows until they are reported as changed.
      if (rendered !== undefined) this.#options.changed(rendered);
    }
    await Promise.all(expanded.map((node) => this.refresh(node)));
  }

  /** Stores another filter for a section and reloads it. Rejects if the memento cannot be written. */
  async setFilter(list: ListNode, filter: Filter): Promise<void> {
    const { filterKey } = list;
    if (filterKey === undefined) return;
    await this.#options.storage.filters.set(filterKey, isEmptyFilter(filter) ? undefined : filter);
    this.clear(list);
    // The row itself shows the filter, so its parent is re-rendered.
    this.#options.changed(list.parent === undefined ? undefined : this.getRenderedNode(list.parent));
  }

  get storage(): ExplorerStorage {
    return this.#options.storage;
  }

  /** Re-renders a row and those below it from what is loaded. */
  rerender(node?: Node): void {
    this.#options.changed(node === undefined ? undefined : this.getRenderedNode(node));
  }

  /** Returns every organization and section of a connection, expanded or not. */
  getSections(session: Session): readonly Node[] {
    const context = { definitions: this.definitions, storage: this.#options.storage };
    const root = this.getConnectionNode(session.profile.name);
    return createConnectionRows(context, root, session).flatMap((node): readonly Node[] =>
      node.type === 'scope' ? [node, ...createSectionNodes(context, node, 'organization')] : [node],
    );
  }

  /** Drops what was loaded at and below a node. */
  clear(node: Node): void {
    for (const map of [this.#lists, this.#resourceRows, this.#lastGoodRows])
      for (const key of [...map.keys()]) if (key === node.key || key.startsWith(`${node.key}/`)) map.delete(key);
  }

  /** Drops what belongs to ended sessions, and the changed session's failures, which a new sign-in may resolve. */
  handleSessionsChange(changedSession?: Session): void {
    const open = new Set(this.#options.sessions.all);
    for (const [key, { session, value }] of [...this.#lists])
      if (!open.has(session) || (session === changedSession && value.failure?.operation === 'first'))
        this.#lists.delete(key);
    for (const [key, { session }] of [...this.#resourceRows])
      if (!open.has(session) || session === changedSession) this.#resourceRows.delete(key);
    for (const [key, { session }] of [...this.#lastGoodRows]) if (!open.has(session)) this.#lastGoodRows.delete(key);
  }

  /** Reads a list again, and reports its rows if they have changed. Never rejects. */
  async #reload(node: Node, list: PagedList): Promise<void> {
    const hasChanged = await list.refresh();
    // While VS Code replaces rows, a click on one of them fails.
    if (hasChanged && this.#lists.get(node.key)?.value === list) this.#options.changed(this.getRenderedNode(node));
  }

  async #getListRows(node: ListNode, session: Session): Promise<readonly Node[]> {
    const definition = this.definitions[node.kind];
    const pagedList = this.getPagedList(node);
    if (definition === undefined || pagedList === undefined) return [];
    await pagedList.open();
    const isClosed = session.ended.aborted || isCancelled(pagedList.failure?.error);
    return isClosed ? [] : createListRows(node, definition, pagedList, session, this.getTitleLookup(node.connection));
  }

  #getResourceRows(node: ResourceNode, session: Session): Promise<readonly Node[]> {
    const cached = this.#resourceRows.get(node.key);
    if (cached?.session === session && cached.item === node.item) return cached.value;
    const value = this.#readResourceRows(node, session);
    this.#resourceRows.set(node.key, { session, item: node.item, value });
    return value;
  }

  async #readResourceRows(node: ResourceNode, session: Session): Promise<readonly Node[]> {
    const definition = this.definitions[node.kind];
    if (definition === undefined) return [];
    const context = { definitions: this.definitions, storage: this.#options.storage };
    // Rows outlive labels, which are looked up when a row is shown.
    const { ids: index, sessions } = this.#options;
    const getTitle = createTitleLookup({ knownIds: { index }, sessions }, [node.connection]);
    try {
      const children = await readChildren(
        this.definitions,
        definition,
        node,
        session,
        this.getDiscoveredIds(session),
        (items) => this.recordItems(session, definition, items, node.resource?.id),
      );
      const rows = createChildNodes(node, children, context, getTitle);
      this.#lastGoodRows.set(node.key, { session, rows, readAt: Date.now() });
      return rows;
    } catch (error) {
      if (session.ended.aborted || isCancelled(error)) return [];
      const lastGood = this.#lastGoodRows.get(node.key);
      if (lastGood?.session === session) {
        const since = lastGood.since ?? Date.now();
        this.#lastGoodRows.set(node.key, { ...lastGood, since });
        return [...createStaleRows(node, definition, { error, since }, lastGood.readAt), ...lastGood.rows];
      }
      return createErrorRows(node, definition, { error, operation: 'first' }, l10n.t('Load {0}', definition.singular));
    }
  }
}
