/** What a batch's panel opens and exports. */
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { Services } from '../../../commands/context.ts';
import { formatError } from '../../../model/text/error-message.ts';
import { isObject } from '../../../platform/json/json.ts';
import { pluralize } from '../../../platform/text/localization.ts';
import { toPlainText } from '../../../platform/text/plain-text.ts';
import { escapeIcons } from '../../../ui/escape-icons.ts';
import { pickSaveTarget, saveFile } from '../../../ui/save-file.ts';
import type { RowLink } from '../../../webviews/protocol/bulk.ts';
import { createLogChoice } from '../../log-choice.ts';
import type { PanelBatch } from './panel-batch.ts';
import { readId } from '../../../platform/resources/action-log-fields.ts';
import type { BatchPlatform } from '../batch-platform.ts';
import type { Decisions } from '../batch.ts';
import { formatResults } from '../results.ts';

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
            ids.map((id) => ({ label: escapeIcons(toPlainText(id)), id })),
            { title },
          )
        )?.id;
  if (id === undefined) return;
  const kind = link === 'batch' ? 'batches' : 'objects';
  await vscode.commands.executeCommand('smartObjects.openResource', { connection, kind, id });
}

/** Writes the rows with their results to a CSV file that the user chooses. Rejects with Error if it cannot be written. */
export async function exportResults(services: Services, { batch, input: { data }, stored }: PanelBatch): Promise<void> {
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

/** Asks if the rows with exactly one possible action log are settled by it. `undefined`: declined. Never rejects. */
export async function confirmSettling(ui: Services['ui'], { onlyLogs }: PanelBatch): Promise<Decisions | undefined> {
  if (onlyLogs.size === 0) return undefined;
  const isConfirmed = await ui.confirm({
    message: pluralize(
      onlyLogs.size,
      l10n.t('Settle {0} unknown row by its action log?|Settle {0} unknown rows by their action logs?'),
    ),
    detail: l10n.t(
      'Each of these rows has exactly one action log with its kind and parameters from the time of its request. If another program sent the same actions, the logs may be its own. Nothing is sent.',
    ),
    confirmLabel: l10n.t('Settle'),
  });
  return isConfirmed ? onlyLogs : undefined;
}

/** Lets the user choose what became of an unknown row. `undefined`: cancelled. Rejects with Error if the journal cannot be read. */
export async function pickDecision(
  ui: Services['ui'],
  batch: PanelBatch,
  number: number,
  platform: Pick<BatchPlatform, 'logs'>,
  signal: AbortSignal,
): Promise<Decisions | undefined> {
  const logs = await batch.readPossibleLogs(number);
  const choices = await Promise.all(
    logs.map(async (id) => {
      const found = await platform.logs({ id }, signal).catch((): readonly unknown[] => []);
      const log = found.filter(isObject).find((one) => readId(one['id']) === id) ?? {};
      const facts = ['action_name', 'status', 'when_created', 'signer'].map((name) => log[name]);
      return createLogChoice(id, facts);
    }),
  );
  const notExecuted = { label: l10n.t('It was not executed'), description: '', id: undefined };
  const chosen = await ui.pick([...choices, notExecuted], { title: l10n.t('What Became of Row {0}?', number) });
  if (chosen === undefined) return undefined;
  if (chosen === notExecuted) {
    const isConfirmed = await ui.confirm({
      message: l10n.t('Mark row {0} as not executed?', number),
      detail: l10n.t(
        'Run Failed Rows Again sends it again. If it was executed after all, it is then executed twice. Check the action logs first.',
      ),
      confirmLabel: l10n.t('Mark as Not Executed'),
    });
    if (!isConfirmed) return undefined;
  }
  return new Map([[number, chosen.id]]);
}
