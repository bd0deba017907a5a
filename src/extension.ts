/** Composition root: builds the entry, lets each room register itself, and disposes of all at the end. */
import type * as vscode from 'vscode';
import { createEntry } from './commands/register.ts';
import { registerDocuments } from './documents/register.ts';

export function activate(context: vscode.ExtensionContext): unknown {
  const entry = createEntry({
    context,
    load: async (parts) => (await import('./connections/services.ts')).createServices(parts),
  });
  registerDocuments(entry);
  return undefined;
}
