import * as vscode from 'vscode';
import type { RowAction } from '../../webviews/protocol/table.ts';
import { formatCsv, formatMarkdown, type TableColumn, type TableItem } from './table-columns.ts';

/** Documents or files that one action opens. */
const MAX_OPENED = 20;

/** Runs an action of the table on the selected rows. Rejects with Error where there are too many or too few rows. */
export async function runRowAction(
  action: RowAction,
  items: readonly TableItem[],
  columns: readonly TableColumn[],
  list: { readonly connection: string; readonly kind: string },
): Promise<void> {
  const resources = items.flatMap(({ id }) => (id === undefined ? [] : [{ ...list, id }]));
  switch (action) {
    case 'open':
      return runForEach('smartObjects.openResource', resources);
    case 'newActionFile':
      return runForEach('smartObjects.newActionFileFrom', resources);
    case 'compare': {
      if (resources.length !== 2) throw new Error('Select two rows to compare');
      const selected = resources.map((resource) => ({ resource }));
      await vscode.commands.executeCommand('smartObjects.compareResources', selected[0], selected);
      return;
    }
    case 'copyCsv':
      return copy(formatCsv(columns, items), items.length);
    case 'copyMarkdown':
      return copy(formatMarkdown(columns, items), items.length);
    case 'copyJson':
      return copy(
        JSON.stringify(
          items.map(({ raw }) => raw),
          undefined,
          2,
        ),
        items.length,
      );
  }
}

async function runForEach(command: string, resources: readonly object[]): Promise<void> {
  if (resources.length > MAX_OPENED) throw new Error(`Select at most ${String(MAX_OPENED)} rows`);
  for (const resource of resources) await vscode.commands.executeCommand(command, resource);
}

async function copy(text: string, count: number): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(`$(check) Copied ${String(count)} ${count === 1 ? 'row' : 'rows'}`, 2500);
}
