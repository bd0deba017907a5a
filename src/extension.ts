/** Composition root: builds the entry, lets each room register itself, and disposes of all at the end. */
import type * as vscode from 'vscode';
import { registerActions } from './actions/register.ts';
import type { Entry } from './commands/entry.ts';
import { createEntry, type EntryParts } from './commands/register.ts';
import { registerConnections } from './connections/register.ts';
import { registerDocuments } from './documents/register.ts';
import { registerExplorer, type ExplorerHooks } from './explorer/register.ts';
import { registerFaces } from './faces/register.ts';
import { registerLogs, type LogsHooks } from './logs/register.ts';
import { registerStatistics } from './stats/register.ts';
import type { ServicesOf } from './ui/test-hooks.ts';

export function activate(context: vscode.ExtensionContext): unknown {
  if (process.env['SMART_OBJECTS_TEST'] === '1') return activateForTests(context);
  build({
    context,
    load: async (parts) => (await import('./connections/services.ts')).createServices(parts),
  });
  return undefined;
}

function build(parts: EntryParts): {
  readonly entry: Entry;
  readonly explorer: ExplorerHooks;
  readonly logs: LogsHooks;
} {
  const entry = createEntry(parts);
  registerConnections(entry);
  const explorer = registerExplorer(entry);
  registerDocuments(entry);
  registerFaces(entry);
  registerActions(entry);
  const logs = registerLogs(entry);
  registerStatistics(entry);
  return { entry, explorer, logs };
}

/** The same extension with a person, an output channel and a secret store that tests command; see ui/test-hooks.ts. */
async function activateForTests(context: vscode.ExtensionContext): Promise<unknown> {
  const { createTestHooks, testParts } = await import('./ui/test-hooks.ts');
  const { ui, log, secrets } = testParts(context);
  const createServices = async (parts: ServicesOf) =>
    (await import('./connections/services.ts')).createServices({ ...parts, secrets });
  const { entry, explorer, logs } = build({ context, ui, log, load: createServices });
  return { ...createTestHooks(entry, { ui, log, secrets }, createServices), explorer, logs };
}
