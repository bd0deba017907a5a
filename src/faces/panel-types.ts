import * as vscode from 'vscode';

/** View type of previews that run no scripts. */
export const PANEL_TYPE = 'smartObjects.face';
/** View type of previews whose page may let a face run scripts. */
export const SCRIPTED_PANEL_TYPE = 'smartObjects.scriptedFace';

/** Whether the setting and workspace trust allow face scripts now. */
export function areScriptsAllowed(): boolean {
  const enabled = vscode.workspace.getConfiguration('smartObjects').get('faces.allowScripts') === true;
  return enabled && vscode.workspace.isTrusted;
}
