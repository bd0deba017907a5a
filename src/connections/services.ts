/** Builds what every room works with: the connections of this window and their sessions. Loaded on first use. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import { redactText } from '../platform/redact.ts';
import type { Log } from '../ui/log.ts';
import type { Ui } from '../ui/ui.ts';
import { KnownIds } from './known-ids.ts';
import type { Secrets } from './secret-store.ts';
import { networkSections } from './settings.ts';
import { SessionStore } from './store.ts';

export interface ServiceParts {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly ui: Ui;
  /** another secret store, in tests */
  readonly secrets?: Secrets;
}

export async function createServices({ context, log, ui, secrets = context.secrets }: ServiceParts): Promise<Services> {
  const ids = new KnownIds({
    storage: context.globalStorageUri,
    log,
    profiles: () => store.all.map(({ profile }) => profile),
  });
  const store: SessionStore = new SessionStore({
    context,
    log,
    ui,
    secrets,
    ids: ids.index,
    signInAgain: async (store, session) => (await import('./commands/sign-in.ts')).signInAgain(store, session),
  });
  context.subscriptions.push(
    store,
    ids,
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
  await store.reload();
  return { context, sessions: store, ids, log, ui, redact: (text) => redactText(text, store.known.values) };
}

/** The store behind the services, for the commands of this room. */
export function storeOf({ sessions }: Services): SessionStore {
  if (sessions instanceof SessionStore) return sessions;
  throw new Error('the connections are not there yet');
}
