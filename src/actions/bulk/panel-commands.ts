/** What a batch's panel opens and exports. */
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { Services } from '../../commands/context.ts';
import { formatError } from '../../model/error-message.ts';
import { pickSaveTarget, saveFile } from '../../ui/save-file.ts';
import type { RowLink } from '../../webviews/protocol/bulk.ts';
import type { PanelBatch } from './panel-batch.ts';
import { formatResults } from './results.ts';

/** Opens what a cell of a row names: the action's log, an object, a batch. Rejects with Error if the journal cannot be read. */
export async function openRowLink(
  { ui }: Services,
  { batch, stored }: PanelBatch,
  row: number,
  link: RowLink,
): Promise<void> {
  const [result] = (await batch?.readResults([row])) ?? [];
  const { connection } = stored;
  const { actionId, ledgerBatch, objects = [] } = result ?? {};
  if (link === 'action') {
    if (actionId !== undefined)
      await vscode.commands.executeCommand('smartObjects.showActionLogs', {
        connection,
        kind: 'action-logs',
        id: actionId,
      });
    return;
  }
  const ids = link === 'batch' ? (ledgerBatch === undefined ? [] : [ledgerBatch]) : objects;
  const [first] = ids;
  const title = l10n.t('Select an Object of Row {0} to Open', row);
  const id =
    ids.length < 2
      ? first
      : (
          await ui.pick(
            ids.map((label) => ({ label })),
            { title },
          )
        )?.label;
  if (id === undefined) return;
  const kind = link === 'batch' ? 'batches' : 'objects';
  await vscode.commands.executeCommand('smartObjects.openResource', { connection, kind, id });
}

/** Writes the rows with their results to a CSV file that the user chooses. Rejects with Error if it cannot be written. */
export async function exportResults(services: Services, { batch, data, stored }: PanelBatch): Promise<void> {
  if (batch === undefined || data === undefined) return;
  const { ui } = services;
  const target = await pickSaveTarget(ui, {
    title: l10n.t('Export the Results of {0}', stored.action.name),
    saveLabel: l10n.t('Export'),
    name: `${stored.action.name}-results.csv`,
    filters: { CSV: ['csv'] },
  });
  if (target === undefined) return;
  const parts: string[] = [];
  for await (const part of formatResults(batch, data)) parts.push(part);
  await saveFile(target, services.redact(parts.join('')));
  const open = l10n.t('Open File');
  void ui
    .info(l10n.t('Exported the results to {0}.', vscode.workspace.asRelativePath(target)), open)
    .then((chosen) => (chosen === open ? vscode.commands.executeCommand('vscode.open', target) : undefined))
    .then(undefined, (error: unknown) => ui.error(formatError(l10n.t('Open the results'), error)));
}
