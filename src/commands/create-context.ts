/** The wrapper of all commands: loads services, logs, and presents errors. */
import * as vscode from 'vscode';
import { Disposables } from '../ui/disposables.ts';
import { runInForeground } from '../ui/foreground.ts';
import { createRedactingLog, createRedactingUi } from '../ui/redaction.ts';
import { createLog, type Log } from '../ui/log.ts';
import { editorUi } from '../ui/editor-ui.ts';
import type { Ui } from '../ui/ui.ts';
import type { FeatureContext, Services } from './context.ts';
import { PAGE_COMMANDS, REFRESH_COMMANDS, type CommandArguments } from './ids.ts';

interface FeatureContextOptions {
  readonly context: vscode.ExtensionContext;
  /** loads the services */
  readonly load: (parts: { context: vscode.ExtensionContext; log: Log; ui: Ui }) => Promise<Services>;
  readonly ui?: Ui;
  readonly log?: () => Log;
}

/** Creates the context that features register with; replaceable `ui` and `log` are for tests. */
export function createFeatureContext({
  context,
  load,
  ui: unredactedUi = editorUi,
  log: createLogChannel = createLog,
}: FeatureContextOptions): FeatureContext {
  const disposables = new Disposables();
  context.subscriptions.push(disposables);
  let log: Log | undefined;
  // No secret is known before the services are loaded.
  const redact = (text: string): string => services?.redact(text) ?? text;
  const ui = createRedactingUi(unredactedUi, redact);
  let loading: Promise<Services> | undefined;
  let services: Services | undefined;
  const waiting: ((services: Services) => void)[] = [];
  const loadServices = async (): Promise<Services> => {
    try {
      services = await load({ context, log: features.log(), ui });
    } catch (error) {
      // The next call retries.
      loading = undefined;
      throw error;
    }
    for (const callback of waiting.splice(0)) callback(services);
    return services;
  };
  const features: FeatureContext = {
    context,
    ui,
    log: () => (log ??= disposables.add(createRedactingLog(createLogChannel(), redact))),
    services: () => (loading ??= loadServices()),
    onServicesLoaded(callback) {
      if (services === undefined) waiting.push(callback);
      else callback(services);
    },
    addDisposable: (disposable) => disposables.add(disposable),
    registerCommand(id, run) {
      const wrapped = async (...given: unknown[]): Promise<unknown> => {
        const page = given[0] === undefined && PAGE_COMMANDS.has(id) ? features.getPageResource?.() : undefined;
        const args = page === undefined ? given : [page, ...given.slice(1)];
        try {
          // The manifest and the extension's own callers match the argument types; each command validates what it
          // receives.
          return await runInForeground(
            async () => run(await features.services(), ...(args as CommandArguments[typeof id])),
            !REFRESH_COMMANDS.has(id),
          );
        } catch (error) {
          (await import('./present-error.ts')).presentError(features, id, error);
          return undefined;
        }
      };
      disposables.add(vscode.commands.registerCommand(`smartObjects.${id}`, wrapped));
    },
    async run(id, ...args) {
      return vscode.commands.executeCommand(`smartObjects.${id}`, ...args);
    },
  };
  return features;
}
