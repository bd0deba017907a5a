/** Open as Table: a panel that requests the visible rows of a list of any length. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import type { Session } from '../../model/session.ts';
import { isObject } from '../../platform/json/json.ts';
import { formatPlural, type ResourceDefinition } from '../../platform/resource.ts';
import { createWebviewHost, type WebviewHost } from '../../webviews/webview-host.ts';
import { tableProtocol, type ColumnLayout, type TableRow, type TableSort } from '../../webviews/protocol/table.ts';
import type { PagedList } from '../tree/paged-list.ts';
import { ProgressThrottle } from '../progress-throttle.ts';
import { formatFailure } from '../rows/list-rows.ts';
import { createConnectionKey, createChildKey, type ListNode } from '../tree/nodes.ts';
import { parseFilter, formatFilter, isEmptyFilter } from '../filter/filter.ts';
import { formatTimeOrDate, toOneLine } from '../format.ts';
import type { Tree } from '../tree/tree.ts';
import { runRowAction } from './row-actions.ts';
import { listTableColumns, parseLayout, type TableColumn } from './table-columns.ts';
import { createTableItem, selectRows, type LoadedItem } from './table-rows.ts';

const VIEW_TYPE = 'smartObjects.table';
const COLUMNS_KEY = 'smartObjects.table.columns';
const MAX_STORED_LAYOUTS = 100;

/** The webview's state, restored after a reload: the list's identity, none of its data. */
interface TableState extends Pick<ListNode, 'connection' | 'kind' | 'label' | 'fixed' | 'filter'> {
  readonly title: string;
}

/** Opens a list in a new table panel. */
export function openTable(tree: Tree, services: Services, list: ListNode | undefined): void {
  const session = list === undefined ? undefined : tree.session(list);
  if (list === undefined || session === undefined) return;
  const filter = isEmptyFilter(list.filter)
    ? ''
    : `, ${formatFilter(list.filter, tree.getTitleLookup(list.connection))}`;
  const where = list.parent?.type === 'scope' ? `${list.parent.label} › ` : '';
  const title = toOneLine(`${session.profile.name} › ${where}${list.label}${filter}`, 200);
  const panel = vscode.window.createWebviewPanel(VIEW_TYPE, toOneLine(list.label, 40), vscode.ViewColumn.Active);
  setUpTable(tree, services, panel, { list, title });
}

/** Restores a table after a reload. Throws Error if the state names no list. */
export function restoreTable(tree: Tree, services: Services, panel: vscode.WebviewPanel, state: unknown): void {
  const { of } = isObject(state) ? state : {};
  const { connection, kind, label, title, fixed, filter } = isObject(of) ? of : {};
  const row = typeof kind === 'string' && Object.hasOwn(tree.rows, kind) ? tree.rows[kind] : undefined;
  if (typeof connection !== 'string' || typeof title !== 'string' || row?.list === undefined)
    throw new Error('it does not say which list it was');
  const known = row.list.operation.query;
  const node: ListNode = {
    type: 'list',
    // A separate key: the tree's row may have another filter by now.
    key: createChildKey(createConnectionKey(connection), `table ${randomUUID()}`),
    connection,
    kind: row.kind,
    label: typeof label === 'string' ? toOneLine(label) : row.label,
    fixed: parseFilter(fixed, known),
    filter: parseFilter(filter, known),
  };
  setUpTable(tree, services, panel, { list: node, title: toOneLine(title, 200) });
}

function setUpTable(
  tree: Tree,
  { context, log, sessions, ui }: Services,
  panel: vscode.WebviewPanel,
  { list, title }: { readonly list: ListNode; readonly title: string },
): void {
  const { connection, kind, label, fixed, filter } = list;
  const state: TableState = { connection, kind, label, fixed, filter, title };
  const row = tree.rows[kind];
  if (row === undefined) return;
  panel.iconPath = new vscode.ThemeIcon('table');
  const layouts = new LayoutStorage(context.globalState, `${connection}/${kind}`);
  let pagedList: PagedList | undefined;
  let session: Session | undefined;
  let version = 0;
  let busy = false;
  let sort: TableSort | undefined;
  let filters: Readonly<Record<string, string>> = {};
  let rows: readonly LoadedItem[] = [];
  let columns: readonly TableColumn[] = [];
  let layout: readonly ColumnLayout[] = [];
  const getVisibleColumns = (): readonly TableColumn[] =>
    layout.flatMap(({ key }) => columns.find((column) => column.key === key) ?? []);
  const postState = (): void => {
    const items = pagedList?.items ?? [];
    columns = listTableColumns(row, items);
    // Stored columns of fields that no loaded item has are hidden, and stay stored.
    layout = parseLayout(layouts.get(), columns).filter(({ key }) => columns.some((column) => column.key === key));
    rows = selectRows(row, items, columns, filters, sort);
    host.post('state', {
      title,
      columns: [...layout],
      available: columns.map(({ key, label }) => ({ key, label })),
      ...(sort !== undefined && { sort }),
      filters,
      loaded: items.length,
      matching: rows.length,
      hasMore: pagedList !== undefined && pagedList.hasMore && !pagedList.isFull,
      loading: busy,
      notice:
        pagedList === undefined
          ? `There is no connection “${toOneLine(connection)}” now.`
          : formatNotice(pagedList, row),
      version,
      list: { ...state },
    });
  };
  /** Posts the state; the view requests its rows again. */
  const postRows = (): void => {
    version++;
    postState();
  };
  const runBusy = async (run: (loadedList: PagedList) => Promise<void>): Promise<void> => {
    if (pagedList === undefined) return;
    busy = true;
    postState();
    await run(pagedList);
    busy = false;
    postRows();
    tree.rerender(list);
  };
  /** Reads the first page once the panel is visible; rows of another identity are dropped. */
  const openWhenVisible = async (): Promise<void> => {
    if (host.disposed) return;
    const now = tree.session(list);
    if (pagedList !== undefined && session !== now) {
      pagedList = undefined;
      postRows();
    }
    if (pagedList !== undefined || !panel.visible) return;
    session = now;
    pagedList = tree.getPagedList(list);
    await runBusy((opened) => opened.open());
  };
  const host: WebviewHost<(typeof tableProtocol)['toView']> = createWebviewHost(tableProtocol, {
    container: panel,
    extensionUri: context.extensionUri,
    log,
    ui,
    bundle: 'table',
    title: label,
    postState,
    onDidChangeVisibility: openWhenVisible,
    handlers: {
      requestRows: ({ from, count }) => {
        const visible = getVisibleColumns();
        const requested = rows.slice(from, from + count).map((item) => createTableRow(row, item, visible));
        host.post('rows', { from, version, rows: requested });
      },
      setColumns: async ({ columns: chosen }) => {
        await layouts.set(chosen);
        postRows();
      },
      resetColumns: async () => {
        await layouts.set(undefined);
        postRows();
      },
      sort: (message) => {
        sort = message.sort;
        postRows();
      },
      filter: (message) => {
        filters = message.filters;
        postRows();
      },
      act: async (message) => {
        // The indexes are those of rows that were replaced meanwhile.
        if (message.version !== version) return;
        const items = message.indexes.flatMap((index) => rows[index] ?? []);
        const selected = items.map((item) => createTableItem(row, item));
        await runRowAction(message.action, selected, getVisibleColumns(), { connection, kind });
      },
      loadMore: () => runBusy((opened) => opened.loadMore()),
      loadAll: () =>
        runBusy((opened) => {
          const throttle = new ProgressThrottle(opened.items.length);
          return opened.loadAll(() => {
            if (throttle.shouldReport(Date.now())) postRows();
          }, host.disposeSignal);
        }),
      refresh: () => runBusy((opened) => opened.refresh()),
    },
    operations: { setColumns: 'Store columns', resetColumns: 'Reset columns', act: 'Use selected rows' },
  });
  host.register(sessions.onDidChange(openWhenVisible));
  void openWhenVisible();
}

function formatNotice({ failure, readAt }: PagedList, row: ResourceDefinition): string {
  if (failure === undefined) return '';
  const what = formatFailure(failure.error);
  if (failure.operation === 'refresh' && readAt !== undefined)
    return toOneLine(`Not refreshed: as of ${formatTimeOrDate(readAt, Date.now())}. ${what}`, 400);
  return toOneLine(
    `${failure.operation === 'more' ? 'No more' : 'No'} ${formatPlural(row)} could be loaded: ${what}`,
    400,
  );
}

function createTableRow(row: ResourceDefinition, loaded: LoadedItem, columns: readonly TableColumn[]): TableRow {
  const item = createTableItem(row, loaded);
  return { cells: columns.map(({ getText }) => getText(item)), tone: item.summary.state?.tone ?? 'none' };
}

/** The columns that the user has chosen, for each connection and kind. */
class LayoutStorage {
  readonly #store: vscode.Memento;
  readonly #key: string;
  constructor(store: vscode.Memento, key: string) {
    this.#store = store;
    this.#key = key;
  }

  /** Returns the stored value unchecked. */
  get(): unknown {
    return this.#all[this.#key];
  }

  /** Stores the columns; `undefined` removes them. Rejects where the store does. */
  async set(columns: readonly ColumnLayout[] | undefined): Promise<void> {
    const others = Object.entries(this.#all).filter(([key]) => key !== this.#key);
    const entries = columns === undefined ? others : [...others, [this.#key, columns]];
    await this.#store.update(COLUMNS_KEY, Object.fromEntries(entries.slice(-MAX_STORED_LAYOUTS)));
  }

  get #all(): Readonly<Record<string, unknown>> {
    const stored: unknown = this.#store.get(COLUMNS_KEY);
    return isObject(stored) ? stored : {};
  }
}
