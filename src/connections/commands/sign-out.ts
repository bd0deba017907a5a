/** Sign Out… and Remove Connection…: after a confirmation, remove the credential, and report what remains. */
import type { Services } from '../../commands/context.ts';
import { formatHeading } from '../../model/heading.ts';
import { formatError } from '../../model/error-message.ts';
import { resolveSession } from '../session/pick-session.ts';
import { formatCounts } from '../../cache/history-registry.ts';
import { forgetPlainHttpConsent } from '../profiles/plain-http.ts';
import { LOCAL_SANDBOX_NAME } from '../profiles/read-profiles.ts';
import { getSessionStore, type SessionStore } from '../session/session-store.ts';
import { findScopes, removeProfileEntry } from '../profiles/write-profiles.ts';
import { stopSandbox } from './local-sandbox.ts';

/** Signs out of the given or a picked connection. Rejects where the secret store fails. */
export async function signOut(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const session = await resolveSession(store, argument, 'Sign Out');
  if (session === undefined) return;
  const { name } = session.profile;
  const choice = await pickIdentities(store, name);
  if (choice === undefined) return;
  const { heading, identities } = choice;
  const agreed = await services.ui.confirm({
    message: `${heading}: sign out?`,
    detail: [
      identities?.length === 1
        ? 'Removes from this machine, in all windows: the credential, and the IDs, recent resources and earlier states that were loaded on this connection.'
        : 'Removes from this machine, in all windows: all credentials of this connection, and the IDs, recent resources and earlier states that were loaded with them.',
      'Keeps the run history, the values of ${secret:…} variables, filters, favorites, and what you exported or saved.',
    ].join('\n\n'),
    confirmLabel: 'Sign Out',
  });
  if (!agreed) return;
  await store.signOut(name, identities);
  // Not awaited: the command is finished, and the button continues by itself.
  void offerHistoryDeletion(services, name, `${heading}: signed out.`);
}

/**
 * What to sign out of: a picked identity, or all (`identities` is absent), which include those stored for another
 * address. `undefined` on cancel.
 */
async function pickIdentities(
  store: SessionStore,
  connection: string,
): Promise<{ readonly heading: string; readonly identities?: readonly string[] } | undefined> {
  const sessions = store.getIdentities(connection);
  const [first, second] = sessions;
  if (first === undefined || second === undefined) return first && { heading: first.heading };
  const choices = sessions.map(({ heading, identityKey, identity }) => ({
    label: identityKey,
    description: identity?.subject ?? '',
    choice: { heading, identities: [identityKey] },
  }));
  const all = { label: 'All identities', description: '', choice: { heading: formatHeading(first.profile) } };
  const options = { title: `Sign Out of ${connection}`, placeHolder: 'Which identity?' };
  return (await store.ui.pick([...choices, all], options))?.choice;
}

/** Removes the given or a picked connection from settings or memory. Rejects where settings or secret store fail. */
export async function removeConnection(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const session = await resolveSession(store, argument, 'Remove Connection');
  if (session === undefined) return;
  const { name, source } = session.profile;
  if (name === LOCAL_SANDBOX_NAME) {
    await stopSandbox(services);
    return;
  }
  const scopes = findScopes(name);
  const settingsLabel = scopes.map((scope) => `${scope} settings`).join(' and the ');
  const detail =
    source === 'memory'
      ? 'The connection exists in this window only, and its credentials are deleted with it. Nothing changes on the platform.'
      : `Removes it from the ${settingsLabel}, and its credentials and values of \${secret:…} variables from the secret storage. Nothing changes on the platform.`;
  const heading = formatHeading(session.profile);
  const agreed = await services.ui.confirm({
    message: `${heading}: remove this connection?`,
    detail,
    confirmLabel: 'Remove',
  });
  if (!agreed) return;
  if (source === 'memory') await store.removeFromMemory(name);
  else {
    await store.signOut(name);
    await store.credentialStore.forgetVariableSecrets(name);
    await forgetPlainHttpConsent(store, session.profile);
    for (const scope of scopes) await removeProfileEntry(name, scope);
    await store.reload();
  }
  void offerHistoryDeletion(services, name, `${heading}: removed.`);
}

/** Reports the result, and offers to delete what features still store for the connection. */
async function offerHistoryDeletion(services: Services, name: string, message: string): Promise<void> {
  const { ui, histories, log } = services;
  try {
    const stored = await histories.countAll(name);
    if (stored.length === 0) {
      void ui.info(message);
      return;
    }
    const deleteAll = `Delete ${formatCounts(stored)}`;
    const answer = await ui.info(
      `${message} The history of this workspace still contains ${formatCounts(stored)} of it.`,
      deleteAll,
    );
    if (answer === deleteAll) for (const { history } of stored) await history.delete(name);
  } catch (error) {
    const text = formatError('Delete history', error);
    log.error(text);
    void ui.error(text);
  }
}
