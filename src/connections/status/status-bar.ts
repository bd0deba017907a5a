/**
 * The status bar item: connection and environment of the window, with a warning before a session expires.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { Disposables, type Disposable } from '../../ui/disposables.ts';
import { setSeverity, showWithoutConnection } from './status-bar-item.ts';
import { formatSessionProblem } from '../../model/text/heading.ts';
import { getNextStatusChange, getSessionStatus } from './format-status.ts';
import { escapeIcons } from '../../ui/escape-icons.ts';

/** Keeps the item up to date until disposed. */
export function updateStatusBar(item: vscode.StatusBarItem, { sessions }: Services): Disposable {
  const disposables = new Disposables();
  let timer: NodeJS.Timeout | undefined;
  const render = (): void => {
    clearTimeout(timer);
    const session = sessions.active;
    if (session === undefined) {
      showWithoutConnection(item, sessions.all.length > 0);
      return;
    }
    const now = Date.now();
    const status = getSessionStatus(session, sessions.problems, now);
    item.text = `$(${status.icon}) ${escapeIcons(status.text.slice(0, 80))}`;
    item.accessibilityInformation = { label: l10n.t('Smart Objects connection: {0}', status.text) };
    const { name } = session.profile;
    item.tooltip = createTooltip(name, status.lines, formatSessionProblem(session) === undefined ? undefined : name);
    setSeverity(item, ({ production: 'error', warning: 'warning', plain: undefined } as const)[status.severity]);
    item.show();
    const next = getNextStatusChange(session, now);
    // Timers are limited to about 24 days; longer ones are set again then.
    if (next !== undefined) timer = setTimeout(render, Math.min(next - now + 50, 2 ** 31 - 1));
  };
  disposables.add(sessions.onDidChange(render));
  disposables.add(
    sessions.onDidChangeSession(({ session }) => {
      if (session === sessions.active) render();
    }),
  );
  disposables.add(vscode.window.onDidChangeActiveColorTheme(render));
  disposables.add({ dispose: () => clearTimeout(timer) });
  render();
  return disposables;
}

/** Builds a tooltip of plain text, since names and claims are untrusted. `signInTo`: a connection that Sign In… is offered for. */
function createTooltip(
  title: string,
  lines: readonly (readonly [string, string])[],
  signInTo?: string,
): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown('**').appendText(title).appendMarkdown('**\n\n');
  for (const [label, value] of lines) text.appendText(l10n.t('{0}: {1}', label, value)).appendMarkdown('\n\n');
  if (signInTo !== undefined) {
    text.isTrusted = { enabledCommands: ['smartObjects.signIn'] };
    text.appendMarkdown(`[${l10n.t('Sign In…')}](command:smartObjects.signIn?${encodeCommandArgument(signInTo)})`);
  }
  return text;
}

/** Parentheses would end the link. */
function encodeCommandArgument(argument: string): string {
  return encodeURIComponent(JSON.stringify(argument)).replace(/[()]/g, (part) => `%${part.charCodeAt(0).toString(16)}`);
}
