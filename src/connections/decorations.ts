/** Colour and badge of a production connection's root in the tree. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';

/** A root's `resourceUri` is `smartobject-connection:/<name>`. */
export const ROOT_SCHEME = 'smartobject-connection';

/** Costs other files nothing; asks for the services only where a root of ours is shown. */
export function rootDecorations(
  services: () => Promise<Services>,
  changed: vscode.Event<undefined>,
): vscode.FileDecorationProvider {
  return {
    onDidChangeFileDecorations: changed,
    async provideFileDecoration(uri) {
      if (uri.scheme !== ROOT_SCHEME) return undefined;
      const { sessions } = await services();
      const session = sessions.get(uri.path.slice(1));
      if (session?.profile.environment !== 'production') return undefined;
      return new vscode.FileDecoration('P', 'PRODUCTION', new vscode.ThemeColor('errorForeground'));
    },
  };
}
