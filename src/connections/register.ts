/** Registers commands, status bar, account provider and decorations of connections as light proxies. */
import * as vscode from 'vscode';
import type { FeatureContext } from '../commands/context.ts';
import { registerCommands } from '../commands/register-commands.ts';
import { commands } from './commands.ts';
import { registerAccountProvider } from './credentials/account-provider.ts';
import { createConnectionDecorations } from './status/decorations.ts';
import { onDidChangeSandbox } from './sandbox/running.ts';
import { SANDBOX_STATE } from './profiles/state-keys.ts';
import { registerReports } from './reports/report-documents.ts';
import { registerContextKeys } from './status/context-keys.ts';
import { createStatusBarItem } from './status/status-bar-item.ts';

/** Registers the feature; loads nothing else. */
export function registerConnections(features: FeatureContext): void {
  registerCommands(features, (services) => Promise.resolve(services), commands);
  const item = features.addDisposable(createStatusBarItem(features.context.workspaceState));
  const decorationsChanged = features.addDisposable(new vscode.EventEmitter<undefined>());
  registerContextKeys(features);
  if (features.context.workspaceState.get(SANDBOX_STATE) !== undefined)
    void features.services().then(async (services) => {
      await (await import('./sandbox/local-sandbox.ts')).restoreSandboxes(services);
    });
  registerAccountProvider(features);
  registerReports((disposable) => features.addDisposable(disposable));
  features.onServicesLoaded((services) => {
    // VS Code asks for the decoration of every file; rows of connections are shown only from here on.
    features.addDisposable(
      vscode.window.registerFileDecorationProvider(createConnectionDecorations(services, decorationsChanged.event)),
    );
    features.addDisposable(
      services.sessions.onDidChange(({ type }) => {
        if (type !== 'active') decorationsChanged.fire(undefined);
      }),
    );
    features.addDisposable(
      onDidChangeSandbox(
        () => void import('./sandbox/fault-status-bar.ts').then(({ showFaults }) => showFaults(features)),
      ),
    );
    void import('./status/status-bar.ts').then(({ updateStatusBar }) =>
      features.addDisposable(updateStatusBar(item, services)),
    );
  });
}
