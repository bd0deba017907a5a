/** The commands of the action logs. */
import type { CommandHandlers } from '../commands/register-commands.ts';
import type { LogsController } from './controller.ts';

export const commands = {
  showActionLogs: (logs, argument) => logs.showLogs(argument),
  showFailures: (logs, argument) => logs.showFailures(argument),
  filterLogs: async (logs) => (await logs.getPanel())?.handlers.addFilter({}),
  findInLogs: async (logs) => (await logs.getPanel())?.find(),
  pauseLogs: async (logs) => (await logs.getPanel())?.handlers.pause({ paused: true }),
  resumeLogs: async (logs) => (await logs.getPanel())?.handlers.pause({ paused: false }),
  refreshLogs: async (logs) => (await logs.getPanel())?.handlers.retry({}),
  expandLogs: async (logs) => (await logs.getPanel())?.setExpanded(true),
  collapseLogs: async (logs) => (await logs.getPanel())?.setExpanded(false),
  exportLogs: async (logs) => (await logs.getPanel())?.export(),
  openLogsInEditor: async (logs) => (await logs.getPanel())?.handlers.openTab({}),
  copyLink: (logs) => logs.copyLink(),
} satisfies CommandHandlers<LogsController>;
