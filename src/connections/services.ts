/** Builds what every room works with: the connections of this window and their sessions. Loaded on first use. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import { redactText } from '../platform/redact.ts';
import type { Log } from '../ui/log.ts';
import type { Ui } from '../ui/ui.ts';
import { Histories } from './histories.ts';
import { KnownIds } from './known-ids.ts';
import { ACTION_SECRET } from './known-secrets.ts';
import { fetchPicture } from './picture.ts';
import { forgetRecent } from './recent.ts';
import type { Secrets } from './secret-store.ts';
import { Snapshots } from './snapshots.ts';
import { networkSections } from './settings.ts';
import { SessionStore } from './store.ts';
import { Thumbnails } from './thumbnails.ts';

export interface ServiceParts {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly ui: Ui;
  /** another secret store, in tests */
  readonly secrets?: Secrets;
}

export async function createServices({ context, log, ui, secrets = context.secrets }: ServiceParts): Promise<Services> {
  const ids = new KnownIds({
    storage: context.globalStorageUri.fsPath,
    log,
    profiles: () => store.all.map(({ profile }) => profile),
  });
  const ending = new AbortController();
  const thumbnails = new Thumbnails({
    signal: ending.signal,
    fetch: (url, signal) => fetchPicture((request) => store.transport.send(request), url, signal),
  });
  const snapshots = new Snapshots({
    folder: path.join(context.globalStorageUri.fsPath, 'snapshots'),
    session: (connection) => store.get(connection),
    secrets: () => store.known.values,
    log,
  });
  const store: SessionStore = new SessionStore({
    context,
    log,
    ui,
    secrets,
    ids: ids.index,
    snapshots,
    forgetIds: (connection) => {
      ids.forget(connection);
    },
    forget: async (connection) => {
      ids.forget(connection);
      // At once: a window that is killed must leave none of them.
      await ids.flush();
      await forgetRecent(context.globalState, connection);
      await snapshots.forget(connection);
    },
    signInAgain: async (store, session, why) =>
      (await import('./commands/sign-in.ts')).signInAgain(store, session, why),
  });
  context.subscriptions.push(
    // What is to be kept is written before the sessions end.
    snapshots,
    ids,
    store,
    thumbnails,
    {
      dispose: () => {
        ending.abort();
      },
    },
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (networkSections.some((section) => event.affectsConfiguration(section))) store.transport.renew();
      if (event.affectsConfiguration('smartObjects.connections')) void store.reload();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void store.reload()),
    store.secretStore.onDidChange((connection) => void store.recheck(connection)),
    // For hosts whose store tells nothing of other windows.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) void store.reload();
    }),
  );
  const [values] = await Promise.all([actionSecrets(secrets), store.reload()]);
  store.known.add(values);
  return {
    context,
    sessions: store,
    ids,
    snapshots,
    thumbnails,
    histories: new Histories(),
    log,
    ui,
    send: (request) => store.transport.send(request),
    redact: (text) => redactText(text, store.known.values),
    knownSecrets: () => store.known.values,
    hide: (secret) => {
      store.known.add([secret]);
    },
  };
}

/** The values of `${secret:…}`: stored secrets too, so that no document shows one; none where the store cannot be read. */
async function actionSecrets(secrets: Secrets): Promise<readonly (string | undefined)[]> {
  try {
    const keys = (await secrets.keys()).filter((key) => key.startsWith(ACTION_SECRET));
    return await Promise.all(keys.map((key) => secrets.get(key)));
  } catch {
    return [];
  }
}

/** The store behind the services, for the commands of this room. */
export function storeOf({ sessions }: Services): SessionStore {
  if (sessions instanceof SessionStore) return sessions;
  throw new Error('the connections are not there yet');
}
