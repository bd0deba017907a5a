/** Add Organization…: names one by its id, since the contract has no list of organizations. */
import type { Services } from '../../commands/entry.ts';
import { sessionFor } from '../choose.ts';
import { storeOf } from '../services.ts';
import { addOrganizationTo } from '../user-settings.ts';
import { BACK } from '../../ui/ui.ts';

export async function addOrganization(services: Services, argument?: unknown): Promise<void> {
  const { ui } = services;
  const store = storeOf(services);
  const session = await sessionFor(store, argument, 'Add Organization');
  if (session === undefined) return;
  const title = `${session.heading}: Add Organization`;
  const named = new Set(session.organizations.filter(({ source }) => source === 'settings').map(({ id }) => id));
  let id = '';
  for (;;) {
    const typed = await ui.inputStep({
      title,
      step: 1,
      totalSteps: 2,
      value: id,
      prompt: 'The id of the organization',
      validateInput: (text) => organizationProblem(text, named),
    });
    if (typeof typed !== 'string') return;
    id = typed.trim();
    const label = await ui.inputStep({
      title,
      step: 2,
      totalSteps: 2,
      prompt: 'A name to show for it, or nothing',
      validateInput: (text) => (text.trim().length > 100 ? 'At most 100 characters' : undefined),
    });
    if (label === BACK) continue;
    if (label === undefined) return;
    const shown = label.trim() === '' ? undefined : label.trim();
    const { name } = session.profile;
    if (store.isInMemory(name)) {
      await store.addOrganizationInMemory(name, { id, ...(shown !== undefined && { label: shown }), source: 'added' });
    } else {
      await addOrganizationTo(name, id, shown);
      await store.reload();
    }
    return;
  }
}

function organizationProblem(text: string, named: ReadonlySet<string>): string | undefined {
  const id = text.trim();
  if (id === '') return 'Enter the id of the organization';
  if (id.length > 256 || /[\p{Cc}\s]/u.test(id)) return 'An id has no spaces and at most 256 characters';
  return named.has(id) ? 'This organization is there already' : undefined;
}
