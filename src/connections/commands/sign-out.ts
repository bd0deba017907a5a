/** Sign Out… and Remove Connection…: after a confirmation, remove the credential, and report what remains. */
import * as l10n from '@vscode/l10n';
import type { Services } from '../../commands/context.ts';
import { formatHeading } from '../../model/text/heading.ts';
import { formatError } from '../../model/text/error-message.ts';
import { resolveSession } from '../session/pick-session.ts';
import { formatCounts } from '../../cache/history-registry.ts';
import { forgetPlainHttpConsent } from '../profiles/plain-http.ts';
import { getSessionStore, type SessionStore } from '../session/session-store.ts';
import { findScopes, removeProfileEntry } from '../profiles/write-profiles.ts';
import { stopSandbox } from '../sandbox/local-sandbox.ts';
import { getSandbox } from '../sandbox/running.ts';
import { formatSettingsRemoval } from './settings-removal.ts';

/** Signs out of the given or a picked connection. Rejects if the secret store fails. */
export async function signOut(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const session = await resolveSession(store, argument, l10n.t('Sign Out'));
  if (session === undefined) return;
  const { name } = session.profile;
  const choice = await pickIdentities(store, name);
  if (choice === undefined) return;
  const { heading, identities } = choice;
  const agreed = await services.ui.confirm({
    message: l10n.t('{0}: sign out?', heading),
    detail: [
      identities?.length === 1
        ? l10n.t(
            'Deletes the credential, and the IDs, recent resources and earlier versions loaded from this connection, on this computer and in all windows.',
          )
        : l10n.t(
            'Deletes the credentials of this connection, and the IDs, recent resources and earlier versions loaded from it, on this computer and in all windows.',
          ),
      l10n.t(
        'Keeps the run history, the values of ${secret:…} variables, filters, favorites, and the files that you exported or saved.',
      ),
    ].join('\n\n'),
    confirmLabel: l10n.t('Sign Out'),
  });
  if (!agreed) return;
  await store.signOut(name, identities);
  // Not awaited: the command is finished, and the button has its own handler.
  void offerHistoryDeletion(services, name, l10n.t('{0}: signed out.', heading));
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
  const all = { label: l10n.t('All identities'), description: '', choice: { heading: formatHeading(first.profile) } };
  const options = { title: l10n.t('Sign Out of {0}', connection), placeHolder: l10n.t('Select an identity') };
  return (await store.ui.pick([...choices, all], options))?.choice;
}

/** Removes the given or a picked connection from settings or memory. Rejects if settings or secret store fail. */
export async function removeConnection(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const session = await resolveSession(store, argument, l10n.t('Remove Connection'));
  if (session === undefined) return;
  const { name, source } = session.profile;
  if (getSandbox(name) !== undefined) {
    await stopSandbox(services, name);
    return;
  }
  const scopes = findScopes(name);
  const detail = [
    ...(source === 'memory'
      ? [l10n.t('The connection exists in this window only. Its credentials are deleted too.')]
      : [
          formatSettingsRemoval(scopes),
          l10n.t('Its credentials and the values of its ${secret:…} variables are deleted too.'),
        ]),
    l10n.t('Nothing changes on the platform.'),
  ].join(' ');
  const heading = formatHeading(session.profile);
  const agreed = await services.ui.confirm({
    message: l10n.t('{0}: remove this connection?', heading),
    detail,
    confirmLabel: l10n.t('Remove'),
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
  void offerHistoryDeletion(services, name, l10n.t('{0}: removed.', heading));
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
    const counts = formatCounts(stored);
    const deleteAll = l10n.t('Delete {0}', counts);
    const remaining = l10n.t('The history of this workspace still contains {0} of this connection.', counts);
    // The first button is the primary one.
    const answer = await ui.info(`${message} ${remaining}`, l10n.t('Keep History'), deleteAll);
    if (answer === deleteAll) for (const { history } of stored) await history.delete(name);
  } catch (error) {
    const text = formatError(l10n.t('Clear history'), error);
    log.error(text);
    void ui.error(text);
  }
}
