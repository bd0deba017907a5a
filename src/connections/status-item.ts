/** The status bar's first look, from the settings as they stand: nothing is loaded for it; status-bar.ts takes over. */
import * as vscode from 'vscode';

const PRODUCTION = 'PRODUCTION';

/** Shown when the settings name a connection. */
export function createStatusItem(memory: vscode.Memento): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('smartObjects.connection', vscode.StatusBarAlignment.Left, 40);
  item.name = 'Smart Objects Connection';
  item.command = 'smartObjects.selectConnection';
  const entries: unknown = vscode.workspace.getConfiguration('smartObjects').get('connections');
  const all: readonly unknown[] = Array.isArray(entries) ? entries : [];
  const chosen = memory.get<unknown>('active.connection');
  const entry = all.find((other) => typeof chosen === 'string' && read(other, 'name') === chosen) ?? all[0];
  const name = read(entry, 'name');
  if (typeof name !== 'string') return item;
  const production = read(entry, 'environment') === 'production';
  item.text = `$(plug) ${production ? `${PRODUCTION} · ` : ''}${withoutIcons(name)}`;
  item.tooltip = 'Smart Objects: the connection that commands start from';
  if (production) paint(item, 'error');
  item.show();
  return item;
}

/** The dark high-contrast theme has no backgrounds for items: there the words themselves are coloured. */
export function paint(item: vscode.StatusBarItem, mood: 'error' | 'warning' | undefined): void {
  const bare = vscode.window.activeColorTheme.kind === vscode.ColorThemeKind.HighContrast;
  const color = (name: string, wanted: boolean): vscode.ThemeColor | undefined =>
    mood !== undefined && wanted ? new vscode.ThemeColor(name) : undefined;
  item.backgroundColor = color(`statusBarItem.${mood ?? ''}Background`, !bare);
  item.color = color(mood === 'error' ? 'errorForeground' : 'editorWarning.foreground', bare);
}

/** `$(name)` in a label would become an icon. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(').slice(0, 80);
}

function read(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
