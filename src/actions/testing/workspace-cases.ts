import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isScenarioPath } from '../file/file-names.ts';
import { readTestCases, type TestCase } from './test-cases.ts';

/**
 * The test cases of an action file or suite, as open editors show it and the files that it names. Rejects for files outside
 * `folder`.
 */
export async function readWorkspaceCases(uri: vscode.Uri, folder: string | undefined): Promise<readonly TestCase[]> {
  const read = async (path: string): Promise<string | undefined> => {
    const at = uri.with({ path });
    try {
      // VS Code caches the text of a deleted file for a while.
      await vscode.workspace.fs.stat(at);
      return (await vscode.workspace.openTextDocument(at)).getText();
    } catch {
      return undefined;
    }
  };
  if (isScenarioPath(uri.path))
    throw new Error(l10n.t('Scenarios run in a terminal, in a sandbox of their own: {0}', 'smart-objects run'));
  return readTestCases(uri.path, read, async (from, relative) => {
    const suite = uri.with({ path: from });
    const target = vscode.Uri.joinPath(suite, '..', relative);
    if (folder !== undefined && !target.path.startsWith(`${folder}/`))
      throw new Error(l10n.t('{0} is outside the workspace folder', relative));
    if (folder !== undefined && uri.scheme === 'file') {
      const { resolveWorkspaceFile, getStepErrorTexts } = await import('../../model/files/read-workspace-file.ts');
      const errorTexts = getStepErrorTexts(relative, 'workspace');
      await resolveWorkspaceFile(uri.with({ path: folder }).fsPath, suite.fsPath, relative, errorTexts);
    }
    return target.path;
  });
}
