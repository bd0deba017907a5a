/** Registers webview panels and views cheaply: their code loads when one is first shown. */
import * as vscode from 'vscode';
import type { FeatureContext, Services } from './context.ts';

/** Restores panels of this type after a reload; needs `onWebviewPanel:<viewType>` as activation event. */
export function registerWebviewPanel(
  features: FeatureContext,
  viewType: string,
  restore: (services: Services, panel: vscode.WebviewPanel, state: unknown) => Promise<void>,
): void {
  features.addDisposable(
    vscode.window.registerWebviewPanelSerializer(viewType, {
      async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown) {
        try {
          await restore(await features.services(), panel, state);
        } catch (error) {
          // Logged only: the user did not request the restore.
          features.log().error(`Restore ${viewType}: ${error instanceof Error ? error.message : 'unknown error'}`);
          panel.dispose();
        }
      },
    }),
  );
}

/** Registers a view of the manifest's `views` with `"type": "webview"`. */
export function registerWebviewView(
  features: FeatureContext,
  viewId: string,
  resolve: (services: Services, view: vscode.WebviewView, state: unknown) => Promise<void>,
): void {
  features.addDisposable(
    vscode.window.registerWebviewViewProvider(viewId, {
      async resolveWebviewView(view, context) {
        await resolve(await features.services(), view, context.state);
      },
    }),
  );
}
