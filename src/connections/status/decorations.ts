/** Colour and badge of a production connection in the tree. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';

/** Scheme of a connection row's `resourceUri`: `smartobject-connection:/<name>`. */
export const CONNECTION_SCHEME = 'smartobject-connection';

/** Creates the provider; loads the services only for connection rows. */
export function createConnectionDecorations(
  services: () => Promise<Services>,
  changed: vscode.Event<undefined>,
): vscode.FileDecorationProvider {
  return {
    onDidChangeFileDecorations: changed,
    async provideFileDecoration(uri) {
      if (uri.scheme !== CONNECTION_SCHEME) return undefined;
      const { sessions } = await services();
      const session = sessions.get(uri.path.slice(1));
      if (session?.profile.environment !== 'production') return undefined;
      return new vscode.FileDecoration('P', l10n.t('PRODUCTION'), new vscode.ThemeColor('errorForeground'));
    },
  };
}
