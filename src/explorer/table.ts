/** Open as Table: a list of any length in a panel, whose view asks for the rows that it draws. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import type { ResourceRow } from '../platform/resource.ts';
import { hostView, type ViewHost } from '../webviews/panel.ts';
import { tableProtocol, type TableRow } from '../webviews/protocol-table.ts';
import type { Branch } from './branch.ts';
import { GrowingSteps } from './growing.ts';
import { failureWords } from './list-rows.ts';
import type { ListNode } from './nodes.ts';
import { filterWords, isEmpty } from './query.ts';
import { asOf, oneLine, relativeTime } from './text.ts';
import type { Tree } from './tree.ts';

const COLUMNS = ['State', 'Name', 'Details', 'Time', 'ID'];

export async function openTable(tree: Tree, { context, log }: Services, list: ListNode | undefined): Promise<void> {
  const session = list === undefined ? undefined : tree.session(list);
  const row = list === undefined ? undefined : tree.rows[list.kind];
  const branch = list === undefined ? undefined : tree.branch(list);
  if (list === undefined || session === undefined || row === undefined || branch === undefined) return;
  const filter = isEmpty(list.filter) ? '' : `, ${filterWords(list.filter)}`;
  const where = list.parent?.type === 'scope' ? `${list.parent.label} › ` : '';
  const title = oneLine(`${session.profile.name} › ${where}${list.label}${filter}`, 200);
  const panel = vscode.window.createWebviewPanel(
    'smartObjects.table',
    oneLine(list.label, 40),
    vscode.ViewColumn.Active,
  );
  panel.iconPath = new vscode.ThemeIcon('table');
  let version = 0;
  let busy = false;
  const show = (): void => {
    const { items, hasMore, full } = branch;
    const loaded = items.length;
    host.post('state', {
      title,
      columns: COLUMNS,
      loaded,
      more: hasMore && !full,
      busy,
      notice: noticeOf(branch, row),
      version,
    });
  };
  const work = async (run: () => Promise<void>): Promise<void> => {
    busy = true;
    show();
    await run();
    busy = false;
    show();
    tree.shows(list);
  };
  const host: ViewHost<(typeof tableProtocol)['toView']> = hostView(tableProtocol, {
    container: panel,
    extensionUri: context.extensionUri,
    log,
    bundle: 'table',
    title: list.label,
    show,
    handlers: {
      want: ({ from, count }) => {
        const rows = branch.items.slice(from, from + count).map(({ raw, id }) => tableRow(row, raw, id));
        host.post('rows', { from, version, rows });
      },
      open: async ({ index }) => {
        const id = branch.items[index]?.id;
        const { connection, kind } = list;
        if (id !== undefined)
          await vscode.commands.executeCommand('smartObjects.openResource', { connection, kind, id });
      },
      more: () => work(() => branch.more()),
      all: () => {
        const steps = new GrowingSteps(branch.items.length);
        return work(() =>
          branch.all(() => {
            if (steps.isSayable(Date.now())) show();
          }, host.ended),
        );
      },
      refresh: () =>
        work(async () => {
          await branch.refresh();
          version++;
        }),
    },
  });
  // What another identity saw is not for the next.
  const close = (): void => {
    panel.dispose();
  };
  session.ended.addEventListener('abort', close, { once: true });
  host.own({
    dispose: () => {
      session.ended.removeEventListener('abort', close);
    },
  });
  await work(() => branch.open());
}

function noticeOf({ failure, readAt }: Branch, row: ResourceRow): string {
  if (failure === undefined) return '';
  const what = failureWords(failure.error);
  if (failure.of === 'refresh' && readAt !== undefined)
    return oneLine(`Not refreshed: as of ${asOf(readAt, Date.now())}. ${what}`, 400);
  return oneLine(
    `${failure.of === 'more' ? 'No more' : 'No'} ${row.label.toLowerCase()} could be loaded: ${what}`,
    400,
  );
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
