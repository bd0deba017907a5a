import * as l10n from '@vscode/l10n';
import { formatBytes } from '../../platform/text/localization.ts';
import * as vscode from 'vscode';

const MAX_FILE_BYTES = 4_000_000;

/** Reads the text of the open document, else of the file. Rejects if there is neither, or the file is too large. */
export async function readFileText(uri: vscode.Uri): Promise<string> {
  const open = findOpenDocument(uri);
  if (open !== undefined) return open.getText();
  const { size } = await statFile(uri);
  if (size > MAX_FILE_BYTES) throw new Error(l10n.t('The file is too large for the preview ({0})', formatBytes(size)));
  // Decodes with the encoding that an editor would use.
  return vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { uri });
}

async function statFile(uri: vscode.Uri): Promise<{ readonly size: number }> {
  // An untitled document is not on disk.
  if (uri.scheme === 'untitled') throw new Error(l10n.t('The untitled file is no longer open'));
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound')
      throw new Error(l10n.t('The file was deleted or moved'), { cause: error });
    throw error;
  }
}

/** Returns the open document of a file. */
function findOpenDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
}

/**
 * Watches a file for edits and changes on disk. `onDidChange` is called at most once in `debounceMs` milliseconds,
 * `onDidMove` when the file is renamed or saved under a name.
 */
export function watchFile(
  uri: vscode.Uri,
  debounceMs: number,
  onDidChange: () => void,
  onDidMove: (to: vscode.Uri) => void,
): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const scheduleChange = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onDidChange();
    }, debounceMs);
  };
  const key = uri.toString();
  const handleChange = (other: vscode.Uri): void => {
    if (other.toString() === key) scheduleChange();
  };
  // On save an untitled document is copied to a new one, before formatters change it, and then closed.
  let savedAs: vscode.Uri | undefined;
  const trackSavedAs = (document: vscode.TextDocument): void => {
    if (uri.scheme !== 'untitled' || document.isUntitled) return;
    const text = findOpenDocument(uri)?.getText();
    if (text !== undefined && text !== '' && isSameText(text, document.getText())) savedAs = document.uri;
  };
  const folder = vscode.Uri.joinPath(uri, '..');
  const name = getUriName(uri);
  // Watches the whole folder if the name contains glob characters.
  const pattern = /[[\]{}*?!]/.test(name) ? '*' : name;
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, pattern));
  const subscriptions = [
    watcher,
    watcher.onDidChange(handleChange),
    watcher.onDidCreate(handleChange),
    watcher.onDidDelete(handleChange),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      handleChange(document.uri);
      trackSavedAs(document);
    }),
    vscode.workspace.onDidSaveTextDocument(trackSavedAs),
    vscode.workspace.onDidCloseTextDocument(({ uri: closed }) => {
      if (closed.toString() === key && savedAs !== undefined) onDidMove(savedAs);
      else handleChange(closed);
    }),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) {
        const old = oldUri.toString();
        // The renamed item can be a parent folder.
        if (key === old) onDidMove(newUri);
        else if (key.startsWith(`${old}/`))
          onDidMove(newUri.with({ path: newUri.path + uri.path.slice(oldUri.path.length) }));
      }
    }),
  ];
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    for (const subscription of subscriptions) subscription.dispose();
  });
}

/** The last segment of the path. */
export function getUriName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether two texts are equal apart from line ends. */
function isSameText(one: string, other: string): boolean {
  return one === other || one.replaceAll('\r', '') === other.replaceAll('\r', '');
}
