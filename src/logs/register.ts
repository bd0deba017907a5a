import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FeatureContext } from '../commands/context.ts';
import { registerCommands } from '../commands/register-commands.ts';
import { commands } from './commands.ts';
import { pluralize } from '../platform/text/localization.ts';
import { registerWebviewPanel, registerWebviewView } from '../commands/register-webviews.ts';
import type { LogsController } from './controller.ts';
import { TAB_VIEW_TYPE, VIEW_ID } from './view-ids.ts';

/** Access to the controller for tests. */
export interface LogsHooks {
  controller(): Promise<LogsController>;
}

/** Registers the panel view, editor tabs, commands and links of the action logs. The controller loads on first use. */
export function registerLogs(features: FeatureContext): LogsHooks {
  // The preset "Since I started" begins here.
  const started = Date.now();
  let loading: Promise<LogsController> | undefined;
  const loadController = (): Promise<LogsController> =>
    (loading ??= Promise.all([features.services(), import('./controller.ts')]).then(
      ([services, { LogsController }]) => new LogsController(features, services, started),
    ));
  registerCommands(features, loadController, commands);
  features.onServicesLoaded(({ histories }) => {
    features.addDisposable(
      histories.register({
        formatCount: (count) => pluralize(count, l10n.t('{0} known failure|{0} known failures')),
        count: async (connection) => (await loadController()).inbox.count(connection),
        delete: async (connection) => (await loadController()).inbox.forget(connection),
      }),
    );
  });
  registerWebviewView(features, VIEW_ID, async (_services, view, state) =>
    (await loadController()).resolve(view, state),
  );
  registerWebviewPanel(features, TAB_VIEW_TYPE, async (_services, panel, state) =>
    (await loadController()).restore(panel, state),
  );
  features.addDisposable(
    vscode.window.registerUriHandler({ handleUri: async (uri) => (await loadController()).openLink(uri) }),
  );
  return { controller: loadController };
}
