/** The initial status bar item, from settings only; replaced by status-bar.ts once services are loaded. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { resolveChoice } from '../../model/session/stored-choice.ts';
import { escapeIcons } from '../../ui/escape-icons.ts';

/** Creates the item, shown if the settings define a connection. */
export function createStatusBarItem(memory: vscode.Memento): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('smartObjects.connection', vscode.StatusBarAlignment.Left, 40);
  item.name = l10n.t('Smart Objects Connection');
  item.command = 'smartObjects.selectConnection';
  const entries: unknown = vscode.workspace.getConfiguration('smartObjects').get('connections');
  const all: readonly unknown[] = Array.isArray(entries) ? entries : [];
  const chosen = memory.get<unknown>('active.connection');
  const entry = resolveChoice(
    typeof chosen === 'string' ? chosen : undefined,
    (name) => all.find((other) => readProperty(other, 'name') === name),
    () => all[0],
  );
  const name = readProperty(entry, 'name');
  if (typeof name !== 'string') {
    showWithoutConnection(item, all.length > 0);
    return item;
  }
  const production = readProperty(entry, 'environment') === 'production';
  item.text = `$(plug) ${production ? `${l10n.t('PRODUCTION')} · ` : ''}${escapeIcons(name.slice(0, 80))}`;
  item.tooltip = l10n.t('Smart Objects: active connection');
  if (production) setSeverity(item, 'error');
  item.show();
  return item;
}

/** Offers to select a connection if the active one is gone. */
export function showWithoutConnection(item: vscode.StatusBarItem, hasOthers: boolean): void {
  item.text = `$(plug) ${l10n.t('Select Connection…')}`;
  item.accessibilityInformation = undefined;
  item.tooltip = l10n.t('The active connection no longer exists.');
  setSeverity(item, undefined);
  if (hasOthers) item.show();
  else item.hide();
}

/** The dark high-contrast theme has no item backgrounds: the text is coloured instead. */
export function setSeverity(item: vscode.StatusBarItem, severity: 'error' | 'warning' | undefined): void {
  const isHighContrast = vscode.window.activeColorTheme.kind === vscode.ColorThemeKind.HighContrast;
  const color = (name: string, applies: boolean): vscode.ThemeColor | undefined =>
    severity !== undefined && applies ? new vscode.ThemeColor(name) : undefined;
  item.backgroundColor = color(`statusBarItem.${severity ?? ''}Background`, !isHighContrast);
  item.color = color(severity === 'error' ? 'errorForeground' : 'editorWarning.foreground', isHighContrast);
}

function readProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
