/** Sign Out… and Remove Connection…: both ask, leave no trace of the credential, and say what they leave. */
import type { Services } from '../../commands/entry.ts';
import { errorText } from '../../ui/error-text.ts';
import { sessionFor } from '../choose.ts';
import { formatCounts } from '../histories.ts';
import { forgetPlainHttp } from '../plain-http.ts';
import { LOCAL_SANDBOX } from '../profiles.ts';
import { storeOf } from '../services.ts';
import { placesOf, removeEntry } from '../user-settings.ts';
import { stopSandbox } from './sandbox.ts';

export async function signOut(services: Services, argument?: unknown): Promise<void> {
  const store = storeOf(services);
  const session = await sessionFor(store, argument, 'Sign Out');
  if (session === undefined) return;
  const { name } = session.profile;
  const agreed = await services.ui.confirm({
    message: `${session.heading}: sign out?`,
    detail: [
      'Removed from this machine, in all windows: the credential, and the IDs, recent resources and earlier states that were read with it.',
      'Kept: the history of runs, the values of ${secret:…} variables, filters and favorites, and what you exported or saved.',
    ].join('\n\n'),
    action: 'Sign Out',
  });
  if (!agreed) return;
  await store.signOut(name);
  // Not awaited: the command is over, and the button leads on by itself.
  void offerHistories(services, name, `${session.heading}: signed out.`);
}

export async function removeConnection(services: Services, argument?: unknown): Promise<void> {
  const store = storeOf(services);
  const session = await sessionFor(store, argument, 'Remove Connection');
  if (session === undefined) return;
  const { name, source } = session.profile;
  if (name === LOCAL_SANDBOX) {
    await stopSandbox(services);
    return;
  }
  const places = placesOf(name);
  const where = places.map((place) => `${place} settings`).join(' and the ');
  const detail =
    source === 'memory'
      ? 'It is a connection of this window, and its credential is lost with it. Nothing changes on the platform.'
      : `It is removed from the ${where}, and its credential and values of \${secret:…} variables from the secret store of the editor. Nothing changes on the platform.`;
  const agreed = await services.ui.confirm({
    message: `${session.heading}: remove this connection?`,
    detail,
    action: 'Remove',
  });
  if (!agreed) return;
  if (source === 'memory') await store.removeFromMemory(name);
  else {
    await store.signOut(name);
    await store.secretStore.forgetVariables(name);
    await forgetPlainHttp(store, session.profile);
    for (const place of places) await removeEntry(name, place);
    await store.reload();
  }
  void offerHistories(services, name, `${session.heading}: removed.`);
}

/** Says what came of it, and offers to delete what features still keep of the connection. */
async function offerHistories(services: Services, name: string, done: string): Promise<void> {
  const { ui, histories, log } = services;
  try {
    const kept = await histories.of(name);
    if (kept.length === 0) {
      void ui.info(done);
      return;
    }
    const deleteAll = `Delete ${formatCounts(kept)}`;
    const answer = await ui.info(`${done} The history of this workspace keeps ${formatCounts(kept)} of it.`, deleteAll);
    if (answer === deleteAll) for (const { history } of kept) await history.delete(name);
  } catch (error) {
    const text = errorText('Delete the history', error);
    log.error(text);
    void ui.error(text);
  }
}
