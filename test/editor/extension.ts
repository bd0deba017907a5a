/** Entry point of the extension in the in-editor tests: as `src/extension.ts`, with scripted dialogs, secret store and log. */
import '../../src/ui/display-language.ts';
import type * as vscode from 'vscode';
import { createFeatureContext } from '../../src/commands/create-context.ts';
import { registerFeatures } from '../../src/features.ts';
import { createTestHooks, createTestDoubles, type ServicesInput, type TestHooks } from './support/hooks.ts';

export function activate(context: vscode.ExtensionContext): TestHooks & ReturnType<typeof registerFeatures> {
  const { ui, log, secrets } = createTestDoubles(context);
  const createServices = async (parts: ServicesInput) =>
    (await import('../../src/connections/services.ts')).createServices({ ...parts, secrets });
  const features = createFeatureContext({ context, ui, log, load: createServices });
  const { explorer, logs } = registerFeatures(features);
  return { ...createTestHooks(features, { ui, log, secrets }, createServices), explorer, logs };
}
