import * as vscode from 'vscode';

/** A command of ours, or one that runs tests, in a task, a launch configuration or one of their inputs. */
const START = /(?:"|command:)(?:smartObjects|testing)\.\w+["}]/;

/**
 * True if tasks or launch configurations of the workspace name commands that start runs, so that the start of one is not
 * necessarily the user's.
 */
export function canWorkspaceStartRuns(): boolean {
  const folders = [undefined, ...(vscode.workspace.workspaceFolders ?? [])];
  return folders.some((folder) =>
    ['tasks', 'launch'].some((section) => {
      const found = vscode.workspace.getConfiguration(undefined, folder).inspect(section);
      return START.test(JSON.stringify([found?.workspaceValue, found?.workspaceFolderValue]));
    }),
  );
}
