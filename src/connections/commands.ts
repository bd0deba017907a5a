/** The commands of connections and of the local sandboxes. What they do is imported on first use. */
import * as vscode from 'vscode';
import type { Services } from '../commands/context.ts';
import type { CommandHandlers } from '../commands/register-commands.ts';

const sandbox = () => import('./sandbox/sandbox-commands.ts');

export const commands = {
  addConnection: async (services) => (await import('./commands/add-connection.ts')).addConnection(services),
  editConnections: () =>
    vscode.commands.executeCommand('workbench.action.openSettingsJson', {
      revealSetting: { key: 'smartObjects.connections' },
    }),
  removeConnection: async (services, of) => (await import('./commands/sign-out.ts')).removeConnection(services, of),
  selectConnection: async (services, of) =>
    (await import('./commands/select-connection.ts')).selectConnection(services, of),
  setActiveConnection: async (services, of) =>
    (await import('./commands/select-connection.ts')).selectConnection(services, of),
  signIn: async (services, of) => (await import('./commands/sign-in.ts')).signIn(services, of),
  signInAs: async (services, of) => (await import('./commands/identities.ts')).signInAs(services, of),
  selectIdentity: async (services, of) => (await import('./commands/identities.ts')).selectIdentity(services, of),
  signOut: async (services, of) => (await import('./commands/sign-out.ts')).signOut(services, of),
  addOrganization: async (services, of) =>
    (await import('./commands/add-organization.ts')).addOrganization(services, of),
  renameOrganization: async (services, of) =>
    (await import('./commands/edit-organization.ts')).renameOrganization(services, of),
  removeOrganization: async (services, of) =>
    (await import('./commands/edit-organization.ts')).removeOrganization(services, of),
  labelThis: async (services, of) => (await import('./labels/label-this.ts')).labelThis(services, of),
  importLabels: async (services, file) => (await import('./labels/import-labels.ts')).importLabels(services, file),
  showAccessibilityHelp: async () => (await import('./commands/accessibility-help.ts')).showAccessibilityHelp(),
  registerWallet: async (services, of) => (await import('./commands/register-wallet.ts')).registerWallet(services, of),
  confirmInvite: async (services, of) => (await import('./commands/confirm-invite.ts')).confirmInvite(services, of),
  showPermissions: async (services, of) =>
    (await import('./commands/show-permissions.ts')).showPermissions(services, of),
  checkConnection: async (services, of) =>
    (await import('./commands/check-connection.ts')).checkConnection(services, of),
  showOutput: ({ log }) => log.show(),
  startSandbox: async (services) => (await sandbox()).startSandbox(services),
  startSandboxWith: async (services, choice) => (await sandbox()).startSandboxWith(services, choice),
  stopSandbox: async (services, connection) => (await sandbox()).stopSandbox(services, connection),
  faults: async (services, connection) => (await sandbox()).addFault(services, connection),
  clearFaults: async () => (await sandbox()).clearFaults(),
  pauseSandbox: async (services, connection) => (await sandbox()).pauseSandbox(services, connection),
  resumeSandbox: async (services, connection) => (await sandbox()).resumeSandbox(services, connection),
  stepSandbox: async (services, connection) => (await sandbox()).stepSandbox(services, connection),
  settleSandbox: async (services, connection) => (await sandbox()).settleSandbox(services, connection),
  resetSandbox: async (services, connection) => (await sandbox()).resetSandbox(services, connection),
  saveSandboxState: async (services, connection) => (await sandbox()).saveSandboxState(services, connection),
  loadSandboxState: async (services, connection, file) =>
    (await sandbox()).loadSandboxState(services, connection, file instanceof vscode.Uri ? file : undefined),
  importIntoSandbox: async (services, connection) => (await sandbox()).importIntoSandbox(services, connection),
} satisfies CommandHandlers<Services>;
