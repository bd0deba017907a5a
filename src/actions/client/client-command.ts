import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import type { Session } from '../../model/session/session.ts';
import { requireSession } from '../../model/session/require-session.ts';
import { pluralize } from '../../platform/text/localization.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { parseSelectedResources } from '../bulk/panel/panel-selection.ts';
import { generateClient, listTemplates, readClientTemplate } from './generate-client.ts';

/**
 * The Generate Client command: opens the client of the selected templates, or of those that the user picks, in a new editor.
 * Resolves with its text; `undefined` if cancelled. Rejects with PlatformError, or with Error for rows of another kind.
 */
export async function openClient(
  { sessions, ui }: Services,
  argument: unknown,
  selected: unknown,
): Promise<string | undefined> {
  const selection = parseSelectedResources(argument, selected);
  if (selection !== undefined && selection.kind !== 'templates') throw new Error(l10n.t('Select templates'));
  const session =
    selection === undefined
      ? await sessions.pickSession(l10n.t('Select the connection of the client'))
      : requireSession(sessions, selection.connection);
  const ids = selection?.rows.map(([id]) => String(id)) ?? (session && (await pickTemplates(session, ui)));
  if (session === undefined || ids === undefined || ids.length === 0) return undefined;
  const templates = await ui.progress(l10n.t('Reading templates and their objects'), async (signal, report) => {
    const read: Awaited<ReturnType<typeof readClientTemplate>>[] = [];
    for (const id of ids)
      read.push(
        await readClientTemplate(session.client, id, signal, (count) =>
          report(pluralize(count, l10n.t('{0} object|{0} objects'))),
        ),
      );
    return read;
  });
  if (session.ended.aborted) return undefined;
  const content = generateClient(templates);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'typescript', content }));
  return content;
}

/** Resolves with the ids of templates; `undefined` if cancelled. */
async function pickTemplates({ client }: Session, ui: Services['ui']): Promise<readonly string[] | undefined> {
  const templates = await ui.progress(l10n.t('Reading templates'), (signal) => listTemplates(client, signal));
  const choices = templates.map(({ id, title }) => ({
    label: toPlainText(title, 120),
    description: toPlainText(id, 120),
    id,
  }));
  const title = l10n.t('Select the templates of the client');
  const chosen = await vscode.window.showQuickPick(choices, { title, canPickMany: true, matchOnDescription: true });
  return chosen?.map(({ id }) => id);
}
