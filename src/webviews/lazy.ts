/** Registers webview panels and views at activation for next to nothing: their rooms load when one is first shown. */
import * as vscode from 'vscode';
import type { Entry, Services } from '../commands/entry.ts';

/** Panels of this type come back after a reload; needs `onWebviewPanel:<viewType>` among the activation events. */
export function lazyPanel(
  entry: Entry,
  viewType: string,
  restore: (services: Services, panel: vscode.WebviewPanel, state: unknown) => Promise<void>,
): void {
  entry.own(
    vscode.window.registerWebviewPanelSerializer(viewType, {
      async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown) {
        try {
          await restore(await entry.services(), panel, state);
        } catch (error) {
          // What cannot come back goes away; nobody asked for it just now, so nothing pops up.
          entry.log().error(`Restore ${viewType}: ${error instanceof Error ? error.message : 'unknown error'}`);
          panel.dispose();
        }
      },
    }),
  );
}

/** A view of the manifest's `views` with `"type": "webview"`. */
export function lazyView(
  entry: Entry,
  viewId: string,
  resolve: (services: Services, view: vscode.WebviewView, state: unknown) => Promise<void>,
): void {
  entry.own(
    vscode.window.registerWebviewViewProvider(viewId, {
      async resolveWebviewView(view, context) {
        await resolve(await entry.services(), view, context.state);
      },
    }),
  );
}
