/** A local file as it stands in the editor, unsaved or not, and news of it. */
import * as vscode from 'vscode';

const LARGEST = 4_000_000;

/** The open document's text, else the file's. Throws where there is none. */
export async function readText(uri: vscode.Uri): Promise<string> {
  const open = openDocument(uri);
  if (open !== undefined) return open.getText();
  const { size } = await sizeOf(uri);
  if (size > LARGEST) throw new Error(`The file is larger than a preview shows (${String(Math.round(size / 1e6))} MB)`);
  // In the encoding that an editor would open it with.
  return vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { uri });
}

async function sizeOf(uri: vscode.Uri): Promise<{ readonly size: number }> {
  // Nothing of it is on a disk.
  if (uri.scheme === 'untitled') throw new Error('The untitled file is not open any more');
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound')
      throw new Error('The file was deleted or moved', { cause: error });
    throw error;
  }
}

export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
}

/** Calls back on each change, typed or on disk, at most every `quiet` milliseconds, and when the file is another. */
export function watchText(
  uri: vscode.Uri,
  quiet: number,
  changed: () => void,
  moved: (to: vscode.Uri) => void,
): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      changed();
    }, quiet);
  };
  const key = uri.toString();
  const ours = (other: vscode.Uri): void => {
    if (other.toString() === key) soon();
  };
  // An untitled file is saved as another, which has its text before a formatter comes; then it is closed.
  let savedAs: vscode.Uri | undefined;
  const saving = (document: vscode.TextDocument): void => {
    if (uri.scheme !== 'untitled' || document.isUntitled) return;
    const text = openDocument(uri)?.getText();
    if (text !== undefined && text !== '' && sameText(text, document.getText())) savedAs = document.uri;
  };
  const folder = vscode.Uri.joinPath(uri, '..');
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  // Square brackets and the like mean something in a glob: then the whole folder is watched.
  const pattern = /[[\]{}*?!]/.test(name) ? '*' : name;
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, pattern));
  const parts = [
    watcher,
    watcher.onDidChange(ours),
    watcher.onDidCreate(ours),
    watcher.onDidDelete(ours),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      ours(document.uri);
      saving(document);
    }),
    vscode.workspace.onDidSaveTextDocument(saving),
    vscode.workspace.onDidCloseTextDocument(({ uri: closed }) => {
      if (closed.toString() === key && savedAs !== undefined) moved(savedAs);
      else ours(closed);
    }),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) {
        const old = oldUri.toString();
        // A folder above it may be what has another name.
        if (key === old) moved(newUri);
        else if (key.startsWith(`${old}/`))
          moved(newUri.with({ path: newUri.path + uri.path.slice(oldUri.path.length) }));
      }
    }),
  ];
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    for (const part of parts) part.dispose();
  });
}

/** Apart from line ends, which each file has its own. */
function sameText(one: string, other: string): boolean {
  return one === other || one.replaceAll('\r', '') === other.replaceAll('\r', '');
}
