/** Select Connection…: which connection, and which of its organizations, the window works with. */
import type { Services } from '../../commands/entry.ts';
import { connectionName, sessionChoices } from '../choose.ts';
import { organizationWords } from '../heading.ts';
import { storeOf } from '../services.ts';

export async function selectConnection(services: Services, argument?: unknown): Promise<void> {
  const store = storeOf(services);
  const given = connectionName(argument);
  if (given !== undefined && store.get(given) === undefined) throw new Error(`there is no connection named ${given}`);
  if (store.all.length === 0) {
    await store.choose('Select Connection');
    return;
  }
  const name =
    given ??
    (
      await services.ui.pick(sessionChoices(store), {
        title: 'Select Connection',
        placeHolder: 'Which connection do commands start from?',
        matchOnDescription: true,
        matchOnDetail: true,
      })
    )?.name;
  const session = name === undefined ? undefined : store.get(name);
  if (name === undefined || session === undefined) return;
  const organizations = session.organizations;
  if (given !== undefined || organizations.length === 0) {
    await store.activate(name);
    return;
  }
  const chosen = await services.ui.pick(
    [
      { label: 'All organizations', id: undefined },
      ...organizations.map((organization) => ({
        label: organizationWords(organization),
        ...(organization.label !== undefined && { description: organization.id }),
        id: organization.id,
      })),
    ],
    { title: session.heading, placeHolder: 'Which organization?' },
  );
  if (chosen !== undefined) await store.activate(name, chosen.id);
}
