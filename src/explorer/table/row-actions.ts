import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import type { Session } from '../../model/session/session.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { MAX_OPENED_ROWS, type RowAction } from '../../webviews/protocol/table.ts';
import { pluralize } from '../../platform/text/localization.ts';
import { toQuickPickText } from '../format.ts';
import { formatCsv, formatMarkdown, type TableColumn, type TableItem } from './table-columns.ts';

/** Runs an action of the table on the selected rows. Rejects with Error if there are too many or too few rows. */
export async function runRowAction(
  action: RowAction,
  items: readonly TableItem[],
  columns: readonly TableColumn[],
  list: { readonly connection: string; readonly kind: string },
): Promise<void> {
  const resources = items.flatMap(({ id }) => (id === undefined ? [] : [{ ...list, id }]));
  switch (action) {
    case 'open':
      return runForEach('smartObjects.openResource', resources, true);
    case 'newActionFile':
      return runForEach('smartObjects.newActionFileFrom', resources);
    case 'runOnSelection': {
      const selected = items.flatMap(({ id, raw }) => (id === undefined ? [] : [{ id, raw }]));
      await vscode.commands.executeCommand('smartObjects.runOnSelection', { ...list, items: selected });
      return;
    }
    case 'compare': {
      if (resources.length !== 2) throw new Error(l10n.t('Select two rows to compare'));
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

async function runForEach(command: string, resources: readonly object[], canKeep = false): Promise<void> {
  if (resources.length > MAX_OPENED_ROWS)
    throw new Error(pluralize(MAX_OPENED_ROWS, l10n.t('Select at most {0} row|Select at most {0} rows')));
  for (const resource of resources) {
    // The next one would replace a preview.
    const keep = resources.length > 1;
    await vscode.commands.executeCommand(command, resource, ...(canKeep && keep ? [true] : []));
    if (keep && !canKeep) await vscode.commands.executeCommand('workbench.action.keepEditor');
  }
}

async function copy(text: string, count: number): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  const message = pluralize(count, l10n.t('Copied {0} row|Copied {0} rows'));
  vscode.window.setStatusBarMessage(`$(check) ${message}`, 2500);
}

interface ExportChoices {
  readonly session: Session;
  readonly definition: ResourceDefinition;
  readonly label: string;
  /** the list's filter as text; empty for none */
  readonly filter: string;
  readonly selected: readonly { readonly raw: unknown }[];
  /** the rows of the table, as filtered and sorted */
  readonly rows: readonly { readonly raw: unknown }[];
  readonly exportList: () => Promise<void>;
}

/** Asks what to export: the selected rows, the rows of the table, or the whole list. Rejects as the export does. */
export async function exportFromTable(services: Services, choices: ExportChoices): Promise<void> {
  const { session, definition, label, filter, selected, rows, exportList } = choices;
  const selectedRows = pluralize(selected.length, l10n.t('{0} selected row|{0} selected rows'));
  const loadedRows = pluralize(rows.length, l10n.t('{0} loaded row|{0} loaded rows'));
  const chosen = await services.ui.pick(
    [
      ...(selected.length === 0 ? [] : [{ label: selectedRows, items: selected }]),
      { label: loadedRows, description: l10n.t('as filtered and sorted in the table'), items: rows },
      {
        label: l10n.t('Entire list'),
        description:
          filter === ''
            ? l10n.t('loads every page')
            : l10n.t('loads every page; filter: {0}', toQuickPickText(filter, 160)),
        items: undefined,
      },
    ],
    { title: l10n.t('Export {0}', label), placeHolder: l10n.t('Select what to export') },
  );
  if (chosen === undefined) return;
  if (chosen.items === undefined) return exportList();
  const { exportItems } = await import('../export/export-items.ts');
  return exportItems(services, session, definition, label, chosen.items);
}
