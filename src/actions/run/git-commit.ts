import * as vscode from 'vscode';

/**
 * Returns the commit that is checked out in the repository of a file; `undefined` if it has none, or the built-in Git
 * extension is not active. Never throws.
 */
export function getCommit(uri: vscode.Uri | undefined): string | undefined {
  const git = vscode.extensions.getExtension<unknown>('vscode.git');
  if (uri === undefined || git?.isActive !== true) return undefined;
  try {
    const api = call(git.exports, 'getAPI', 1);
    const repository = call(api, 'getRepository', uri);
    const commit = ['state', 'HEAD', 'commit'].reduce(read, repository);
    return typeof commit === 'string' && /^[\da-f]{7,64}$/.test(commit) ? commit : undefined;
  } catch {
    // Git is disabled in the settings.
    return undefined;
  }
}

function read(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function call(target: unknown, name: string, argument: unknown): unknown {
  const method = read(target, name);
  return typeof method === 'function' ? Reflect.apply(method, target, [argument]) : undefined;
}
