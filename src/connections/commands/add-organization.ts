/** Add Organization…: adds an organization by its id, since the contract has no list of organizations. */
import type { Services } from '../../commands/context.ts';
import { resolveSession } from '../session/pick-session.ts';
import { getSessionStore } from '../session/session-store.ts';
import { addOrganizationEntry } from '../profiles/write-profiles.ts';
import { BACK } from '../../ui/ui.ts';

/** Runs the form for the given or a picked connection. Rejects where the settings cannot be written. */
export async function addOrganization(services: Services, argument?: unknown): Promise<void> {
  const { ui } = services;
  const store = getSessionStore(services);
  const session = await resolveSession(store, argument, 'Add Organization');
  if (session === undefined) return;
  const title = `${session.heading}: Add Organization`;
  const namedIds = new Set(session.organizations.filter(({ source }) => source === 'settings').map(({ id }) => id));
  let id = '';
  for (;;) {
    const typed = await ui.inputStep({
      title,
      step: 1,
      totalSteps: 2,
      value: id,
      prompt: 'The id of the organization',
      validateInput: (text) => validateOrganizationId(text, namedIds),
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
    const organizationLabel = label.trim() === '' ? undefined : label.trim();
    const { name } = session.profile;
    if (store.isInMemory(name)) {
      await store.addOrganizationInMemory(name, {
        id,
        ...(organizationLabel !== undefined && { label: organizationLabel }),
        source: 'added',
      });
    } else {
      await addOrganizationEntry(name, id, organizationLabel);
      await store.reload();
    }
    return;
  }
}

function validateOrganizationId(text: string, namedIds: ReadonlySet<string>): string | undefined {
  const id = text.trim();
  if (id === '') return 'Enter the id of the organization';
  if (id.length > 256 || /[\p{Cc}\s]/u.test(id)) return 'An id has no spaces and at most 256 characters';
  return namedIds.has(id) ? 'This organization is there already' : undefined;
}
