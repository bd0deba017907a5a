import type { FeatureContext, Services } from './context.ts';
import type { CommandArguments, CommandId } from './ids.ts';

/** What the commands of a feature do, by id: with the feature's controller and the arguments of the command. */
export type CommandHandlers<Controller, Id extends CommandId = CommandId> = {
  readonly [Key in Id]?: (controller: Controller, ...args: CommandArguments[Key]) => unknown;
};

/** Registers the commands of a feature, whose controller loads when one of them runs. */
export function registerCommands<Controller, Id extends CommandId>(
  features: FeatureContext,
  load: (services: Services) => Promise<Controller>,
  handlers: CommandHandlers<Controller, Id>,
): void {
  for (const id in handlers) {
    const handle = handlers[id];
    if (handle !== undefined)
      features.registerCommand(id, async (services, ...args) => handle(await load(services), ...args));
  }
}
