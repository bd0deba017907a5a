/** Open as Table: a panel that requests the visible rows of a list of any length. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { StoredRecord } from '../../cache/stored-record.ts';
import type { Services } from '../../commands/context.ts';
import type { Session } from '../../model/session/session.ts';
import { getRemedy } from '../../model/text/error-remedy.ts';
import { getOwn } from '../../platform/json/json.ts';
import { pluralize } from '../../platform/text/localization.ts';
import { createWebviewHost, type WebviewHost } from '../../webviews/webview-host.ts';
import {
  MAX_COLUMNS,
  ROW_ACTIONS,
  tableProtocol,
  type ColumnLayout,
  type TableRow,
  type TableSort,
} from '../../webviews/protocol/table.ts';
import type { PagedList } from '../tree/paged-list.ts';
import { runInForeground } from '../../ui/foreground.ts';
import { ProgressThrottle } from '../progress-throttle.ts';
import { formatFailure, formatInvalidItems } from '../rows/list-rows.ts';
import { createConnectionKey, createChildKey, type ListNode } from '../tree/nodes.ts';
import { formatFilter, isEmptyFilter, parseFilter, type Filter } from '../filter/filter.ts';
import { getFilterField } from '../../model/resources/filter-fields.ts';
import { formatTimeOrDate, toOneLine } from '../format.ts';
import { RowPictures } from '../rows/row-pictures.ts';
import type { Tree } from '../tree/tree.ts';
import { RowSelection, type SelectedIds } from './row-selection.ts';
import { exportFromTable, runRowAction } from './row-actions.ts';
import {
  getCellResources,
  layoutSchema,
  listTableColumns,
  listDefaultLayout,
  type TableColumn,
} from './table-columns.ts';
import { TablePictures } from './table-pictures.ts';
import { TableRows, type LoadedItem } from './table-rows.ts';

const VIEW_TYPE = 'smartObjects.table';
/** Lists whose chosen columns are stored. */
const MAX_STORED_LAYOUTS = 100;

/** The webview's state, restored after a reload: the list's identity and the ids of its selected rows, no other data. */
const listState = z.object({
  connection: z.string(),
  kind: z.string(),
  label: z.string(),
  title: z.string(),
  fixed: z.unknown(),
  filter: z.unknown(),
  selection: z.catch(
    z.optional(z.object({ cursor: z.optional(z.string()), selected: z.array(z.string()) })),
    undefined,
  ),
});
const tableState = z.object({ of: listState });

/** Opens a list in a new table panel. */
export function openTable(tree: Tree, services: Services, list: ListNode | undefined): void {
  const session = list === undefined ? undefined : tree.session(list);
  if (list === undefined || session === undefined) return;
  const place = getPlace(tree, list);
  const name = place === undefined ? list.label : `${list.label} · ${place}`;
  const filter = formatListFilter(tree, list);
  const where = place === undefined ? '' : `${place} › `;
  const title = toOneLine(`${session.profile.name} › ${where}${list.label}${filter === '' ? '' : `, ${filter}`}`, 200);
  const panel = vscode.window.createWebviewPanel(VIEW_TYPE, toOneLine(name, 60), vscode.ViewColumn.Active);
  setUpTable(tree, services, panel, { list, title });
}

/** Returns what the list is of: an organization, a resource, or the kind of a favorite. */
function getPlace(tree: Tree, list: ListNode): string | undefined {
  const { parent, connection, kind } = list;
  if (list.favorite !== undefined) return tree.definitions[kind]?.label;
  if (parent?.type === 'scope') return parent.organization === undefined ? undefined : parent.label;
  if (parent?.type !== 'resource' || parent.resource === undefined) return undefined;
  const { resource } = parent;
  return toOneLine(tree.getTitleLookup(connection)(resource.kind, resource.id) ?? resource.id, 40);
}

function formatListFilter(tree: Tree, { connection, filter }: ListNode): string {
  return isEmptyFilter(filter) ? '' : formatFilter(filter, tree.getTitleLookup(connection));
}

/** Restores a table after a reload. Throws Error if the state names no list. */
export function restoreTable(tree: Tree, services: Services, panel: vscode.WebviewPanel, state: unknown): void {
  const { of } = z.safeParse(tableState, state).data ?? {};
  const definition = of === undefined ? undefined : getOwn(tree.definitions, of.kind);
  if (of === undefined || definition?.list === undefined)
    throw new Error(l10n.t('The list that this table shows is unknown'));
  const { connection, label, title, fixed, filter, selection } = of;
  const known = definition.list.operation.query;
  const node: ListNode = {
    type: 'list',
    // A separate key: the tree's row may have another filter by now.
    key: createChildKey(createConnectionKey(connection), `table ${randomUUID()}`),
    connection,
    kind: definition.kind,
    label: toOneLine(label),
    fixed: parseFilter(fixed, known),
    filter: parseFilter(filter, known),
  };
  setUpTable(tree, services, panel, { list: node, title: toOneLine(title, 200), selected: selection });
}

function setUpTable(
  tree: Tree,
  services: Services,
  panel: vscode.WebviewPanel,
  {
    list,
    title,
    selected,
  }: { readonly list: ListNode; readonly title: string; readonly selected?: SelectedIds | undefined },
): void {
  const { context, log, sessions, ui } = services;
  const { connection, kind, label, fixed, filter } = list;
  const definition = tree.definitions[kind];
  if (definition === undefined) return;
  panel.iconPath = new vscode.ThemeIcon('table');
  const layouts = new StoredRecord(context.globalState, 'smartObjects.table.columns', layoutSchema, MAX_STORED_LAYOUTS);
  const layoutKey = `${connection}/${kind}`;
  const tableRows = new TableRows(definition);
  const pictures = new TablePictures(new RowPictures(sessions, services.knownIds.index), services.thumbnails, {
    connection,
    definition,
  });
  const takesActions = definition.features?.includes('actionFile') === true;
  const actions = ROW_ACTIONS.filter((action) => {
    if (action === 'runOnSelection') return takesActions && kind !== 'action-logs';
    return action !== 'newActionFile' || takesActions;
  });
  let pagedList: PagedList | undefined;
  let session: Session | undefined;
  let version = 0;
  let rowsVersion = 0;
  const selection = new RowSelection(selected);
  /** operations of the user that are not complete */
  let busy = 0;
  /** rows a second while all rows are being loaded */
  let rate: number | undefined;
  let stopLoading = (): void => undefined;
  let sort: TableSort | undefined;
  let filters: Readonly<Record<string, string>> = {};
  let rows: readonly LoadedItem[] = [];
  let columns: readonly TableColumn[] = [];
  let layout: readonly ColumnLayout[] = [];
  const isAvailable = ({ key }: ColumnLayout): boolean => columns.some((column) => column.key === key);
  const getVisibleColumns = (): readonly TableColumn[] =>
    layout.flatMap(({ key }) => columns.find((column) => column.key === key) ?? []);
  const state = { connection, kind, label, title, fixed, filter };
  const getListState = (): Readonly<Record<string, unknown>> => ({ ...state, selection: selection.ids });
  const postState = (): void => {
    const items = pagedList?.items ?? [];
    const { hasMore, isFull } = pagedList ?? { hasMore: false, isFull: false };
    const remedy = getRemedy(pagedList?.failure?.error);
    host.post('state', {
      title,
      columns: [...layout],
      available: columns.map(({ key, label, heading }) => ({ key, label, ...(heading !== undefined && { heading }) })),
      ...(sort !== undefined && { sort }),
      order: formatOrder(columns.find(({ key }) => key === sort?.key)?.label, filter, items.length, hasMore),
      hasPictures: pictures.hasAny(items),
      actions,
      filters,
      loaded: items.length,
      matching: rows.length,
      hasMore,
      isFull,
      loading: busy > 0,
      ...(rate !== undefined && { rate }),
      notice:
        pagedList === undefined
          ? l10n.t('The connection “{0}” no longer exists.', toOneLine(connection))
          : formatNotice(pagedList),
      ...(remedy !== undefined && { remedy }),
      version,
      rowsVersion,
      selection: selection.places,
      list: getListState(),
    });
  };
  /** Selects and sorts the rows, and posts the state; the view requests its rows again. */
  const postRows = (): void => {
    const items = pagedList?.items ?? [];
    columns = listTableColumns(definition, items, tree.getTitleLookup(connection));
    // Stored columns of fields that no loaded item has are hidden, and stay stored.
    const stored = layouts.get(layoutKey)?.filter(isAvailable) ?? [];
    layout = stored.length > 0 ? stored : listDefaultLayout(columns);
    // The filter of a column that is hidden could not be seen.
    const shown = Object.entries(filters).filter(([name]) => layout.some(({ key }) => key === name));
    const before = rows;
    rows = tableRows.select(items, columns, Object.fromEntries(shown), sort);
    const isOther = (row: LoadedItem, index: number): boolean =>
      row !== rows[index] && (row.id === undefined || row.id !== rows[index]?.id);
    if (before.length === 0 || before.some(isOther)) {
      rowsVersion++;
      selection.find(rows);
    }
    version++;
    postState();
  };
  const runBusy = async (run: (loadedList: PagedList) => Promise<unknown>): Promise<void> => {
    if (pagedList === undefined) return;
    busy++;
    postState();
    const loading = pagedList;
    // The user waits for the rows.
    await runInForeground(() => run(loading), false);
    busy--;
    postRows();
  };
  /** Reads the first page once the panel is visible; rows of another identity are dropped. */
  const openWhenVisible = async (): Promise<void> => {
    if (host.disposed) return;
    const now = tree.session(list);
    if (pagedList !== undefined && session !== now) {
      stopLoading();
      pagedList = undefined;
      postRows();
    }
    if (pagedList !== undefined || !panel.visible) return;
    session = now;
    // A list of its own: the tree would render thousands of rows for as long as it is shown.
    pagedList = tree.createPagedList(list);
    await runBusy((opened) => opened.open());
  };
  const host: WebviewHost<(typeof tableProtocol)['toView']> = createWebviewHost(tableProtocol, {
    container: panel,
    extensionUri: context.extensionUri,
    log,
    ui,
    bundle: 'table',
    title: label,
    policy: { images: ['data:'] },
    postState,
    onDidChangeVisibility: (visible) => {
      if (!visible) pictures.stop();
      return openWhenVisible();
    },
    handlers: {
      requestRows: ({ from, count }) => {
        const visible = getVisibleColumns();
        const requested = rows.slice(from, from + count).map((loaded): TableRow => {
          const item = tableRows.get(loaded);
          const picture = pictures.getNumber(loaded.raw);
          return {
            cells: visible.map(({ getText }) => getText(item)),
            resources: getCellResources(list, visible, item),
            tone: item.summary.state?.tone ?? 'none',
            ...(picture !== undefined && { picture }),
          };
        });
        host.post('rows', { from, version, rows: requested });
      },
      requestPictures: (message) =>
        pictures.load(message.pictures, (picture, dataUri) => {
          host.post('picture', { picture, ...(dataUri !== undefined && { dataUri }) });
        }),
      setColumns: async ({ columns: chosen }) => {
        const hidden = (layouts.get(layoutKey) ?? []).filter((column) => !isAvailable(column));
        await layouts.set(layoutKey, [...chosen, ...hidden].slice(0, MAX_COLUMNS));
        postRows();
      },
      resetColumns: async () => {
        await layouts.set(layoutKey, undefined);
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
      select: (message) => {
        if (message.rowsVersion !== rowsVersion) return;
        selection.select({ row: message.row, rows: message.rows }, rows);
        host.post('list', { list: getListState() });
      },
      act: async (message) => {
        // The indexes are those of rows that were replaced meanwhile.
        if (message.rowsVersion !== rowsVersion) return;
        const selected = message.indexes.flatMap((index) => rows[index] ?? []).map((loaded) => tableRows.get(loaded));
        await runRowAction(message.action, selected, getVisibleColumns(), { connection, kind });
      },
      export: async (message) => {
        if (session === undefined || message.rowsVersion !== rowsVersion) return;
        await exportFromTable(services, {
          session,
          definition,
          label,
          filter: formatListFilter(tree, list),
          selected: message.indexes.flatMap((index) => rows[index] ?? []),
          rows,
          exportList: async () => (await import('../export/export-command.ts')).exportList(tree, services, list),
        });
      },
      loadMore: () => runBusy((opened) => opened.loadMore()),
      loadAll: () =>
        runBusy((opened) => {
          const throttle = new ProgressThrottle(opened.items.length);
          const stop = new AbortController();
          stopLoading = () => stop.abort();
          const started = Date.now();
          const before = opened.items.length;
          rate = 0;
          postState();
          const work = opened.loadAll(
            (loaded) => {
              const now = Date.now();
              rate = Math.round(((loaded - before) * 1000) / Math.max(1, now - started));
              const isWhole = sort === undefined && Object.keys(filters).length === 0;
              // Without sorting and filters, `rows` grows by itself, unless the list started over.
              if (isWhole ? rows !== opened.items : throttle.shouldRender(loaded, now)) postRows();
              else if (throttle.shouldReport(now)) postState();
            },
            AbortSignal.any([stop.signal, host.disposeSignal]),
          );
          return work.finally(() => {
            rate = undefined;
          });
        }),
      stop: () => stopLoading(),
      remedy: ({ id }) => vscode.commands.executeCommand(`smartObjects.${id}`, connection),
      refresh: () => runBusy((opened) => opened.refresh()),
    },
    operations: {
      setColumns: l10n.t('Set columns'),
      resetColumns: l10n.t('Reset columns'),
      act: l10n.t('Selected rows'),
      export: l10n.t('Export'),
    },
  });
  host.register(sessions.onDidChange(openWhenVisible));
  host.register({
    dispose: () => {
      pictures.stop();
      pagedList = undefined;
      rows = [];
    },
  });
  void openWhenVisible();
}

/** Says what is sorted, and by whom. `column`: the label of the column that the table is sorted by. */
function formatOrder(column: string | undefined, { sortBy }: Filter, loaded: number, hasMore: boolean): string {
  if (column !== undefined)
    return hasMore
      ? pluralize(loaded, l10n.t('only {0} loaded row sorted by {1}|only {0} loaded rows sorted by {1}'), column)
      : l10n.t('sorted by {0}', column);
  return typeof sortBy === 'string'
    ? l10n.t('sorted by {0} on the server', getFilterField(sortBy).label)
    : l10n.t('in server order');
}

function formatNotice({ failure, readAt, invalidItemCount }: PagedList): string {
  if (failure === undefined) return invalidItemCount === 0 ? '' : formatInvalidItems(invalidItemCount);
  const what = formatFailure(failure.error);
  if (failure.operation === 'refresh' && readAt !== undefined)
    return toOneLine(l10n.t('Not refreshed since {0}: {1}', formatTimeOrDate(readAt, Date.now()), what), 400);
  return toOneLine(l10n.t('Not loaded: {0}', what), 400);
}
