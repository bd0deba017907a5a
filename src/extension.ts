/** Entry point of the extension: registers the features with the real dialogs, secret store and output channel. */
import './ui/display-language.ts';
import type * as vscode from 'vscode';
import { createFeatureContext } from './commands/create-context.ts';
import { registerFeatures } from './features.ts';

/** Registers everything; reads no file and sends nothing until a feature is used. */
export function activate(context: vscode.ExtensionContext): void {
  const features = createFeatureContext({
    context,
    load: async (parts) => (await import('./connections/services.ts')).createServices(parts),
  });
  registerFeatures(features);
}
