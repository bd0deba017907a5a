/** Rename Organization… and Remove Organization…, for the organizations that a connection names. */
import * as l10n from '@vscode/l10n';
import type { Services } from '../../commands/context.ts';
import { formatOrganization, isNamedOrganization } from '../../model/text/heading.ts';
import type { Organization, Session } from '../../model/session/session.ts';
import { findOrganizationScopes } from '../profiles/write-profiles.ts';
import { resolveSession } from '../session/pick-session.ts';
import { getSessionStore } from '../session/session-store.ts';
import { createLabelInput, toNamed } from './add-organization.ts';
import { formatSettingsRemoval } from './settings-removal.ts';

/** Renames the given or a picked organization. Rejects if the settings cannot be written. */
export async function renameOrganization(services: Services, argument?: unknown): Promise<void> {
  const found = await resolveOrganization(services, argument, l10n.t('Rename Organization'));
  if (found === undefined) return;
  const { session, organization } = found;
  const title = l10n.t('{0}: Rename {1}', session.heading, formatOrganization(organization));
  const label = await services.ui.input(createLabelInput(title, organization.label ?? ''));
  if (label === undefined || session.ended.aborted) return;
  await getSessionStore(services).setOrganization(session.profile.name, organization.id, toNamed(label.trim()));
}

/** Removes the given or a picked organization, after a confirmation. Rejects if the settings cannot be written. */
export async function removeOrganization(services: Services, argument?: unknown): Promise<void> {
  const found = await resolveOrganization(services, argument, l10n.t('Remove Organization'));
  if (found === undefined) return;
  const { session, organization } = found;
  const { name, source } = session.profile;
  const agreed = await services.ui.confirm({
    message: l10n.t('{0}: remove the organization {1}?', session.heading, formatOrganization(organization)),
    detail: [
      source === 'memory'
        ? l10n.t('Removes it in this window.')
        : formatSettingsRemoval(findOrganizationScopes(name, organization.id)),
      l10n.t('It reappears when the platform returns it again. Nothing changes on the platform.'),
    ].join(' '),
    confirmLabel: l10n.t('Remove'),
  });
  if (agreed && !session.ended.aborted)
    await getSessionStore(services).setOrganization(name, organization.id, undefined);
}

/**
 * The organization that an argument names, or the user's choice, of those that `isOffered`; `undefined` if cancelled, or if
 * there are none. Rejects with Error for an unknown one.
 */
export async function resolveOrganization(
  services: Services,
  argument: unknown,
  title: string,
  isOffered: (organization: Organization) => boolean = isNamedOrganization,
): Promise<{ readonly session: Session; readonly organization: Organization } | undefined> {
  const session = await resolveSession(getSessionStore(services), argument, title);
  if (session === undefined) return undefined;
  const organizations = session.organizations.filter(isOffered);
  const id: unknown =
    typeof argument === 'object' && argument !== null ? Reflect.get(argument, 'organization') : undefined;
  if (id !== undefined) {
    const organization = organizations.find((known) => known.id === id);
    if (organization === undefined)
      throw new Error(l10n.t('The settings of {0} do not contain this organization', session.profile.name));
    return { session, organization };
  }
  if (organizations.length === 0) {
    void services.ui.info(l10n.t('{0}: the settings contain no organizations.', session.heading));
    return undefined;
  }
  const chosen = await services.ui.pick(
    organizations.map((organization) => ({
      label: formatOrganization(organization),
      ...(organization.label !== undefined && { description: organization.id }),
      organization,
    })),
    {
      title: l10n.t('{0}: {1}', session.heading, title),
      placeHolder: l10n.t('Select an organization'),
      matchOnDescription: true,
    },
  );
  return chosen === undefined ? undefined : { session, organization: chosen.organization };
}
