import type { FeatureContext } from '../commands/context.ts';
import { registerCommands, type CommandHandlers } from '../commands/register-commands.ts';
import type { EnvironmentComparison } from './compare-command.ts';
import type { PulledFolders } from './folder/pulled-folders.ts';

const comparing = {
  compareEnvironments: (comparison, connection) => comparison.compare(connection),
  matchResource: (comparison, row) => comparison.match(row),
  editMapping: (comparison) => comparison.editMapping(),
  selectMapping: (comparison, file) => comparison.selectMapping(file),
  closeComparison: (comparison) => comparison.close(),
} satisfies CommandHandlers<EnvironmentComparison>;

const commands = {
  pullFolder: (folders, of) => folders.pull(of),
  checkPulledFolder: (folders, of) => folders.check(of),
  openPulledChange: (folders, file) => folders.openChange(file),
  usePlatformVersion: (folders, ...files) => folders.settle('platform', files),
  keepLocalVersion: (folders, ...files) => folders.settle('local', files),
  copyForConsole: (folders, file) => folders.copyForConsole(file),
} satisfies CommandHandlers<PulledFolders>;

/** Registers the commands that compare environments and pull folders; what they do is imported on first use. */
export function registerEnvironments(features: FeatureContext): void {
  let comparison: Promise<EnvironmentComparison> | undefined;
  registerCommands(
    features,
    (services) =>
      (comparison ??= import('./compare-command.ts').then((loaded) => new loaded.EnvironmentComparison(services))),
    comparing,
  );
  let folders: Promise<PulledFolders> | undefined;
  registerCommands(
    features,
    (services) =>
      (folders ??= import('./folder/pulled-folders.ts').then(({ PulledFolders }) => new PulledFolders(services))),
    commands,
  );
}
