import * as vscode from 'vscode';
import type { StoredBatch } from './panel-storage.ts';

/** Milliseconds without a change before the rows are checked again. */
const CHECK_DELAY = 400;

/** Calls `check` after the action or the data of a batch changed, with the text of the action if it is that. */
export function watchSources({ action, data }: StoredBatch, check: (text?: string) => void): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const checkLater = (text?: string): void => {
    clearTimeout(timer);
    timer = setTimeout(check, CHECK_DELAY, text);
  };
  const listeners = [
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && document.uri.toString() === action.uri) checkLater(document.getText());
    }),
    vscode.workspace.onDidSaveTextDocument((document) => {
      if (document.uri.toString() === data.uri) checkLater();
    }),
  ];
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    for (const listener of listeners) listener.dispose();
  });
}
