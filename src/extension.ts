/** The extension's entry: builds, registers and disposes its parts. */
import type { ExtensionContext } from 'vscode';

export function activate(_context: ExtensionContext): void {
  // The parts register here.
}

export function deactivate(): void {
  // Everything is disposed through the context's subscriptions.
}
