/** The commands of actions. */
import * as l10n from '@vscode/l10n';
import type { CommandHandlers } from '../commands/register-commands.ts';
import type { ActionsController } from './controller.ts';

export const commands = {
  executeAction: ({ runCommands }, file, files) => runCommands.execute(file, files, 'active'),
  executeAs: ({ runCommands }, file, files) => runCommands.execute(file, files, 'identity'),
  executeOn: ({ runCommands }, file, files) => runCommands.execute(file, files, 'connection'),
  checkAction: async ({ services, language }, file, connection) =>
    (await import('./language/check-command.ts')).checkAction(services, language, file, connection),
  previewRequest: async (actions, file) => (await actions.previews()).show(file),
  newActionFile: (actions) => actions.newFile((creator) => creator.create()),
  newActionFileFrom: (actions, source) => actions.newFile((creator) => creator.createFrom(source)),
  newAction: async (actions, of, action) =>
    (await actions.forms()).create(of, action, typeof action === 'string' ? action : undefined),
  transferObject: async (actions, of, selected) => (await actions.forms()).create(of, selected, 'transfer'),
  redeemObject: async (actions, of, selected) => (await actions.forms()).create(of, selected, 'redeem'),
  updateObject: async (actions, of, selected) => (await actions.forms()).create(of, selected, 'update'),
  mintObject: async (actions, of, selected) => (await actions.forms()).create(of, selected, 'mint'),
  generateClient: async ({ services }, of, selected) =>
    (await import('./client/client-command.ts')).openClient(services, of, selected),
  runWithData: async (actions, file, data) =>
    (await import('./bulk/panel/bulk-commands.ts')).runWithData(actions, file, data),
  runOnSelection: async (actions, of, selected) =>
    (await import('./bulk/panel/bulk-commands.ts')).runOnSelection(actions, of, selected),
  cancelRun: async ({ history, runner }, run) =>
    runner.cancel((await history.getRun(run, l10n.t('Select a Run to Cancel'), true)).id),
  lookUpRun: async ({ history, runCommands }, run) =>
    runCommands.lookUp(await history.getRun(run, l10n.t('Select a Run to Find Its Action Log'))),
  rerun: async ({ history, runCommands }, run) =>
    runCommands.rerun(await history.getRun(run, l10n.t('Select a Run to Repeat'))),
  compareRuns: async ({ history }, run) =>
    history.compare(await history.getRun(run, l10n.t('Select a Run to Compare'))),
  showRuns: ({ history }, run) => history.show(run),
  copyRunner: async ({ services }, file) => (await import('./copy/copy-commands.ts')).copyRunnerCommand(services, file),
  copyRunCurl: async ({ history, services }, run) =>
    (await import('./copy/copy-commands.ts')).copyCurl(
      services,
      await history.getRun(run, l10n.t('Select a Run to Copy')),
    ),
  removeRun: async ({ history }, run) => history.remove(await history.getRun(run, l10n.t('Select a Run to Remove'))),
  openRunRow: (actions) => actions.openSelectedRow(),
  openRunDiff: async ({ history }, run, object) =>
    history.openDiff(await history.getRun(run, l10n.t('Select a Run to Show Its Objects')), object),
  manageVariables: async ({ services }) => (await import('./variables/manage-variables.ts')).manageVariables(services),
  openRunTransaction: async ({ history, services }, run) =>
    (await import('./copy/copy-commands.ts')).openTransaction(
      services,
      await history.getRun(run, l10n.t('Select a Run to Open Its Transaction')),
    ),
} satisfies CommandHandlers<ActionsController>;
