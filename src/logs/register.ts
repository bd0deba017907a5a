/** Registers the action logs: the view in the panel, its editor tabs, commands and links, as cheap proxies. */
import * as vscode from 'vscode';
import type { Entry } from '../commands/entry.ts';
import type { CommandId } from '../commands/ids.ts';
import { lazyPanel, lazyView } from '../webviews/lazy.ts';
import type { LogsRoom } from './room.ts';

export const VIEW = 'smartObjects.actionLogs';
export const TAB = 'smartObjects.actionLogsTab';

const COMMANDS = [
  'showActionLogs',
  'showObjectHistory',
  'showFailures',
  'copyLink',
] as const satisfies readonly CommandId[];

/** What the tests reach the logs with. */
export interface LogsHooks {
  room(): Promise<LogsRoom>;
}

export function registerLogs(entry: Entry): LogsHooks {
  // "Since I started" is since this window did.
  const started = Date.now();
  let loading: Promise<LogsRoom> | undefined;
  const room = (): Promise<LogsRoom> =>
    (loading ??= Promise.all([entry.services(), import('./room.ts')]).then(
      ([services, { LogsRoom }]) => new LogsRoom(entry, services, started),
    ));
  for (const id of COMMANDS)
    entry.command(id, async (_services, ...args: readonly unknown[]) => (await room()).run(id, args[0]));
  lazyView(entry, VIEW, async (_services, view, state) => {
    (await room()).resolve(view, state);
  });
  lazyPanel(entry, TAB, async (_services, panel, state) => {
    (await room()).restore(panel, state);
  });
  entry.own(vscode.window.registerUriHandler({ handleUri: async (uri) => (await room()).openLink(uri) }));
  return { room };
}
