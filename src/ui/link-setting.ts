import * as vscode from 'vscode';

/** Whether known ids in the user's own files are links with a card. */
export function isLinkingEnabled(): boolean {
  return vscode.workspace.getConfiguration('smartObjects').get('linkIds') !== false;
}
