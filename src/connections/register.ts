/** The connections room at activation: its commands, status bar, account provider and decorations as light proxies. */
import * as vscode from 'vscode';
import type { Entry } from '../commands/entry.ts';
import { registerAccounts } from './account-provider.ts';
import { rootDecorations } from './decorations.ts';
import { registerReports } from './reports.ts';
import { createStatusItem } from './status-item.ts';

export function registerConnections(entry: Entry): void {
  entry.command('addConnection', async (services) =>
    (await import('./commands/add-connection.ts')).addConnection(services),
  );
  entry.command('editConnections', () =>
    vscode.commands.executeCommand('workbench.action.openSettingsJson', {
      revealSetting: { key: 'smartObjects.connections' },
    }),
  );
  entry.command('removeConnection', async (services, of) =>
    (await import('./commands/sign-out.ts')).removeConnection(services, of),
  );
  entry.command('selectConnection', async (services, of) =>
    (await import('./commands/select.ts')).selectConnection(services, of),
  );
  entry.command('signIn', async (services, of) => (await import('./commands/sign-in.ts')).signIn(services, of));
  entry.command('signOut', async (services, of) => (await import('./commands/sign-out.ts')).signOut(services, of));
  entry.command('addOrganization', async (services, of) =>
    (await import('./commands/organization.ts')).addOrganization(services, of),
  );
  entry.command('startSandbox', async (services) => (await import('./commands/sandbox.ts')).startSandbox(services));
  entry.command('stopSandbox', async (services) => (await import('./commands/sandbox.ts')).stopSandbox(services));
  entry.command('showOutput', ({ log }) => {
    log.show();
  });
  entry.command('registerWallet', async (services, of) =>
    (await import('./commands/rare.ts')).registerWallet(services, of),
  );
  entry.command('confirmInvite', async (services, of) =>
    (await import('./commands/rare.ts')).confirmInvite(services, of),
  );
  entry.command('showPermissions', async (services, of) =>
    (await import('./commands/rare.ts')).showPermissions(services, of),
  );
  entry.command('checkConnection', async (services, of) =>
    (await import('./commands/rare.ts')).checkConnection(services, of),
  );

  const item = entry.own(createStatusItem(entry.context.workspaceState));
  const decorated = entry.own(new vscode.EventEmitter<undefined>());
  entry.own(vscode.window.registerFileDecorationProvider(rootDecorations(() => entry.services(), decorated.event)));
  registerAccounts(entry);
  registerReports((disposable) => entry.own(disposable));
  entry.onLoaded((services) => {
    entry.own(
      services.sessions.onDidChange(() => {
        decorated.fire(undefined);
      }),
    );
    void import('./status-bar.ts').then(({ keepStatusBar }) => entry.own(keepStatusBar(item, services)));
  });
}
