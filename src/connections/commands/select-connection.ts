/** Select Connection…: the active connection and organization of the window. */
import type { Services } from '../../commands/context.ts';
import { readConnectionName, createSessionItems } from '../session/pick-session.ts';
import { formatOrganization } from '../../model/heading.ts';
import { getSessionStore } from '../session/session-store.ts';

/**
 * Activates the named or a picked connection, then offers its organizations. Rejects with Error for an unknown name.
 */
export async function selectConnection(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const requestedName = readConnectionName(argument);
  if (requestedName !== undefined && store.get(requestedName) === undefined)
    throw new Error(`there is no connection named ${requestedName}`);
  if (store.all.length === 0) {
    await store.pickSession('Select Connection');
    return;
  }
  const name =
    requestedName ??
    (
      await services.ui.pick(createSessionItems(store), {
        title: 'Select Connection',
        placeHolder: 'Which connection do commands start from?',
        matchOnDescription: true,
        matchOnDetail: true,
      })
    )?.name;
  const session = name === undefined ? undefined : store.get(name);
  if (name === undefined || session === undefined) return;
  const organizations = session.organizations;
  if (requestedName !== undefined || organizations.length === 0) {
    await store.setActive(name);
    return;
  }
  const chosen = await services.ui.pick(
    [
      { label: 'All organizations', id: undefined },
      ...organizations.map((organization) => ({
        label: formatOrganization(organization),
        ...(organization.label !== undefined && { description: organization.id }),
        id: organization.id,
      })),
    ],
    { title: session.heading, placeHolder: 'Which organization?' },
  );
  if (chosen !== undefined) await store.setActive(name, chosen.id);
}
