/** Sign Out… and Remove Connection…: both ask, and leave no trace of the credential. */
import type { Services } from '../../commands/entry.ts';
import { sessionFor } from '../choose.ts';
import { forgetPlainHttp } from '../plain-http.ts';
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
    detail: 'The credential is removed from the secret store of the editor, in all windows.',
    action: 'Sign Out',
  });
  if (!agreed) return;
  await store.signOut(name);
  void services.ui.info(`${session.heading}: signed out.`);
}

export async function removeConnection(services: Services, argument?: unknown): Promise<void> {
  const store = storeOf(services);
  const session = await sessionFor(store, argument, 'Remove Connection');
  if (session === undefined) return;
  const { name, source } = session.profile;
  if (source === 'memory') {
    await stopSandbox(services);
    return;
  }
  const places = placesOf(name);
  const where = places.map((place) => `${place} settings`).join(' and the ');
  const agreed = await services.ui.confirm({
    message: `${session.heading}: remove this connection?`,
    detail: `It is removed from the ${where}, and its credential from the secret store of the editor. Nothing changes on the platform.`,
    action: 'Remove',
  });
  if (!agreed) return;
  await store.signOut(name);
  await forgetPlainHttp(store, session.profile);
  for (const place of places) await removeEntry(name, place);
  await store.reload();
}
