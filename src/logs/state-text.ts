/** The address of one state of an object, by its root: the text of it is what the extension saw. */
import * as vscode from 'vscode';

export const STATE_SCHEME = 'smartobject-state';

export function stateUri(connection: string, object: string, root: string): vscode.Uri {
  return vscode.Uri.from({
    scheme: STATE_SCHEME,
    path: `/${[connection, object, root].map((part) => encodeURIComponent(part)).join('/')}.json`,
  });
}

export function stateOfUri(uri: vscode.Uri): readonly [connection: string, object: string, root: string] | undefined {
  const [, connection, object, file] = uri.path.split('/');
  if (connection === undefined || object === undefined || file === undefined) return undefined;
  const parts = [connection, object, file.replace(/\.json$/, '')].map((part) => decodeURIComponent(part));
  const [name = '', id = '', root = ''] = parts;
  return [name, id, root];
}
