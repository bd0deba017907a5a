/** What a person takes out of a run or a file: cURL, the runner's command, the transaction outside. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import { variablesOf } from '../connections/curl.ts';
import { fillLink } from '../platform/link-template.ts';
import { curlOfAction } from './curl.ts';
import type { RunRecord } from './record.ts';
import { runnerCommand } from './runner-command.ts';
import { sourcesOf } from './sources.ts';

export async function openTransaction({ sessions, ui }: Services, run: RunRecord): Promise<void> {
  const template = sessions.get(run.connection)?.profile.links.transaction;
  const hash = run.transaction;
  if (hash === undefined) throw new Error('This run has no transaction yet');
  const filled = fillLink(template, hash);
  if (filled === undefined) {
    await vscode.env.clipboard.writeText(hash);
    void ui.info('The hash is in the clipboard. Set `links.transaction` of the connection to open it.');
    return;
  }
  await vscode.env.openExternal(vscode.Uri.parse(filled, true));
}

/** The body with its placeholders; the credential stays a shell variable. */
export async function copyCurl({ sessions }: Services, run: RunRecord): Promise<void> {
  const session = sessions.get(run.connection);
  if (session === undefined) throw new Error(`The connection ${run.connection} is not there any more`);
  const command = curlOfAction(session, run.source);
  await vscode.env.clipboard.writeText(command);
  vscode.window.setStatusBarMessage(`$(check) Copied; the shell fills in ${variablesOf(command)}`, 5000);
}

export async function copyRunner({ sessions, ui, context }: Services, argument: unknown): Promise<void> {
  const uri = argument instanceof vscode.Uri ? argument : (await sourcesOf(ui, argument))[0]?.uri;
  if (uri === undefined) return;
  if (uri.scheme === 'untitled') throw new Error('Save the file first: the runner reads it from disk');
  const cli = vscode.Uri.joinPath(context.extensionUri, 'dist/cli.mjs').fsPath;
  const profile = sessions.active?.profile;
  const command = runnerCommand(cli, vscode.workspace.asRelativePath(uri, false), profile);
  await vscode.env.clipboard.writeText(command);
  const allowed = profile?.environment === 'production' ? ' Production needs --allow-production and its name too.' : '';
  void ui.info(
    `The command is in the clipboard. It reads the credential from SMART_OBJECTS_API_KEY or SMART_OBJECTS_ACCESS_TOKEN.${allowed}`,
  );
}
