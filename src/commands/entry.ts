/** What each room gets to register itself with at activation: cheap proxies now, the heavy half on first use. */
import type * as vscode from 'vscode';
import type { Histories } from '../connections/histories.ts';
import type { KnownIds } from '../connections/known-ids.ts';
import type { Snapshots } from '../connections/snapshots.ts';
import type { Thumbnails } from '../connections/thumbnails.ts';
import type { Sessions } from '../connections/types.ts';
import type { Send } from '../platform/plain-get.ts';
import type { Disposable } from '../ui/disposables.ts';
import type { Log } from '../ui/log.ts';
import type { Ui } from '../ui/ui.ts';
import type { CommandArguments, CommandId } from './ids.ts';

/** What loads on first use. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly sessions: Sessions;
  /** ids that were met in what was read, by every connection */
  readonly ids: KnownIds;
  /** what resources looked like whenever one was read */
  readonly snapshots: Snapshots;
  /** small pictures of resources, by their own connection's address */
  readonly thumbnails: Thumbnails;
  /** what features keep of a connection after its sign-out: each registers its own */
  readonly histories: Histories;
  readonly log: Log;
  readonly ui: Ui;
  /** over everyone's proxy and certificates; adds no credential: for `plainGet` */
  readonly send: Send;
  /** Masks every secret that this window has met. For texts that leave us by a way of their own: exports, reports. */
  redact(text: string): string;
  /** Every secret that this window has met. For comparing with texts of the user alone: never shown, kept or sent. */
  knownSecrets(): readonly string[];
  /** From now on that secret is masked wherever anything of this window is shown, kept or told. */
  hide(secret: string): void;
}

export interface Entry {
  readonly context: vscode.ExtensionContext;
  readonly log: () => Log;
  readonly ui: Ui;
  /** Loads the connections once; the same promise for everyone. */
  services(): Promise<Services>;
  /** Calls back once the services are there, whoever asks for them first; never loads them. */
  onLoaded(then: (services: Services) => void): void;
  /** Registers `smartObjects.<id>`. The wrapper logs, and shows what is thrown; cancelling is silent. */
  command<Id extends CommandId>(id: Id, run: (services: Services, ...args: CommandArguments[Id]) => unknown): void;
  /** Disposed of with the extension. */
  own<T extends Disposable>(disposable: T): T;
  /** Calls another of our commands. */
  run<Id extends CommandId>(id: Id, ...args: CommandArguments[Id]): Promise<unknown>;
}
