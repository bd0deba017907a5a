/** Context keys for the `when` clauses of the manifest: `smartObjects.hasConnections`, `smartObjects.sandboxRunning` and others. */
import * as vscode from 'vscode';
import type { FeatureContext } from '../../commands/context.ts';

/** Sets the keys from the settings at once, and from the sessions as soon as these are loaded; loads nothing. */
export function registerContextKeys(features: FeatureContext): void {
  const set = (hasConnections: boolean, sandboxRunning: boolean): void => {
    void vscode.commands.executeCommand('setContext', 'smartObjects.hasConnections', hasConnections);
    void vscode.commands.executeCommand('setContext', 'smartObjects.sandboxRunning', sandboxRunning);
  };
  const hasConnections = (): boolean => {
    const connections: unknown = vscode.workspace.getConfiguration('smartObjects').get('connections');
    return Array.isArray(connections) && connections.length > 0;
  };
  // A key that is not set is false.
  if (hasConnections()) set(true, false);
  const settingsListener = features.addDisposable(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('smartObjects.connections')) set(hasConnections(), false);
    }),
  );
  features.onServicesLoaded(({ sessions }) => {
    settingsListener.dispose();
    const setFromSessions = (): void => {
      const hasSeveral = sessions.all.length > 1;
      void vscode.commands.executeCommand('setContext', 'smartObjects.hasSeveralConnections', hasSeveral);
      set(
        sessions.all.length > 0,
        sessions.all.some(({ profile }) => profile.source === 'memory'),
      );
    };
    features.addDisposable(sessions.onDidChange(setFromSessions));
    setFromSessions();
  });
}
