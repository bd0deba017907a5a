import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { compareTexts, formatNumber } from '../../platform/text/localization.ts';
import type { Ui } from '../../ui/ui.ts';
import { parseActionFile } from '../file/action-file.ts';
import type { ActionSource } from '../file/action-source.ts';
import { getActionName, ACTION_FILES, EXCLUDED_FILES, MAX_FILES, RUNNABLE_FILES } from '../file/file-names.ts';

/**
 * The sources of a command: those of its arguments, else the active editor, else a picked file; empty if cancelled.
 * Rejects with Error if there is no file, there are too many, or one cannot be opened.
 */
export async function getSources(
  ui: Ui,
  argument: unknown,
  selected?: unknown,
  pattern = RUNNABLE_FILES,
): Promise<readonly ActionSource[]> {
  const uris = getUris(selected).length > 1 ? getUris(selected) : getUris(argument);
  if (uris.length > 0) return openSources(await expandFolders(uris));
  const activeDocument = vscode.window.activeTextEditor?.document;
  if (activeDocument !== undefined && isActionDocument(activeDocument, pattern)) return [createSource(activeDocument)];
  const chosen = await pickFile(ui, pattern);
  return chosen === undefined ? [] : openSources([chosen]);
}

/** The text of an open document as a source. */
function createSource(document: vscode.TextDocument): ActionSource {
  return { name: getActionName(document.uri.path), uri: document.uri, text: document.getText() };
}

/** A writable file that is named as an action file or contains an action. */
function isActionDocument(document: vscode.TextDocument, pattern: string): boolean {
  const { languageId, uri } = document;
  if (uri.scheme !== 'untitled' && vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== true) return false;
  if (vscode.languages.match({ pattern }, document) > 0) return true;
  const isJson = languageId === 'json' || languageId === 'jsonc';
  return isJson && parseActionFile(document.getText()).action !== undefined;
}

function getUris(argument: unknown): readonly vscode.Uri[] {
  if (argument instanceof vscode.Uri) return [argument];
  if (Array.isArray(argument)) return argument.filter((entry) => entry instanceof vscode.Uri);
  if (typeof argument !== 'object' || argument === null) return [];
  // A row of the Test Explorer or of one of our views.
  const uri: unknown = Reflect.get(argument, 'uri') ?? Reflect.get(argument, 'resourceUri');
  return uri instanceof vscode.Uri ? [uri] : [];
}

/** Replaces folders by their action files, sorted by path. */
async function expandFolders(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const files: vscode.Uri[] = [];
  for (const uri of uris) {
    if (uri.scheme === 'untitled' || !(await isFolder(uri))) {
      files.push(uri);
      continue;
    }
    files.push(...(await findFilesIn(uri, ACTION_FILES)));
  }
  if (files.length === 0) throw new Error(l10n.t('The folder contains no action files'));
  return [...new Map(files.map((uri) => [uri.toString(), uri])).values()];
}

/** The files of a folder that match a glob, without installed packages. Rejects if there are more than `MAX_FILES`. */
export async function findFilesIn(folder: vscode.Uri, pattern: string): Promise<vscode.Uri[]> {
  const { asRelativePath, findFiles } = vscode.workspace;
  const found = await findFiles(new vscode.RelativePattern(folder, pattern), EXCLUDED_FILES, MAX_FILES + 1);
  if (found.length > MAX_FILES)
    throw new Error(
      l10n.t(
        '{0} contains more than {1} files to run. Choose a smaller folder. Nothing was sent',
        asRelativePath(folder),
        formatNumber(MAX_FILES),
      ),
    );
  return found.sort((a, b) => compareTexts(a.path, b.path));
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    return (await vscode.workspace.fs.stat(uri)).type === vscode.FileType.Directory;
  } catch {
    return false;
  }
}

async function openSources(uris: readonly vscode.Uri[]): Promise<readonly ActionSource[]> {
  // Open documents include unsaved changes.
  return Promise.all(uris.map(async (uri) => createSource(await vscode.workspace.openTextDocument(uri))));
}

async function pickFile(ui: Ui, pattern: string): Promise<vscode.Uri | undefined> {
  const files = await vscode.workspace.findFiles(pattern, EXCLUDED_FILES, MAX_FILES + 1);
  if (files.length === 0) {
    throw new Error(
      l10n.t('No action file is open, and the workspace contains none. Use New Action File… to create one'),
    );
  }
  const choices = files
    .sort((a, b) => compareTexts(a.path, b.path))
    .map((uri) => ({ label: getActionName(uri.path), description: vscode.workspace.asRelativePath(uri), uri }));
  const cut = choices.length > MAX_FILES;
  const more = l10n.t('Only the first {0} files are listed. To run another file, open it.', formatNumber(MAX_FILES));
  return (
    await ui.pick(choices.slice(0, MAX_FILES), {
      title: l10n.t('Select an Action File'),
      matchOnDescription: true,
      ...(cut && { placeHolder: more }),
    })
  )?.uri;
}
