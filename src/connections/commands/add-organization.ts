/** Add Organization…: names an organization that was discovered, or one by its id: the contract has no list of them. */
import * as l10n from '@vscode/l10n';
import type { Services } from '../../commands/context.ts';
import { formatOrganization, isNamedOrganization } from '../../model/text/heading.ts';
import type { Organization, Session } from '../../model/session/session.ts';
import { BACK } from '../../ui/ui.ts';
import { getValuesAt } from '../../platform/json/field-values.ts';
import { objects } from '../../platform/resources/objects.ts';
import { formatNumber } from '../../platform/text/localization.ts';
import { resolveSession } from '../session/pick-session.ts';
import { getSessionStore } from '../session/session-store.ts';
import { runForm, validateId, type FormStep } from './form.ts';
import { escapeIcons } from '../../ui/escape-icons.ts';

const MAX_LABEL_LENGTH = 100;

/** Runs the form for the given or a picked connection. Rejects if the settings cannot be written. */
export async function addOrganization(services: Services, argument?: unknown): Promise<void> {
  const { ui } = services;
  const store = getSessionStore(services);
  const session = await resolveSession(store, argument, l10n.t('Add Organization'));
  if (session === undefined) return;
  const title = l10n.t('{0}: Add Organization', session.heading);
  const listUnnamed = (): readonly Organization[] =>
    session.organizations.filter((organization) => !isNamedOrganization(organization));
  if (listUnnamed().length === 0 && session.signedOutReason === undefined) await ui.progress(title, discover(session));
  const discovered = listUnnamed();
  const draft: { id: string; label: string; isDiscovered: boolean } = { id: '', label: '', isDiscovered: false };
  const pickDiscovered: FormStep = async (position) => {
    if (discovered.length === 0) return 'skip';
    const choices = [
      ...discovered.map((organization) => createChoice(organization, findName(services, organization.id))),
      { label: `$(edit) ${l10n.t('Enter an ID…')}`, organization: undefined, name: '' },
    ];
    const chosen = await ui.pickStep(choices, {
      ...position,
      title,
      placeHolder: l10n.t('Select an organization'),
      matchOnDescription: true,
    });
    if (chosen === undefined || chosen === BACK) return chosen;
    const { organization } = chosen;
    draft.isDiscovered = organization !== undefined;
    if (organization !== undefined) {
      draft.id = organization.id;
      draft.label = chosen.name;
    }
    return true;
  };
  const askId: FormStep = async (position) => {
    if (draft.isDiscovered) return 'skip';
    const typed = await ui.inputStep({
      ...position,
      title,
      value: draft.id,
      prompt: l10n.t('ID of the organization'),
      validateInput: (text) => validateOrganizationId(text, session),
    });
    if (typeof typed !== 'string') return typed;
    const id = typed.trim();
    // A name that was typed stays with its ID.
    if (id !== draft.id) {
      draft.id = id;
      draft.label = findName(services, id);
    }
    return true;
  };
  const askLabel: FormStep = async (position) => {
    const label = await ui.inputStep({ ...position, ...createLabelInput(title, draft.label) });
    if (typeof label !== 'string') return label;
    draft.label = label.trim();
    return true;
  };
  if (!(await runForm([pickDiscovered, askId, askLabel]))) return;
  await store.setOrganization(session.profile.name, draft.id, toNamed(draft.label));
}

/** The input box for the name of an organization. */
export function createLabelInput(title: string, value: string) {
  return {
    title,
    value,
    prompt: l10n.t('Display name (optional)'),
    validateInput: (text: string) =>
      text.trim().length > MAX_LABEL_LENGTH
        ? l10n.t('Use up to {0} characters', formatNumber(MAX_LABEL_LENGTH))
        : undefined,
  };
}

/** How the settings name an organization; an empty label leaves its id. */
export function toNamed(label: string): { readonly label?: string } {
  return label === '' ? {} : { label };
}

/** Reads the newest objects for the organizations that they belong to. Never rejects: an id can still be entered. */
function discover(session: Session): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    const page = await session.client.listPageFor(objects, { limit: 100 }, { signal }).catch(() => undefined);
    session.addDiscoveredOrganizations((page?.items ?? []).flatMap(({ raw }) => getValuesAt(raw, 'org_id')));
  };
}

function createChoice(organization: Organization, name: string) {
  const origin = organization.source === 'token' ? l10n.t('from the access token') : l10n.t('discovered');
  return {
    label: escapeIcons(formatOrganization({ ...organization, ...toNamed(name) })),
    description: name === '' ? origin : `${formatOrganization(organization)} · ${origin}`,
    organization,
    name,
  };
}

/** The user's label of the organization, or the name that another connection gives it; empty if there is none. */
function findName(services: Services, id: string): string {
  const named = services.sessions.all.flatMap(({ organizations }) => organizations);
  const label = services.labels.get(id)?.text;
  return label ?? named.find((other) => other.id === id && other.label !== undefined)?.label ?? '';
}

function validateOrganizationId(text: string, { organizations }: Session): string | undefined {
  const known = organizations.find(({ id }) => id === text.trim());
  return known !== undefined && isNamedOrganization(known)
    ? l10n.t('This organization already exists')
    : validateId(text, l10n.t('Enter the ID of the organization'));
}
