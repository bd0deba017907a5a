/** A local file as it stands in the editor, unsaved or not, and news of it. */
import * as vscode from 'vscode';

const LARGEST = 8_000_000;

/** The open document's text, else the file's. Throws where there is none. */
export async function readText(uri: vscode.Uri): Promise<string> {
  const open = openDocument(uri);
  if (open !== undefined) return open.getText();
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > LARGEST) throw new Error(`The file is larger than a preview shows (${String(Math.round(size / 1e6))} MB)`);
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
}

/** Calls back on each change, typed or on disk, at most every `quiet` milliseconds. */
export function watchText(uri: vscode.Uri, quiet: number, changed: () => void): vscode.Disposable {
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
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri: closed }) => {
      ours(closed);
    }),
  ];
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    for (const part of parts) part.dispose();
  });
}
