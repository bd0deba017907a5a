/** Creates the services of this window: connections, sessions and caches. Loaded on first use. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../commands/context.ts';
import { redactText } from '../platform/text/redact.ts';
import { RequestRecorder } from '../model/requests/request-recorder.ts';
import type { Log } from '../ui/log.ts';
import type { Ui } from '../ui/ui.ts';
import { FailedLogs } from '../cache/failed-logs.ts';
import { HistoryRegistry } from '../cache/history-registry.ts';
import { KnownIds } from '../cache/known-ids.ts';
import { VARIABLE_KEY_PREFIX } from './credentials/known-secrets.ts';
import { fetchPicture } from '../cache/picture.ts';
import { LabelStore } from './labels/label-store.ts';
import { forgetRecentResources } from '../cache/recent-resources.ts';
import type { SecretStorage } from './credentials/credential-store.ts';
import { Snapshots } from '../cache/snapshots.ts';
import { NETWORK_SETTINGS } from './profiles/settings.ts';
import { SessionStore } from './session/session-store.ts';
import { Thumbnails } from '../cache/thumbnails.ts';

interface ServicesOptions {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly ui: Ui;
  /** replaced in tests */
  readonly secrets?: SecretStorage;
}

/**
 * Loads profiles and credentials and creates the services; they are disposed with the extension. Rejects if the
 * secret store or the memento fails.
 */
export async function createServices({
  context,
  log,
  ui,
  secrets = context.secrets,
}: ServicesOptions): Promise<Services> {
  const ids = new KnownIds({
    storage: context.globalStorageUri.fsPath,
    log,
    profiles: () => store.all.map(({ profile }) => profile),
  });
  const failedLogs = new FailedLogs();
  const labels = new LabelStore(log);
  const requests = new RequestRecorder();
  const thumbnails = new Thumbnails((url, signal) =>
    fetchPicture((request) => store.transport.send(request), url, signal),
  );
  const snapshots = new Snapshots({
    folder: path.join(context.globalStorageUri.fsPath, 'snapshots'),
    session: (connection) => store.get(connection),
    secrets: () => store.knownSecrets.values,
    log,
  });
  const store: SessionStore = new SessionStore({
    context,
    log,
    ui,
    secrets,
    ids: {
      record: (connection, definition, items, id) => {
        ids.index.record(connection, definition, items, id);
        failedLogs.record(connection, definition, items);
      },
    },
    snapshots,
    requests,
    forgetIds: (connection) => {
      ids.forget(connection);
      failedLogs.forget(connection);
    },
    forget: async (connection) => {
      ids.forget(connection);
      failedLogs.forget(connection);
      requests.clear(connection);
      // Written at once: a killed window must not leave them.
      await ids.flush();
      await forgetRecentResources(context.globalState, connection);
      await snapshots.forget(connection);
    },
    signInAgain: async (store, session, why) =>
      (await import('./commands/sign-in.ts')).signInAgain(store, session, why),
  });
  context.subscriptions.push(
    // Disposed before the sessions, to write what is pending.
    snapshots,
    ids,
    store,
    labels,
    thumbnails,
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (NETWORK_SETTINGS.some((section) => event.affectsConfiguration(section))) store.transport.replace();
      if (event.affectsConfiguration('smartObjects.connections')) void store.reload();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void store.reload()),
    store.credentialStore.onDidChange((connection) => void store.reloadCredential(connection)),
    // Some hosts do not announce secret changes of other windows.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) void store.reload();
    }),
  );
  const [values] = await Promise.all([readVariableSecrets(secrets), store.reload(), labels.reload()]);
  store.knownSecrets.add(values);
  return {
    context,
    sessions: store,
    labels,
    knownIds: ids,
    failedLogs,
    snapshots,
    thumbnails,
    histories: new HistoryRegistry(),
    requests,
    log,
    ui,
    send: (request) => store.transport.send(request),
    redact: (text) => redactText(text, store.knownSecrets.values),
    knownSecrets: () => store.knownSecrets.values,
    addSecret: (secret) => store.knownSecrets.add([secret]),
  };
}

/** The `${secret:…}` values, so that documents mask them; empty if the store cannot be read. */
async function readVariableSecrets(secrets: SecretStorage): Promise<readonly (string | undefined)[]> {
  try {
    const keys = (await secrets.keys()).filter((key) => key.startsWith(VARIABLE_KEY_PREFIX));
    return await Promise.all(keys.map((key) => secrets.get(key)));
  } catch {
    return [];
  }
}
