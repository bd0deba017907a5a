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
  features.registerCommand('addConnection', async (services) =>
    (await import('./commands/add-connection.ts')).addConnection(services),
  );
  features.registerCommand('editConnections', () =>
    vscode.commands.executeCommand('workbench.action.openSettingsJson', {
      revealSetting: { key: 'smartObjects.connections' },
    }),
  );
  features.registerCommand('removeConnection', async (services, connection) =>
    (await import('./commands/sign-out.ts')).removeConnection(services, connection),
  );
  features.registerCommand('selectConnection', async (services, connection) =>
    (await import('./commands/select-connection.ts')).selectConnection(services, connection),
  );
  features.registerCommand('setActiveConnection', async (services, connection) =>
    (await import('./commands/select-connection.ts')).selectConnection(services, connection),
  );
  features.registerCommand('signIn', async (services, connection) =>
    (await import('./commands/sign-in.ts')).signIn(services, connection),
  );
  features.registerCommand('signInAs', async (services, connection) =>
    (await import('./commands/identities.ts')).signInAs(services, connection),
  );
  features.registerCommand('selectIdentity', async (services, connection) =>
    (await import('./commands/identities.ts')).selectIdentity(services, connection),
  );
  features.registerCommand('signOut', async (services, connection) =>
    (await import('./commands/sign-out.ts')).signOut(services, connection),
  );
  features.registerCommand('addOrganization', async (services, connection) =>
    (await import('./commands/add-organization.ts')).addOrganization(services, connection),
  );
  features.registerCommand('renameOrganization', async (services, organization) =>
    (await import('./commands/edit-organization.ts')).renameOrganization(services, organization),
  );
  features.registerCommand('removeOrganization', async (services, organization) =>
    (await import('./commands/edit-organization.ts')).removeOrganization(services, organization),
  );
  const loadSandbox = async () => ({
    services: await features.services(),
    sandbox: await import('./sandbox/sandbox-commands.ts'),
  });
  registerCommands(features, loadSandbox, commands);
  features.registerCommand('labelThis', async (services, value) =>
    (await import('./labels/label-this.ts')).labelThis(services, value),
  );
  features.registerCommand('importLabels', async (services, file) =>
    (await import('./labels/import-labels.ts')).importLabels(services, file),
  );
  features.registerCommand('showOutput', ({ log }) => {
    log.show();
  });
  features.registerCommand('showAccessibilityHelp', async () =>
    (await import('./commands/accessibility-help.ts')).showAccessibilityHelp(),
  );
  features.registerCommand('registerWallet', async (services, connection) =>
    (await import('./commands/register-wallet.ts')).registerWallet(services, connection),
  );
  features.registerCommand('confirmInvite', async (services, connection) =>
    (await import('./commands/confirm-invite.ts')).confirmInvite(services, connection),
  );
  features.registerCommand('showPermissions', async (services, connection) =>
    (await import('./commands/show-permissions.ts')).showPermissions(services, connection),
  );
  features.registerCommand('checkConnection', async (services, connection) =>
    (await import('./commands/check-connection.ts')).checkConnection(services, connection),
  );

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
