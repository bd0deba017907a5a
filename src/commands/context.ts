/** What features receive to register themselves at activation: cheap proxies, with services loaded on first use. */
import type * as vscode from 'vscode';
import type { FailedLogs } from '../cache/failed-logs.ts';
import type { HistoryRegistry } from '../cache/history-registry.ts';
import type { KnownIds } from '../cache/known-ids.ts';
import type { Snapshots } from '../cache/snapshots.ts';
import type { Thumbnails } from '../cache/thumbnails.ts';
import type { RequestRecorder } from '../model/requests/request-recorder.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import type { Labels } from '../model/text/labels.ts';
import type { Sessions } from '../model/session/session.ts';
import type { Send } from '../platform/http/unauthenticated-get.ts';
import type { Disposable } from '../ui/disposables.ts';
import type { Log } from '../ui/log.ts';
import type { Ui } from '../ui/ui.ts';
import type { CommandArguments, CommandId } from './ids.ts';

/** Loaded on first use. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly sessions: Sessions;
  /** the user's labels of addresses and ids */
  readonly labels: Labels;
  /** discovered ids of all connections */
  readonly knownIds: KnownIds;
  /** failed action logs that were read in this window */
  readonly failedLogs: FailedLogs;
  /** earlier texts of resources */
  readonly snapshots: Snapshots;
  /** small pictures of resources, from their own connection's origin */
  readonly thumbnails: Thumbnails;
  /** data of features that remains after a sign-out; each feature registers its own */
  readonly histories: HistoryRegistry;
  /** what was sent and received, if something shows it */
  readonly requests: RequestRecorder;
  readonly log: Log;
  readonly ui: Ui;
  /** the shared transport with proxy and certificates; adds no credential: for `getUnauthenticated` */
  readonly send: Send;
  /** Masks every known secret. For texts that leave the extension elsewhere: exports, reports. */
  redact(text: string): string;
  /** Every known secret, to compare with the user's own texts only: never shown, stored or sent. */
  knownSecrets(): readonly string[];
  /** Adds a secret to mask wherever this window shows, stores or logs text. */
  addSecret(secret: string): void;
}

export interface FeatureContext {
  readonly context: vscode.ExtensionContext;
  readonly log: () => Log;
  readonly ui: Ui;
  /** Loads the services once; later calls return the same promise. */
  services(): Promise<Services>;
  /** Calls back once the services are loaded; does not load them. */
  onServicesLoaded(then: (services: Services) => void): void;
  /** Registers `smartObjects.<id>`. The wrapper logs and presents what it throws; cancellation is silent. */
  registerCommand<Id extends CommandId>(
    id: Id,
    executeCommand: (services: Services, ...args: CommandArguments[Id]) => unknown,
  ): void;
  /** Disposes of it with the extension; returns it. */
  addDisposable<T extends Disposable>(disposable: T): T;
  /** Returns the resource of the active page; set once pages are loaded. */
  getPageResource?: () => ResourceArgument | undefined;
  /** Executes another command of the extension. */
  run<Id extends CommandId>(id: Id, ...args: CommandArguments[Id]): Promise<unknown>;
}
