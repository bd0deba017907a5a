/** Entry point of the extension under test: as `src/extension.ts`, with dialogs, secret store and log that the suites control. */
import type * as vscode from 'vscode';
import { createEntry } from '../../src/commands/register.ts';
import { registerFeatures } from '../../src/features.ts';
import { createTestHooks, testParts, type ServicesOf, type TestHooks } from './support/hooks.ts';

export function activate(context: vscode.ExtensionContext): TestHooks & ReturnType<typeof registerFeatures> {
  const { ui, log, secrets } = testParts(context);
  const createServices = async (parts: ServicesOf) =>
    (await import('../../src/connections/services.ts')).createServices({ ...parts, secrets });
  const entry = createEntry({ context, ui, log, load: createServices });
  const { explorer, logs } = registerFeatures(entry);
  return { ...createTestHooks(entry, { ui, log, secrets }, createServices), explorer, logs };
}
