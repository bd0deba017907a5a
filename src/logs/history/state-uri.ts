import * as vscode from 'vscode';

/** Scheme of read-only documents with a known state of an object. */
export const STATE_SCHEME = 'smartobject-state';

/** Creates the URI of an object's state with a root. */
export function createStateUri(connection: string, object: string, root: string): vscode.Uri {
  return vscode.Uri.from({
    scheme: STATE_SCHEME,
    path: `/${[connection, object, root].map((part) => encodeURIComponent(part)).join('/')}.json`,
  });
}

/** Parses such a URI; `undefined` if it is malformed. */
export function parseStateUri(
  uri: vscode.Uri,
): readonly [connection: string, object: string, root: string] | undefined {
  const [, connection, object, file] = uri.path.split('/');
  if (connection === undefined || object === undefined || file === undefined) return undefined;
  const parts = [connection, object, file.replace(/\.json$/, '')].map((part) => decodeURIComponent(part));
  const [name = '', id = '', root = ''] = parts;
  return [name, id, root];
}
