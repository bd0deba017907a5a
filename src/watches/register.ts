/** Registers watches. Their code loads with the first watch, or at the start of a window that has some. */
import type { FeatureContext } from '../commands/context.ts';
import { registerCommands } from '../commands/register-commands.ts';
import type { DocumentHooks } from '../documents/register.ts';
import type { LogsHooks } from '../logs/register.ts';
import { commands } from './commands.ts';
import type { WatchesController } from './controller.ts';
import { WATCHES_KEY } from './state-keys.ts';

interface FeatureHooks {
  readonly documents: DocumentHooks;
  readonly logs: LogsHooks;
}

/** Registers the commands, and continues the watches of the workspace. */
export function registerWatches(features: FeatureContext, { documents, logs }: FeatureHooks): void {
  let loading: Promise<WatchesController> | undefined;
  const load = async (): Promise<WatchesController> => {
    const [{ WatchesController }, { context }] = await Promise.all([import('./controller.ts'), documents.controller()]);
    return features.addDisposable(new WatchesController(context, logs));
  };
  const getController = (): Promise<WatchesController> => (loading ??= load());
  registerCommands(features, getController, commands);
  const stored: unknown = features.context.workspaceState.get(WATCHES_KEY);
  if (!Array.isArray(stored) || stored.length === 0) return;
  getController().catch((error: unknown) =>
    features.log().warn(`The watches could not be read: ${error instanceof Error ? error.message : 'unknown error'}`),
  );
}
