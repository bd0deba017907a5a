/** The one wrapper around every command: logs it, loads what it needs, shows what goes wrong. */
import * as vscode from 'vscode';
import { Disposables } from '../ui/disposables.ts';
import { inForeground } from '../ui/foreground.ts';
import { guardedLog, guardedUi } from '../ui/guarded.ts';
import { createLog, type Log } from '../ui/log.ts';
import { editorUi, type Ui } from '../ui/ui.ts';
import type { Entry, Services } from './entry.ts';
import type { CommandArguments, CommandId } from './ids.ts';

export interface EntryParts {
  readonly context: vscode.ExtensionContext;
  /** loads the connections room */
  readonly load: (parts: { context: vscode.ExtensionContext; log: Log; ui: Ui }) => Promise<Services>;
  readonly ui?: Ui;
  readonly log?: () => Log;
}

export function createEntry({ context, load, ui: rawUi = editorUi, log: makeLog = createLog }: EntryParts): Entry {
  const owned = new Disposables();
  context.subscriptions.push(owned);
  let log: Log | undefined;
  // Until the services are there, no secret is known to anyone.
  const redact = (text: string): string => services?.redact(text) ?? text;
  const ui = guardedUi(rawUi, redact);
  let loading: Promise<Services> | undefined;
  let services: Services | undefined;
  const waiting: ((services: Services) => void)[] = [];
  const loaded = async (): Promise<Services> => {
    try {
      services = await load({ context, log: entry.log(), ui });
    } catch (error) {
      // The next one who asks tries again.
      loading = undefined;
      throw error;
    }
    for (const then of waiting.splice(0)) then(services);
    return services;
  };
  const entry: Entry = {
    context,
    ui,
    log: () => (log ??= owned.add(guardedLog(makeLog(), redact))),
    services: () => (loading ??= loaded()),
    onLoaded(then) {
      if (services === undefined) waiting.push(then);
      else then(services);
    },
    own: (disposable) => owned.add(disposable),
    command(id, run) {
      const wrapped = async (...args: unknown[]): Promise<unknown> => {
        try {
          // The manifest and our own callers keep to the argument types; each command checks what it is given.
          return await inForeground(async () => run(await entry.services(), ...(args as CommandArguments[typeof id])));
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
  const [{ errorText, isCancelled }, { PlacedError }, { UntrustedError }] = await Promise.all([
    import('../ui/error-text.ts'),
    import('../ui/placed-error.ts'),
    import('../ui/untrusted-error.ts'),
  ]);
  if (isCancelled(error)) return;
  const text = errorText(wordsOf(id), error);
  entry.log().error(text);
  const openLogs = 'Open Logs';
  const goToLine = 'Go to Line';
  const trust = 'Manage Workspace Trust';
  const place = error instanceof PlacedError ? error : undefined;
  // Not awaited: a notification may stand for minutes, and the command is over.
  const offers = place !== undefined ? [goToLine] : error instanceof UntrustedError ? [trust] : [];
  void entry.ui.error(text, ...offers, openLogs).then(async (chosen) => {
    if (chosen === openLogs) entry.log().show();
    if (chosen === trust) await vscode.commands.executeCommand('workbench.trust.manage');
    if (chosen !== goToLine || place === undefined) return;
    const at = new vscode.Position(place.line - 1, place.column - 1);
    const uri = vscode.Uri.parse(place.uri, true);
    try {
      await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at) });
    } catch (failure) {
      // The file may be gone by the time that the button is used.
      await present(entry, id, failure);
    }
  });
}

/** `executeAction` → `Execute action` */
function wordsOf(id: CommandId): string {
  const words = id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
