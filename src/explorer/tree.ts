/** Pure: the tree's state: which lists and resources were read, by which session, and what changes when. No editor in it. */
import type { IdIndex } from '../connections/id-index.ts';
import type { Session, Sessions } from '../connections/types.ts';
import type { AnyQuery } from '../platform/operation.ts';
import type { Item, Page } from '../platform/page.ts';
import type { ResourceRow } from '../platform/resource.ts';
import { isCancelled } from '../ui/error-text.ts';
import { Branch } from './branch.ts';
import { failed, listRows, stale } from './list-rows.ts';
import type { Memory } from './memory.ts';
import { Met } from './met.ts';
import { connectionKey, type ListNode, type Node, type NoteNode, type ResourceNode } from './nodes.ts';
import { isEmpty, queryOf, type Filter } from './query.ts';
import { readChildren } from './reading.ts';
import type { Rows } from './related.ts';
import { childNodes, knownNodes, withFilter } from './resource-rows.ts';
import { connectionChildren, connectionNode, favoriteNodes, sections, seriesNodes } from './sections.ts';

export interface TreeParts {
  readonly rows: Rows;
  readonly sessions: Pick<Sessions, 'all' | 'get' | 'problems'>;
  readonly memory: Memory;
  /** ids that were met, with their names */
  readonly ids: Pick<IdIndex, 'find' | 'latest'>;
  /** the rows below this node, or all of them, are other than before */
  readonly changed: (node?: Node) => void;
}

interface Held<T> {
  readonly session: Session;
  readonly value: T;
}

/** What a resource's row showed last, for when reading it again fails. */
interface Good {
  readonly session: Session;
  readonly rows: readonly Node[];
  readonly readAt: number;
  /** since when it fails */
  readonly since?: number;
}

interface HeldBranch extends Held<Branch> {
  /** what its list is asked for, as text */
  readonly asks: string;
}

interface HeldReading extends Held<Promise<readonly Node[]>> {
  /** an item that was listed anew is another one */
  readonly item: Item | undefined;
}

export class Tree {
  readonly #parts: TreeParts;
  readonly #branches = new Map<string, HeldBranch>();
  /** children of resources that were expanded */
  readonly #readings = new Map<string, HeldReading>();
  readonly #good = new Map<string, Good>();
  /** rows whose children are shown */
  readonly #open = new Map<string, Node>();
  /** rows that were expanded, as VS Code holds them: collapsed or not, it keeps their children until told otherwise */
  readonly #held = new Map<string, Node>();
  readonly #met = new WeakMap<Session, Met>();

  constructor(parts: TreeParts) {
    this.#parts = parts;
  }

  get rows(): Rows {
    return this.#parts.rows;
  }

  roots(): readonly Node[] {
    const { all, problems } = this.#parts.sessions;
    return [...problems.map(problemNode), ...all.map(({ profile }) => connectionNode(profile.name))];
  }

  /** Never throws: what goes wrong is a row. */
  async children(node?: Node): Promise<readonly Node[]> {
    if (node === undefined) return this.roots();
    const session = this.session(node);
    if (session === undefined) return [];
    this.#open.set(node.key, node);
    this.#held.set(node.key, node);
    const ground = { rows: this.rows, memory: this.#parts.memory };
    switch (node.type) {
      case 'connection':
        return connectionChildren(ground, node, session);
      case 'scope':
        return sections(ground, node, 'organization');
      case 'group':
        return node.group === 'favorites' ? favoriteNodes(ground, node) : seriesNodes(node);
      case 'list':
        return this.#listChildren(node, session);
      case 'kind': {
        const row = this.rows[node.kind];
        return row === undefined ? [] : knownNodes(node, row, this.met(session).ids(node.kind));
      }
      case 'resource':
        return node.kind === 'organizations'
          ? sections(ground, node, 'organization')
          : (await this.#readingOf(node, session)).map((row) => withFilter(row, ground));
      case 'series':
      case 'fact':
      case 'note':
      case 'more':
        return [];
    }
  }

  session({ connection }: Node): Session | undefined {
    return this.#parts.sessions.get(connection);
  }

  get everMet(): Pick<IdIndex, 'latest'> {
    return this.#parts.ids;
  }

  /** Resources of a kind that were met, the latest first. */
  known(connection: string, kind: string): readonly { readonly id: string; readonly title: string }[] {
    return this.#parts.ids
      .latest()
      .filter((known) => known.connection === connection && known.kind === kind)
      .take(500)
      .toArray();
  }

  met(session: Session): Met {
    let met = this.#met.get(session);
    if (met === undefined) this.#met.set(session, (met = new Met(this.rows)));
    return met;
  }

  /** What is loaded of a list, of the session that is open now; begun, not asked, where there is nothing yet. */
  branch(node: ListNode): Branch | undefined {
    const session = this.session(node);
    const row = this.rows[node.kind];
    if (session === undefined || row === undefined) return undefined;
    const held = this.#branches.get(node.key);
    // A table may stand on the row as it was, with another filter.
    const asks = JSON.stringify([node.fixed, node.filter]);
    if (held?.session === session && held.asks === asks) return held.value;
    const query = (): AnyQuery => ({ ...queryOf(node.fixed, Date.now()), ...queryOf(node.filter, Date.now()) });
    const read = async (query: AnyQuery, signal: AbortSignal, passing = false): Promise<Page> => {
      const page = await session.client.pageOf(row, query, { signal, passing });
      if (!passing) this.take(session, row, page.items);
      return page;
    };
    const findable = row.list !== undefined && 'id' in row.list.operation.query && node.filter['id'] === undefined;
    const branch = new Branch({
      signal: session.ended,
      begin: () => {
        const begun = query();
        return (next, signal, passing) => read(next === undefined ? begun : { ...begun, next }, signal, passing);
      },
      ...(findable && {
        find: async (id, signal) => (await read({ ...query(), id }, signal)).items.find((item) => item.id === id),
      }),
    });
    this.#branches.set(node.key, { session, asks, value: branch });
    return branch;
  }

  /** Learns from what was read: organizations, names, and ids of kinds that have no list. */
  take(session: Session, row: ResourceRow, items: readonly Item[], asked?: string): void {
    const { organizations, kinds } = this.met(session).take(row, items, asked);
    if (organizations.length > 0) session.discover(organizations);
    for (const node of this.#open.values())
      if (node.type === 'kind' && node.connection === session.profile.name && kinds.has(node.kind))
        this.#parts.changed(node);
  }

  collapsed(node: Node): void {
    this.#open.delete(node.key);
  }

  /** The row as VS Code holds it. */
  shownAs(node: Node): Node {
    return this.#held.get(node.key) ?? node;
  }

  /** True where no list is so long that drawing it again would be felt. */
  get isSmall(): boolean {
    let rows = 0;
    for (const key of this.#open.keys()) rows += this.#branches.get(key)?.value.items.length ?? 0;
    return rows <= 1000;
  }

  /**
   * Reads again what is shown at and below a node, or everywhere; what was loaded but is not shown is forgotten, and
   * read when it is expanded. Old rows stay until the new ones are there, and when they do not come.
   */
  async refresh(node?: Node): Promise<void> {
    const at = node?.type === 'note' || node?.type === 'more' || node?.type === 'fact' ? node.parent : node;
    const below = (key: string): boolean => at === undefined || key === at.key || key.startsWith(`${at.key}/`);
    for (const key of [...this.#readings.keys()].filter(below)) {
      this.#readings.delete(key);
      if (!this.#open.has(key)) this.#good.delete(key);
    }
    const work: Promise<void>[] = [];
    for (const [key, { value }] of [...this.#branches].filter(([key]) => below(key))) {
      const shown = this.#open.get(key);
      if (shown === undefined) {
        this.#branches.delete(key);
        const held = this.#held.get(key);
        if (held !== undefined) this.#parts.changed(held);
      } else
        work.push(
          value.refresh().then(() => {
            if (this.#branches.get(key)?.value === value) this.#parts.changed(this.shownAs(shown));
          }),
        );
    }
    if (at?.type !== 'list') this.#parts.changed(at === undefined ? undefined : this.shownAs(at));
    await Promise.all(work);
  }

  /** As `refresh`, for those who know a connection, and perhaps a kind, but no row. */
  async refreshKind(connection: string, kind: string | undefined): Promise<void> {
    const prefix = `${connectionKey(connection)}/`;
    const keys = new Set([...this.#branches.keys()].filter((key) => key.startsWith(prefix)));
    const shown = [...this.#open.values()].filter(
      (node) => node.type === 'list' && keys.delete(node.key) && fits(node),
    );
    function fits(node: Node): boolean {
      return kind === undefined || (node.type === 'list' && node.kind === kind);
    }
    for (const key of keys) {
      const held = this.#held.get(key);
      if (held !== undefined && !fits(held)) continue;
      this.#branches.delete(key);
      // Collapsed: VS Code shows the rows it keeps until it is told that they are not those any more.
      if (held !== undefined) this.#parts.changed(held);
    }
    await Promise.all(shown.map((node) => this.refresh(node)));
  }

  /** Keeps another filter for a section, and reads it anew. */
  async setFilter(list: ListNode, filter: Filter): Promise<void> {
    const { filterKey } = list;
    if (filterKey === undefined) return;
    await this.#parts.memory.setFilter(filterKey, isEmpty(filter) ? undefined : filter);
    this.forget(list);
    // The filter stands on the row itself, which its parent makes.
    this.#parts.changed(list.parent === undefined ? undefined : this.shownAs(list.parent));
  }

  get memory(): Memory {
    return this.#parts.memory;
  }

  /** Draws a row and those below it again, from what is loaded. */
  shows(node?: Node): void {
    this.#parts.changed(node === undefined ? undefined : this.shownAs(node));
  }

  /** Every organization and section of a connection, whether its branch is open or not. */
  sectionsOf(session: Session): readonly Node[] {
    const ground = { rows: this.rows, memory: this.#parts.memory };
    const root = connectionNode(session.profile.name);
    return connectionChildren(ground, root, session).flatMap((node): readonly Node[] =>
      node.type === 'scope' ? [node, ...sections(ground, node, 'organization')] : [node],
    );
  }

  /** Its query has changed: what was loaded is of another. */
  forget(node: Node): void {
    for (const map of [this.#branches, this.#readings, this.#good])
      for (const key of [...map.keys()]) if (key === node.key || key.startsWith(`${node.key}/`)) map.delete(key);
  }

  /** Forgets what belongs to sessions that have ended, and failures that another sign-in may mend. */
  sessionsChanged(mended?: Session): void {
    const open = new Set(this.#parts.sessions.all);
    for (const [key, { session, value }] of [...this.#branches])
      if (!open.has(session) || (session === mended && value.failure?.of === 'first')) this.#branches.delete(key);
    for (const [key, { session }] of [...this.#readings])
      if (!open.has(session) || session === mended) this.#readings.delete(key);
    for (const [key, { session }] of [...this.#good]) if (!open.has(session)) this.#good.delete(key);
  }

  async #listChildren(node: ListNode, session: Session): Promise<readonly Node[]> {
    const row = this.rows[node.kind];
    const branch = this.branch(node);
    if (row === undefined || branch === undefined) return [];
    await branch.open();
    const gone = session.ended.aborted || isCancelled(branch.failure?.error);
    return gone ? [] : listRows(node, row, branch, session);
  }

  #readingOf(node: ResourceNode, session: Session): Promise<readonly Node[]> {
    const held = this.#readings.get(node.key);
    if (held?.session === session && held.item === node.item) return held.value;
    const value = this.#read(node, session);
    this.#readings.set(node.key, { session, item: node.item, value });
    return value;
  }

  async #read(node: ResourceNode, session: Session): Promise<readonly Node[]> {
    const row = this.rows[node.kind];
    if (row === undefined) return [];
    const ground = { rows: this.rows, memory: this.#parts.memory };
    // A wallet is known by what it was met in, and its address says more.
    const titles = (kind: string, id: string): string | undefined =>
      kind === 'wallets'
        ? undefined
        : this.#parts.ids.find(id).find((known) => known.connection === node.connection && known.kind === kind)?.title;
    try {
      const children = await readChildren(this.rows, row, node, session, this.met(session), (items) => {
        this.take(session, row, items, node.resource?.id);
      });
      const rows = childNodes(node, children, ground, titles);
      this.#good.set(node.key, { session, rows, readAt: Date.now() });
      return rows;
    } catch (error) {
      if (session.ended.aborted || isCancelled(error)) return [];
      const good = this.#good.get(node.key);
      if (good?.session === session) {
        const since = good.since ?? Date.now();
        this.#good.set(node.key, { ...good, since });
        return [...stale(node, row, { error, since }, good.readAt), ...good.rows];
      }
      return failed(node, row, { error, of: 'first' }, `Read ${row.singular}`);
    }
  }
}

function problemNode(problem: string, index: number): NoteNode {
  const label = `Settings: ${problem}`;
  return {
    type: 'note',
    note: 'error',
    key: `problem/${index}`,
    connection: '',
    label,
    text: label,
    offer: 'editConnections',
  };
}
