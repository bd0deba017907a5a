/** Context keys for the `when` clauses of the manifest: `smartObjects.hasRuns` and `smartObjects.hasRunUnderWay`. */
import * as vscode from 'vscode';
import type { Disposable } from '../../ui/disposables.ts';
import type { RunStore } from './run-store.ts';
import { HAS_RUNS } from './state-keys.ts';

/** Sets what was so when the workspace was last open: the history is read later. */
export function restoreRunContextKeys(workspaceState: vscode.Memento): void {
  if (workspaceState.get(HAS_RUNS) === true) setKey('hasRuns', true);
}

/** Sets the keys whenever the history changes, and remembers them for the next window. */
export function updateRunContextKeys(store: RunStore, workspaceState: vscode.Memento): Disposable {
  let previous = '';
  return store.onDidChange(() => {
    const { all } = store;
    const hasRuns = all.length > 0;
    const hasRunUnderWay = all.some(({ phase }) => phase !== 'ended');
    const current = JSON.stringify([hasRuns, hasRunUnderWay]);
    if (current === previous) return;
    previous = current;
    setKey('hasRuns', hasRuns);
    setKey('hasRunUnderWay', hasRunUnderWay);
    void workspaceState.update(HAS_RUNS, hasRuns);
  });
}

function setKey(name: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', `smartObjects.${name}`, value);
}
