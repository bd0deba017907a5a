/** Prompts for a file and writes it. A lint rule keeps other modules from `vscode.workspace.fs.writeFile`. */
import fs from 'node:fs/promises';
import os from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { renamePartial, replaceFile, requireReplaceable } from '../model/files/write-file.ts';
import type { Ui } from './ui.ts';

interface SaveOptions extends Omit<vscode.SaveDialogOptions, 'defaultUri'> {
  /** proposed name, in the first workspace folder */
  readonly name: string;
}

/**
 * Prompts for a file to write; the dialog names the real path of the folder. Rejects with Error for a link, and for a file
 * that cannot be written.
 */
export async function pickSaveTarget(
  ui: Pick<Ui, 'showSaveDialog'>,
  { name, ...options }: SaveOptions,
): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(os.homedir());
  const real =
    folder.scheme === 'file' ? vscode.Uri.file(await fs.realpath(folder.fsPath).catch(() => folder.fsPath)) : folder;
  const target = await ui.showSaveDialog({ ...options, defaultUri: vscode.Uri.joinPath(real, name) });
  if (target?.scheme === 'file') await requireReplaceable(target.fsPath);
  else if (target !== undefined) await requireNoLink(target);
  return target;
}

/** Creates or replaces a file. Rejects with Error for a link, else with the file-system error. */
export async function saveFile(target: vscode.Uri, content: string | Uint8Array): Promise<void> {
  if (target.scheme === 'file') {
    await replaceFile(target.fsPath, content);
    return;
  }
  await requireNoLink(target);
  await vscode.workspace.fs.writeFile(target, Buffer.from(content));
}

/** Moves a complete file on disk to its target. Rejects with Error for a link, else with the file-system error. */
export async function savePartial(partial: string, target: vscode.Uri): Promise<void> {
  if (target.scheme === 'file') {
    await renamePartial(partial, target.fsPath);
    return;
  }
  await requireNoLink(target);
  await vscode.workspace.fs.copy(vscode.Uri.file(partial), target, { overwrite: true });
  await fs.rm(partial, { force: true });
}

/** Other file systems can only be written through VS Code: its provider says what is a link. */
async function requireNoLink(target: vscode.Uri): Promise<void> {
  const stat = await Promise.resolve(vscode.workspace.fs.stat(target)).catch(() => undefined);
  if (stat !== undefined && (stat.type & vscode.FileType.SymbolicLink) !== 0)
    throw new Error(l10n.t('{0} is a link. Delete it, or use another file', target.path.split('/').at(-1) ?? ''));
}
