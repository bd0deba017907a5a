import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readScenario, type Scenario } from './scenario.ts';
import { readTestCases, type TestCase } from './test-cases.ts';

/**
 * The test cases of an action file or suite, as open editors show it and the files that it names. Rejects for files outside
 * `folder`.
 */
export async function readWorkspaceCases(uri: vscode.Uri, folder: string | undefined): Promise<readonly TestCase[]> {
  const { read, resolve } = createReader(uri, folder);
  return readTestCases(uri.path, read, resolve);
}

/** The sandbox and faults of a scenario. Rejects as `readScenario`, and for files outside `folder`. */
export async function readWorkspaceScenario(uri: vscode.Uri, folder: string | undefined): Promise<Scenario> {
  const { read, resolve } = createReader(uri, folder);
  return readScenario((await read(uri.path)) ?? '', async (state) => read(await resolve(uri.path, state)));
}

function createReader(uri: vscode.Uri, folder: string | undefined) {
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
  const resolve = async (from: string, relative: string): Promise<string> => {
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
  };
  return { read, resolve };
}
