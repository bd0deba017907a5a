/** The one wrapper around every command: logs it, loads what it needs, shows what goes wrong. */
import * as vscode from 'vscode';
import { Disposables } from '../ui/disposables.ts';
import { createLog, type Log } from '../ui/log.ts';
import { editorUi, type Ui } from '../ui/ui.ts';
import type { Entry, Services } from './entry.ts';
import type { CommandArguments, CommandId } from './ids.ts';

export interface EntryParts {
  readonly context: vscode.ExtensionContext;
  /** loads the connections room */
  readonly load: (parts: { context: vscode.ExtensionContext; log: Log; ui: Ui }) => Promise<Services>;
  readonly ui?: Ui;
}

export function createEntry({ context, load, ui = editorUi }: EntryParts): Entry {
  const owned = new Disposables();
  context.subscriptions.push(owned);
  let log: Log | undefined;
  let loading: Promise<Services> | undefined;
  const entry: Entry = {
    context,
    ui,
    log: () => (log ??= owned.add(createLog())),
    services: () => (loading ??= load({ context, log: entry.log(), ui })),
    own: (disposable) => owned.add(disposable),
    command(id, run) {
      const wrapped = async (...args: unknown[]): Promise<unknown> => {
        try {
          // The manifest and our own callers keep to the argument types; each command checks what it is given.
          return await run(await entry.services(), ...(args as CommandArguments[typeof id]));
        } catch (error) {
          await present(entry, id, error);
          return undefined;
        }
      };
      owned.add(vscode.commands.registerCommand(`smartObjects.${id}`, wrapped));
    },
    async run(id, ...args) {
      return vscode.commands.executeCommand(`smartObjects.${id}`, ...args);
    },
  };
  return entry;
}

async function present(entry: Entry, id: CommandId, error: unknown): Promise<void> {
  const { errorText, isCancelled } = await import('../ui/error-text.ts');
  if (isCancelled(error)) return;
  const text = errorText(wordsOf(id), error);
  entry.log().error(text);
  const openLogs = 'Open Logs';
  // Not awaited: a notification may stand for minutes, and the command is over.
  void entry.ui.error(text, openLogs).then((chosen) => {
    if (chosen === openLogs) entry.log().show();
  });
}

/** `executeAction` → `Execute action` */
function wordsOf(id: CommandId): string {
  const words = id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
