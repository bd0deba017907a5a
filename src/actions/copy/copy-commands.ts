import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { listCredentialVariables } from '../../connections/session/session-curl.ts';
import { fillLinkTemplate } from '../../model/resources/link-template.ts';
import { formatActionCurl } from './action-curl.ts';
import type { RunRecord } from '../../model/runs/run-record.ts';
import { ACTION_FILES_AND_SUITES } from '../file/file-names.ts';
import type { Ui } from '../../ui/ui.ts';
import { formatRunnerCommand } from './runner-command.ts';
import { getSources } from '../run/sources.ts';
import { requireIdentity } from '../../model/session/require-session.ts';
import { DEFAULT_IDENTITY } from '../../model/session/session.ts';

/**
 * Opens the transaction of a run by the connection's link template; without one, offers to copy the hash. Rejects with
 * Error if the run has no transaction.
 */
export async function openTransaction({ sessions, ui }: Services, run: RunRecord): Promise<void> {
  const template = sessions.get(run.connection)?.profile.links.transaction;
  const hash = run.transaction;
  if (hash === undefined) throw new Error(l10n.t('This run has no transaction yet'));
  const filled = fillLinkTemplate(template, hash);
  if (filled === undefined) {
    await chooseWithoutLink(run, hash, ui);
    return;
  }
  await vscode.env.openExternal(vscode.Uri.parse(filled, true));
}

/** For a connection without a link template for transactions: offers to copy the hash or to edit the connection. */
async function chooseWithoutLink({ connection }: RunRecord, hash: string, ui: Ui): Promise<void> {
  const copy = { label: `$(copy) ${l10n.t('Copy Hash')}`, description: hash };
  const edit = {
    label: `$(gear) ${l10n.t('Edit Connections')}`,
    description: l10n.t('Set {0} of {1} to open transactions in the browser', 'links.transaction', connection),
  };
  const chosen = await ui.pick([copy, edit], { title: l10n.t('Transaction') });
  if (chosen === edit) await vscode.commands.executeCommand('smartObjects.editConnections');
  if (chosen !== copy) return;
  await vscode.env.clipboard.writeText(hash);
  vscode.window.setStatusBarMessage(`$(check) ${l10n.t('Copied the transaction hash')}`, 2500);
}

/**
 * Copies a cURL command with the variables not filled in and the credential as a shell variable. Rejects with Error if
 * the connection or identity was removed.
 */
export async function copyCurl({ sessions }: Services, run: RunRecord): Promise<void> {
  const { connection, identity } = run;
  const session = requireIdentity(sessions, connection, identity ?? DEFAULT_IDENTITY);
  const command = formatActionCurl(session, run.source);
  await vscode.env.clipboard.writeText(command);
  vscode.window.setStatusBarMessage(
    `$(check) ${l10n.t('Copied. The shell substitutes {0}', listCredentialVariables(command))}`,
    5000,
  );
}

/** Copies the command that runs an action file in a terminal. Rejects with Error for a file that was never saved. */
export async function copyRunnerCommand({ sessions, ui, context }: Services, argument: unknown): Promise<void> {
  const uri =
    argument instanceof vscode.Uri
      ? argument
      : (await getSources(ui, argument, undefined, ACTION_FILES_AND_SUITES))[0]?.uri;
  if (uri === undefined) return;
  if (uri.scheme === 'untitled') throw new Error(l10n.t('Save the file first. The command reads it from disk'));
  const cli = vscode.Uri.joinPath(context.extensionUri, 'dist/cli.mjs').fsPath;
  const profile = sessions.active?.profile;
  const command = formatRunnerCommand(cli, vscode.workspace.asRelativePath(uri, false), profile);
  await vscode.env.clipboard.writeText(command);
  vscode.window.setStatusBarMessage(
    `$(check) ${l10n.t('Copied. Set {0} or {1} before you run it', 'SMART_OBJECTS_API_KEY', 'SMART_OBJECTS_ACCESS_TOKEN')}`,
    5000,
  );
}
