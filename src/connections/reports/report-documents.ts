/** Read-only Markdown documents of commands: in memory, the newest few. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../ui/disposables.ts';

const REPORT_SCHEME = 'smartobject-report';

/** A preview reads its text again long after its document was closed. */
const MAX_REPORTS = 20;

const reportTexts = new Map<string, string>();
const changed = new vscode.EventEmitter<vscode.Uri>();

/** Registers the content provider of reports. */
export function registerReports(addDisposable: (disposable: Disposable) => unknown): void {
  addDisposable(changed);
  addDisposable(
    vscode.workspace.registerTextDocumentContentProvider(REPORT_SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) =>
        reportTexts.get(uri.path) ?? `${l10n.t('This report is no longer available. Run the command again.')}\n`,
    }),
  );
}

/**
 * Shows `text`, already redacted, rendered, in a tab that is named `<title> of <connection>.md`. Rejects if VS Code
 * cannot open it.
 */
export async function showReport(connection: string, title: string, text: string): Promise<void> {
  const name = l10n.t({
    message: '{0} of {1}',
    args: [title, connection.replace(/[/\\]/g, '-')],
    comment: 'Title of a report: “Check of Shop”, “Permissions of Shop”',
  });
  await openReport(`${encodeURIComponent(connection)}/${name}.md`, text);
}

/**
 * Shows Markdown text, already redacted, rendered, in a tab. `path`: the names of its connections, then the name of the tab.
 * Rejects as `showReport`.
 */
export async function openReport(path: string, text: string): Promise<void> {
  const uri = vscode.Uri.from({ scheme: REPORT_SCHEME, path: `/${path}` });
  reportTexts.delete(uri.path);
  reportTexts.set(uri.path, text);
  for (const oldest of [...reportTexts.keys()].slice(0, -MAX_REPORTS)) reportTexts.delete(oldest);
  changed.fire(uri);
  await vscode.commands.executeCommand('markdown.showPreview', uri);
}

/** Removes the reports of a connection at sign-out. */
export function forgetReports(connection: string): void {
  for (const path of [...reportTexts.keys()]) {
    if (!path.split('/').slice(1, -1).includes(encodeURIComponent(connection))) continue;
    reportTexts.delete(path);
    changed.fire(vscode.Uri.from({ scheme: REPORT_SCHEME, path }));
  }
}
