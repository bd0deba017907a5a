/** Which connection, organization and environment the window works with, in the status bar; warns before a token ends. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import { Disposables, type Disposable } from '../ui/disposables.ts';
import { paint, withoutIcons } from './status-item.ts';
import { nextChange, statusWords } from './status-words.ts';

export function keepStatusBar(item: vscode.StatusBarItem, { sessions }: Services): Disposable {
  const owned = new Disposables();
  let listened: vscode.Disposable | undefined;
  let timer: NodeJS.Timeout | undefined;
  const show = (): void => {
    clearTimeout(timer);
    listened?.dispose();
    const session = sessions.active;
    if (session === undefined) {
      item.hide();
      return;
    }
    listened = session.onDidChange(show);
    const now = Date.now();
    const words = statusWords(session, sessions.activeOrganization, sessions.problems, now);
    item.text = `$(${words.icon}) ${withoutIcons(words.text)}`;
    item.accessibilityInformation = { label: `Smart Objects connection: ${words.text}` };
    item.tooltip = tooltipOf(session.profile.name, words.lines);
    paint(item, ({ production: 'error', warning: 'warning', plain: undefined } as const)[words.mood]);
    item.show();
    const next = nextChange(session, now);
    // A timer holds at most 24 days; a token that lives longer is looked at again then.
    if (next !== undefined) timer = setTimeout(show, Math.min(next - now + 50, 2 ** 31 - 1));
  };
  owned.add(sessions.onDidChange(show));
  owned.add(vscode.window.onDidChangeActiveColorTheme(show));
  owned.add({
    dispose: () => {
      clearTimeout(timer);
      listened?.dispose();
    },
  });
  show();
  return owned;
}

/** Names and claims may be hostile: text only. */
export function tooltipOf(title: string, lines: readonly (readonly [string, string])[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown('**').appendText(title).appendMarkdown('**\n\n');
  for (const [label, value] of lines) text.appendText(`${label}: ${value}`).appendMarkdown('\n\n');
  return text;
}
