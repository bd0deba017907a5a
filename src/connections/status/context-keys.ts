/** Context keys for the `when` clauses of the manifest: `smartObjects.hasConnections` and `smartObjects.sandboxRunning`. */
import * as vscode from 'vscode';
import type { FeatureContext } from '../../commands/context.ts';

/** Sets the keys from the settings at once, and from the sessions as soon as these are loaded; loads nothing. */
export function registerContextKeys(features: FeatureContext): void {
  const set = (hasConnections: boolean, sandboxRunning: boolean): void => {
    void vscode.commands.executeCommand('setContext', 'smartObjects.hasConnections', hasConnections);
    void vscode.commands.executeCommand('setContext', 'smartObjects.sandboxRunning', sandboxRunning);
  };
  const setFromSettings = (): void => {
    const connections: unknown = vscode.workspace.getConfiguration('smartObjects').get('connections');
    set(Array.isArray(connections) && connections.length > 0, false);
  };
  setFromSettings();
  const settingsListener = features.addDisposable(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('smartObjects.connections')) setFromSettings();
    }),
  );
  features.onServicesLoaded(({ sessions }) => {
    settingsListener.dispose();
    const setFromSessions = (): void => {
      set(
        sessions.all.length > 0,
        sessions.all.some(({ profile }) => profile.source === 'memory'),
      );
    };
    features.addDisposable(sessions.onDidChange(setFromSessions));
    setFromSessions();
  });
}
