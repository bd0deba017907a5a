/** The file of an export: its format and place, and what is offered when it is complete. */
import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { formatError } from '../../model/error-message.ts';
import type { ExportFormat } from '../../model/export/export-writer.ts';
import type { Session } from '../../model/session.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { toOneLine } from '../format.ts';

const formatChoices: readonly (vscode.QuickPickItem & { readonly format: ExportFormat })[] = [
  { label: 'NDJSON', description: 'one JSON a line', detail: 'For scripts, jq and databases', format: 'ndjson' },
  { label: 'JSON', description: 'one array', detail: 'The server’s own items', format: 'json' },
  { label: 'CSV', description: 'a table', detail: 'For spreadsheets; nested data as JSON in a cell', format: 'csv' },
];

/** Size up to which VS Code opens a file without confirmation. */
const MAX_EDITOR_BYTES = 20_000_000;

interface ExportTarget {
  readonly format: ExportFormat;
  readonly target: vscode.Uri;
}

/** Prompts for format and file. Resolves with undefined when cancelled. Never rejects. */
export async function pickExportTarget(
  ui: Services['ui'],
  label: string,
  session: Session,
  row: ResourceDefinition,
): Promise<ExportTarget | undefined> {
  const chosen = await ui.pick(formatChoices, { title: `Export ${label}`, placeHolder: 'Format' });
  if (chosen === undefined) return undefined;
  const { format } = chosen;
  const day = new Date().toISOString().slice(0, 10);
  const folder =
    vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(process.env['HOME'] ?? path.resolve('.'));
  const target = await ui.showSaveDialog({
    title: `Export ${label} of ${session.heading}`,
    saveLabel: 'Export',
    defaultUri: vscode.Uri.joinPath(folder, `${row.kind}-${day}.${format}`),
    filters: { [chosen.label]: [format] },
  });
  return target === undefined ? undefined : { format, target };
}

/**
 * Returns a path next to a local target; for other targets, one in the extension's storage, copied at the end. Rejects
 * where that folder cannot be made.
 */
export async function getPartialPath(target: vscode.Uri, storage: vscode.Uri): Promise<string> {
  if (target.scheme === 'file') return target.fsPath;
  await fs.mkdir(storage.fsPath, { recursive: true });
  return path.join(storage.fsPath, 'export');
}

/** Moves a complete file to its target URI. Rejects as the file system does. */
export async function moveToTarget(partialPath: string, target: string): Promise<void> {
  const uri = vscode.Uri.parse(target, true);
  if (uri.scheme === 'file') {
    await fs.rename(partialPath, uri.fsPath);
    return;
  }
  await vscode.workspace.fs.copy(vscode.Uri.file(partialPath), uri, { overwrite: true });
  await fs.rm(partialPath, { force: true });
}

/** Reports a complete export, with a button that opens the file. */
export function notifyExported({ ui }: Pick<Services, 'ui'>, target: string, text: string): void {
  const open = 'Open File';
  const failed = (error: unknown): void => {
    void ui.error(formatError(`Open ${getFileName(target)}`, error));
  };
  void ui.info(text, open).then((button) => {
    if (button === open) void openExported(vscode.Uri.parse(target, true)).catch(failed);
  });
}

async function openExported(uri: vscode.Uri): Promise<void> {
  const { size } = await vscode.workspace.fs.stat(uri);
  // Large files are revealed in the file manager, which web and remote windows do not have.
  const { remoteName, uiKind } = vscode.env;
  const isHere = uri.scheme === 'file' && remoteName === undefined && uiKind === vscode.UIKind.Desktop;
  await vscode.commands.executeCommand(size > MAX_EDITOR_BYTES && isHere ? 'revealFileInOS' : 'vscode.open', uri);
}

/** Returns the file name of a target URI. */
export function getFileName(target: string): string {
  return toOneLine(path.posix.basename(vscode.Uri.parse(target, true).path));
}
