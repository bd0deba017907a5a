/** The connections room at activation: its commands, status bar, account provider and decorations as light proxies. */
import * as vscode from 'vscode';
import type { Entry } from '../commands/entry.ts';

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
}
