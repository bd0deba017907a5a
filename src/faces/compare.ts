/** Compares a local face file with a face of the platform. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../commands/context.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import type { VariantText } from './source/face.ts';
import { loadVariantContent } from './source/load.ts';
import { getUriName } from './source/local-file.ts';
import type { ResourceReference } from './source/pickers.ts';

const COMPARISON_SCHEME = 'smartobjects-face';

/** Provides the read-only documents of a comparison while they are open. */
export class ComparisonTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registered = [
    vscode.workspace.registerTextDocumentContentProvider(COMPARISON_SCHEME, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === COMPARISON_SCHEME) this.#texts.delete(uri.toString());
    }),
  ];

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? l10n.t('This text is no longer available. Compare again.');
  }

  set(path: readonly string[], text: string): vscode.Uri {
    const uri = vscode.Uri.from({
      scheme: COMPARISON_SCHEME,
      path: `/${path.map((part) => encodeURIComponent(part)).join('/')}`,
    });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    return uri;
  }

  dispose(): void {
    for (const part of this.#registered) part.dispose();
    this.#changed.dispose();
  }
}

/** Opens a diff of the platform's content and the file; for a JSON file, of the variant that is shown. Rejects with PlatformError, and with Error if the connection is missing. */
export async function compareWithPlatform(
  services: Services,
  texts: ComparisonTexts,
  file: VariantText & { readonly uri: vscode.Uri },
  face: ResourceReference,
): Promise<void> {
  const session = services.sessions.get(face.connection);
  if (session === undefined)
    throw new Error(
      l10n.t('The connection “{0}” does not exist. Select another face', toPlainText(face.connection, 64)),
    );
  const platform = await services.ui.progress(l10n.t('Loading face'), (signal) =>
    loadVariantContent(session, face.id, file, signal),
  );
  const left = texts.set([face.connection, face.id, 'platform.html'], platform.content);
  const name = getUriName(file.uri);
  const right = /\.json$/i.test(name) ? texts.set(['local', name, 'content.html'], file.content) : file.uri;
  await vscode.commands.executeCommand(
    'vscode.diff',
    left,
    right,
    `${toPlainText(platform.name, 40) || toPlainText(face.id, 40)} (${session.profile.name}) ↔ ${name}`,
    // Where the file is shown: in the active column it would cover the lab.
    { viewColumn: vscode.ViewColumn.One },
  );
}
