/** Open as Table: a list of any length in a panel, whose view asks for the rows that it draws. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import type { Session } from '../connections/types.ts';
import { isObject } from '../platform/json.ts';
import { pluralOf, type ResourceRow } from '../platform/resource.ts';
import { hostView, type ViewHost } from '../webviews/panel.ts';
import { tableProtocol, type TableRow } from '../webviews/protocol-table.ts';
import type { Branch } from './branch.ts';
import { GrowingSteps } from './growing.ts';
import { failureWords } from './list-rows.ts';
import { connectionKey, step, type ListNode } from './nodes.ts';
import { filterFrom, filterWords, isEmpty } from './query.ts';
import { asOf, oneLine, relativeTime } from './text.ts';
import type { Tree } from './tree.ts';

const VIEW_TYPE = 'smartObjects.table';
const COLUMNS = ['State', 'Name', 'Details', 'Time', 'ID'];

/** What the page keeps over a reload: which list it is, and nothing that was read. */
interface Kept extends Pick<ListNode, 'connection' | 'kind' | 'label' | 'fixed' | 'filter'> {
  readonly title: string;
}

export function openTable(tree: Tree, services: Services, list: ListNode | undefined): void {
  const session = list === undefined ? undefined : tree.session(list);
  if (list === undefined || session === undefined) return;
  const filter = isEmpty(list.filter) ? '' : `, ${filterWords(list.filter)}`;
  const where = list.parent?.type === 'scope' ? `${list.parent.label} › ` : '';
  const title = oneLine(`${session.profile.name} › ${where}${list.label}${filter}`, 200);
  const panel = vscode.window.createWebviewPanel(VIEW_TYPE, oneLine(list.label, 40), vscode.ViewColumn.Active);
  fillTable(tree, services, panel, { list, title });
}

/** Throws Error for what names no list. */
export function restoreTable(tree: Tree, services: Services, panel: vscode.WebviewPanel, state: unknown): void {
  const { of } = isObject(state) ? state : {};
  const { connection, kind, label, title, fixed, filter } = isObject(of) ? of : {};
  const row = typeof kind === 'string' && Object.hasOwn(tree.rows, kind) ? tree.rows[kind] : undefined;
  if (typeof connection !== 'string' || typeof title !== 'string' || row?.list === undefined)
    throw new Error('it does not say which list it was');
  const known = row.list.operation.query;
  const node: ListNode = {
    type: 'list',
    // A row of its own: the tree's may have another filter by now.
    key: step(connectionKey(connection), `table ${randomUUID()}`),
    connection,
    kind: row.kind,
    label: typeof label === 'string' ? oneLine(label) : row.label,
    fixed: filterFrom(fixed, known),
    filter: filterFrom(filter, known),
  };
  fillTable(tree, services, panel, { list: node, title: oneLine(title, 200) });
}

function fillTable(
  tree: Tree,
  { context, log, sessions }: Services,
  panel: vscode.WebviewPanel,
  { list, title }: { readonly list: ListNode; readonly title: string },
): void {
  const { connection, kind, label, fixed, filter } = list;
  const kept: Kept = { connection, kind, label, fixed, filter, title };
  const row = tree.rows[kind];
  if (row === undefined) return;
  panel.iconPath = new vscode.ThemeIcon('table');
  let branch: Branch | undefined;
  let session: Session | undefined;
  let version = 0;
  let busy = false;
  const show = (): void => {
    const loaded = branch?.items.length ?? 0;
    const [first] = branch?.items ?? [];
    const stateless = first !== undefined && row.summary(first.raw).state === undefined;
    host.post('state', {
      title,
      // A kind has states or it has none.
      columns: stateless ? ['', ...COLUMNS.slice(1)] : COLUMNS,
      loaded,
      more: branch !== undefined && branch.hasMore && !branch.full,
      busy,
      notice: branch === undefined ? `There is no connection “${oneLine(connection)}” now.` : noticeOf(branch, row),
      version,
      of: { ...kept },
    });
  };
  const work = async (run: (branch: Branch) => Promise<void>): Promise<void> => {
    if (branch === undefined) return;
    busy = true;
    show();
    await run(branch);
    busy = false;
    show();
    tree.shows(list);
  };
  /** Reads the first page when it is looked at; what another identity saw is not for this one. */
  const begin = async (): Promise<void> => {
    if (host.disposed) return;
    const now = tree.session(list);
    if (branch !== undefined && session !== now) {
      branch = undefined;
      version++;
      show();
    }
    if (branch !== undefined || !panel.visible) return;
    session = now;
    branch = tree.branch(list);
    await work((opened) => opened.open());
  };
  const host: ViewHost<(typeof tableProtocol)['toView']> = hostView(tableProtocol, {
    container: panel,
    extensionUri: context.extensionUri,
    log,
    bundle: 'table',
    title: label,
    show,
    onVisible: begin,
    handlers: {
      want: ({ from, count }) => {
        const rows = (branch?.items ?? []).slice(from, from + count).map(({ raw, id }) => tableRow(row, raw, id));
        host.post('rows', { from, version, rows });
      },
      open: async ({ index }) => {
        const id = branch?.items[index]?.id;
        if (id !== undefined)
          await vscode.commands.executeCommand('smartObjects.openResource', { connection, kind, id });
      },
      more: () => work((opened) => opened.more()),
      all: () =>
        work((opened) => {
          const steps = new GrowingSteps(opened.items.length);
          return opened.all(() => {
            if (steps.isSayable(Date.now())) show();
          }, host.ended);
        }),
      refresh: () =>
        work(async (opened) => {
          await opened.refresh();
          version++;
        }),
    },
  });
  host.own(sessions.onDidChange(begin));
  void begin();
}

function noticeOf({ failure, readAt }: Branch, row: ResourceRow): string {
  if (failure === undefined) return '';
  const what = failureWords(failure.error);
  if (failure.of === 'refresh' && readAt !== undefined)
    return oneLine(`Not refreshed: as of ${asOf(readAt, Date.now())}. ${what}`, 400);
  return oneLine(`${failure.of === 'more' ? 'No more' : 'No'} ${pluralOf(row)} could be loaded: ${what}`, 400);
}

function tableRow(row: ResourceRow, raw: unknown, id: string | undefined): TableRow {
  const { title, state, details, when } = row.summary(raw);
  const time = when === undefined ? '' : relativeTime(when, Date.now());
  const told = details
    .filter((detail) => detail !== id)
    .slice(0, 6)
    .map((detail) => oneLine(detail, 60));
  return {
    cells: [
      oneLine(state?.word ?? ''),
      oneLine(title, 200),
      oneLine(told.join(' · '), 390),
      time,
      oneLine(id ?? '', 200),
    ],
    tone: state?.tone ?? 'none',
  };
}
