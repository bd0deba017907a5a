/** The commands of the local sandboxes. What they do is imported on first use. */
import * as vscode from 'vscode';
import type { Services } from '../commands/context.ts';
import type { CommandHandlers } from '../commands/register-commands.ts';
import type * as sandboxCommands from './sandbox/sandbox-commands.ts';

interface SandboxContext {
  readonly services: Services;
  readonly sandbox: typeof sandboxCommands;
}

export const commands = {
  startSandbox: ({ services, sandbox }) => sandbox.startSandbox(services),
  startSandboxWith: ({ services, sandbox }, choice) => sandbox.startSandboxWith(services, choice),
  stopSandbox: ({ services, sandbox }, connection) => sandbox.stopSandbox(services, connection),
  faults: ({ services, sandbox }, connection) => sandbox.addFault(services, connection),
  clearFaults: ({ sandbox }) => sandbox.clearFaults(),
  pauseSandbox: ({ services, sandbox }, connection) => sandbox.pauseSandbox(services, connection),
  resumeSandbox: ({ services, sandbox }, connection) => sandbox.resumeSandbox(services, connection),
  stepSandbox: ({ services, sandbox }, connection) => sandbox.stepSandbox(services, connection),
  settleSandbox: ({ services, sandbox }, connection) => sandbox.settleSandbox(services, connection),
  resetSandbox: ({ services, sandbox }, connection) => sandbox.resetSandbox(services, connection),
  saveSandboxState: ({ services, sandbox }, connection) => sandbox.saveSandboxState(services, connection),
  loadSandboxState: ({ services, sandbox }, connection, file) =>
    sandbox.loadSandboxState(services, connection, file instanceof vscode.Uri ? file : undefined),
  importIntoSandbox: ({ services, sandbox }, connection) => sandbox.importIntoSandbox(services, connection),
} satisfies CommandHandlers<SandboxContext>;
