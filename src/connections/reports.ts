/** Read-only Markdown documents that commands make: kept in memory, the newest few. */
import * as vscode from 'vscode';
import type { Disposable } from '../ui/disposables.ts';

export const REPORT_SCHEME = 'smartobject-report';

/** A preview reads its text again long after the document behind it was closed. */
const MOST = 20;

const texts = new Map<string, string>();
const changed = new vscode.EventEmitter<vscode.Uri>();

export function registerReports(own: (disposable: Disposable) => unknown): void {
  own(changed);
  own(
    vscode.workspace.registerTextDocumentContentProvider(REPORT_SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => texts.get(uri.path) ?? 'This report is not kept. Run the command again.\n',
    }),
  );
}

/** Shows `text`, already redacted, as `<connection>/<title>.md`; `preview`: rendered. */
export async function showReport(connection: string, title: string, text: string, preview: boolean): Promise<void> {
  const uri = vscode.Uri.from({ scheme: REPORT_SCHEME, path: `/${encodeURIComponent(connection)}/${title}.md` });
  texts.delete(uri.path);
  texts.set(uri.path, text);
  for (const oldest of [...texts.keys()].slice(0, -MOST)) texts.delete(oldest);
  changed.fire(uri);
  if (preview) await vscode.commands.executeCommand('markdown.showPreview', uri);
  else {
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(await vscode.languages.setTextDocumentLanguage(document, 'markdown'), {
      preview: true,
    });
  }
}

/** After a sign-out nothing of the connection is kept. */
export function forgetReports(connection: string): void {
  const start = `/${encodeURIComponent(connection)}/`;
  for (const path of [...texts.keys()]) {
    if (!path.startsWith(start)) continue;
    texts.delete(path);
    changed.fire(vscode.Uri.from({ scheme: REPORT_SCHEME, path }));
  }
}
