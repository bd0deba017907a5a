/** The file of an export: its format and place, and what is offered when it is complete. */
import fs from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { formatError } from '../../model/text/error-message.ts';
import type { ExportFormat } from '../../model/export/export-writer.ts';
import type { Session } from '../../model/session/session.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { pickSaveTarget } from '../../ui/save-file.ts';
import { toOneLine } from '../format.ts';
import { pluralize } from '../../platform/text/localization.ts';

const formatChoices: readonly (vscode.QuickPickItem & { readonly format: ExportFormat })[] = [
  {
    label: 'NDJSON',
    description: l10n.t('one JSON object per line'),
    detail: l10n.t('For scripts, jq and databases'),
    format: 'ndjson',
  },
  {
    label: 'JSON',
    description: l10n.t('one array'),
    detail: l10n.t('The items as the server sent them'),
    format: 'json',
  },
  {
    label: 'CSV',
    description: l10n.t('a table'),
    detail: l10n.t('For spreadsheets, with nested data as JSON in a cell'),
    format: 'csv',
  },
];

/** Size up to which VS Code opens a file without confirmation. */
const MAX_EDITOR_BYTES = 20_000_000;

interface ExportTarget {
  readonly format: ExportFormat;
  readonly target: vscode.Uri;
}

/** Prompts for format and file. Resolves with undefined when cancelled. Rejects with Error if the file cannot be written. */
export async function pickExportTarget(
  ui: Services['ui'],
  label: string,
  session: Session,
  definition: ResourceDefinition,
): Promise<ExportTarget | undefined> {
  const chosen = await ui.pick(formatChoices, {
    title: l10n.t('Export {0}', label),
    placeHolder: l10n.t('Select a format'),
  });
  if (chosen === undefined) return undefined;
  const { format } = chosen;
  const day = new Date().toISOString().slice(0, 10);
  const target = await pickSaveTarget(ui, {
    title: l10n.t('Export {0} of {1}', label, session.heading),
    saveLabel: l10n.t('Export'),
    name: `${definition.kind}-${day}.${format}`,
    filters: { [chosen.label]: [format] },
  });
  return target === undefined ? undefined : { format, target };
}

/**
 * Returns a path next to a local target; for other targets, one in the extension's storage, copied at the end. Rejects
 * if that folder cannot be made.
 */
export async function getPartialPath(target: vscode.Uri, storage: vscode.Uri): Promise<string> {
  if (target.scheme === 'file') return target.fsPath;
  await fs.mkdir(storage.fsPath, { recursive: true });
  return path.join(storage.fsPath, 'export');
}

/** Formats how many items were exported to a target URI. */
export function formatExported(count: number, target: string): string {
  return pluralize(count, l10n.t('{0} item was exported to {1}.|{0} items were exported to {1}.'), getFileName(target));
}

/** Reports a complete export, with a button that opens the file. */
export function notifyExported({ ui }: Pick<Services, 'ui'>, target: string, text: string): void {
  const open = l10n.t('Open File');
  const failed = (error: unknown): void => void ui.error(formatError(l10n.t('Open {0}', getFileName(target)), error));
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
