/** Which documents are action files. */
import * as vscode from 'vscode';
import type { FeatureContext } from '../../commands/context.ts';
import { ACTION_AND_TEST_FILES, ACTION_FILES, RUNNABLE_FILES } from '../file/file-names.ts';

// A new action file has no name if no folder is open.
const NEW_FILE = { scheme: 'untitled', language: 'jsonc' };
/** Action files, also new ones. */
export const ACTION_DOCUMENTS: vscode.DocumentSelector = [{ pattern: ACTION_FILES }, NEW_FILE];
/** Action files and suites. */
export const ACTION_DOCUMENTS_AND_SUITES: vscode.DocumentSelector = [{ pattern: RUNNABLE_FILES }, NEW_FILE];
/** Action files, suites and expectations. */
export const ACTION_AND_TEST_DOCUMENTS: vscode.DocumentSelector = [{ pattern: ACTION_AND_TEST_FILES }, NEW_FILE];

/** Whether an unnamed document has the beginning of an action file. */
export function isNewActionFile(document: vscode.TextDocument): boolean {
  return vscode.languages.match(NEW_FILE, document) > 0 && /^\s*\{\s*"action"/.test(document.getText());
}

/** Whether a document is checked; those of comparisons and file histories are not. */
export function isCheckedDocument(document: vscode.TextDocument): boolean {
  const { path, scheme } = document.uri;
  if (!/\.(?:actions?|expect|scenario)\.json$/.test(path)) return isNewActionFile(document);
  const folders = vscode.workspace.workspaceFolders ?? [];
  return ['file', 'untitled'].includes(scheme) || folders.some(({ uri }) => uri.scheme === scheme);
}

/** Calls `register` once, as soon as an action file, a suite or an expectation is open. */
export function onFirstActionDocument(features: FeatureContext, register: () => void): void {
  const isOfActions = (document: vscode.TextDocument): boolean =>
    vscode.languages.match(ACTION_AND_TEST_DOCUMENTS, document) > 0;
  if (vscode.workspace.textDocuments.some(isOfActions)) {
    register();
    return;
  }
  const listener = features.addDisposable(
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (!isOfActions(document)) return;
      listener.dispose();
      register();
    }),
  );
}
