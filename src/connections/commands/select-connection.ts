/** Select Connection… and Set as Active: the active connection of the window, and its identity. */
import * as l10n from '@vscode/l10n';
import type { Services } from '../../commands/context.ts';
import { readConnectionName, createSessionItems } from '../session/pick-session.ts';
import { getSessionStore } from '../session/session-store.ts';

/** Activates the named or a picked connection. Rejects with Error for an unknown name. */
export async function selectConnection(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const requestedName = readConnectionName(argument);
  if (requestedName !== undefined && store.get(requestedName) === undefined)
    throw new Error(l10n.t('The connection “{0}” does not exist', requestedName));
  if (requestedName !== undefined) {
    await store.setActive(requestedName);
    return;
  }
  if (store.all.length === 0) {
    await store.pickSession(l10n.t('Select Connection'));
    return;
  }
  const sessions = store.all.flatMap(({ profile }) => store.getIdentities(profile.name));
  const chosen = await services.ui.pick(createSessionItems(sessions, store.active), {
    title: l10n.t('Select Connection'),
    placeHolder: l10n.t('Select the active connection'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  const name = chosen?.session.profile.name;
  if (name === undefined || store.get(name) === undefined) return;
  const { identityName } = chosen?.session ?? {};
  if (identityName !== undefined) await store.selectIdentity(name, identityName);
  await store.setActive(name);
}
