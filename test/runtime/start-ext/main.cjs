// Makes the demo window show something at once: our view, the sandbox, the welcome text.
'use strict';
const vscode = require('vscode');

exports.activate = async () => {
  const run = (command) =>
    Promise.resolve(vscode.commands.executeCommand(command)).catch((error) => console.warn(command, error));
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder !== undefined && vscode.window.tabGroups.activeTabGroup.tabs.length === 0)
    await vscode.commands
      .executeCommand('markdown.showPreview', vscode.Uri.joinPath(folder.uri, 'welcome.md'))
      .catch(() => undefined);
  await run('workbench.view.extension.smartObjects');
  await run('smartObjects.startSandbox');
};
