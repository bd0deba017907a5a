/** Colour and badge of a production connection in the tree. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';

/** Scheme of a connection row's `resourceUri`: `smartobject-connection:/<name>`. */
export const CONNECTION_SCHEME = 'smartobject-connection';

/** Creates the provider. */
export function createConnectionDecorations(
  { sessions }: Services,
  changed: vscode.Event<undefined>,
): vscode.FileDecorationProvider {
  return {
    onDidChangeFileDecorations: changed,
    provideFileDecoration(uri) {
      if (uri.scheme !== CONNECTION_SCHEME) return undefined;
      const session = sessions.get(uri.path.slice(1));
      if (session?.profile.environment !== 'production') return undefined;
      return new vscode.FileDecoration('P', l10n.t('PRODUCTION'), new vscode.ThemeColor('errorForeground'));
    },
  };
}
