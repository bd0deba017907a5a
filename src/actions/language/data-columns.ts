import path from 'node:path';
import * as vscode from 'vscode';
import { getActionName } from '../file/file-names.ts';

/** Columns that are offered. */
const MAX_COLUMNS = 100;
/** What a variable can name. */
const NAME = /^[^{}\r\n]{1,300}$/;

/** The columns of the data file beside an action file with the same name, such as `mint.csv`. Never rejects: none is empty. */
export async function readColumnsBeside(uri: vscode.Uri): Promise<readonly string[]> {
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  if (uri.scheme !== 'file' || root === undefined) return [];
  const { dataFileExtensions, readColumns } = await import('../bulk/data/open-data.ts');
  const { resolveWorkspaceFile } = await import('../../model/files/read-workspace-file.ts');
  for (const extension of dataFileExtensions) {
    const name = `${getActionName(uri.path)}.${extension}`;
    try {
      const file = await resolveWorkspaceFile(root.fsPath, uri.fsPath, name);
      const columns = await readColumns({ path: file, name: path.basename(name) });
      return columns.filter((column) => NAME.test(column)).slice(0, MAX_COLUMNS);
    } catch {
      // There is none, or it cannot be used.
    }
  }
  return [];
}
