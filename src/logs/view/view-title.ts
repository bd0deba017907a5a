import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { pluralize } from '../../platform/text/localization.ts';
import type { ViewState } from '../../webviews/protocol/logs.ts';

const EXPANDED_KEY = 'logs.controls';

/** The title of the panel's view: the line about what is shown, and the context keys of its buttons. */
export class ViewTitle {
  readonly #view: vscode.WebviewView;
  readonly #workspaceState: vscode.Memento;
  #mode: ViewState['mode'] | undefined;
  #paused: boolean | undefined;

  constructor(view: vscode.WebviewView, workspaceState: vscode.Memento) {
    this.#view = view;
    this.#workspaceState = workspaceState;
    setContextKey('logsExpanded', this.expanded);
  }

  /** Search, filters and histogram are shown; stored in the workspace. */
  get expanded(): boolean {
    return this.#workspaceState.get(EXPANDED_KEY) === true;
  }

  setExpanded(expanded: boolean): void {
    void this.#workspaceState.update(EXPANDED_KEY, expanded);
    setContextKey('logsExpanded', expanded);
  }

  setSummary(text: string): void {
    if (this.#view.description !== text) this.#view.description = text;
  }

  /** Shows the number of failures since the user last looked. */
  setBadge(count: number): void {
    if ((this.#view.badge?.value ?? 0) === count) return;
    const tooltip = pluralize(count, l10n.t('{0} new failure|{0} new failures'));
    this.#view.badge = count === 0 ? undefined : { value: count, tooltip };
  }

  update(mode: ViewState['mode'], paused: boolean): void {
    if (mode !== this.#mode) setContextKey('logsShowFailures', mode === 'failures');
    if (paused !== this.#paused) setContextKey('logsPaused', paused);
    this.#mode = mode;
    this.#paused = paused;
  }
}

function setContextKey(name: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', `smartObjects.${name}`, value);
}
