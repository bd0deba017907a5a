import type { CommandHandlers } from '../commands/register-commands.ts';
import type { WatchesController } from './controller.ts';

/** The commands of watches, by id. */
export const commands = {
  watch: (controller, of) => controller.add(of),
  openWatch: (controller, row) => controller.open(row),
  showWatchChanges: (controller, row) => controller.showChanges(row),
  pauseWatch: (controller, row) => controller.pause(row),
  resumeWatch: (controller, row) => controller.resume(row),
  removeWatch: (controller, row) => controller.remove(row),
} as const satisfies CommandHandlers<WatchesController>;
