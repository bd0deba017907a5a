/** Confirm Organization Invite…: sends one request with an effect, and stores the issued tokens. */
import type { Services } from '../../commands/context.ts';
import { resolveSession } from '../session/pick-session.ts';
import { validateSecret } from '../credentials/credential.ts';
import { runForm, type FormStep } from './form.ts';
import { formatOrganization } from '../../model/heading.ts';
import { requestTokens } from './request-tokens.ts';
import { requestPlainHttpConsent } from '../profiles/plain-http.ts';
import { getSessionStore } from '../session/session-store.ts';
import {
  requireDestination,
  createDestinationSteps,
  formatCredentialNotice,
  formatDestination,
  storeIssuedTokens,
  type TokenDestination,
} from './token-destination.ts';

/** Runs the form. Rejects with PlatformError, or with SessionChangedError where the connection changed. */
export async function confirmInvite(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const session = await resolveSession(store, argument, 'Confirm Organization Invite');
  if (session === undefined || !(await requestPlainHttpConsent(store, session.profile))) return;
  const { ui } = services;
  const title = `${session.heading}: Confirm Organization Invite`;
  const invite = { organization: '', member: '', token: '' };
  const askOrganization: FormStep = async (position) => {
    const typed = await ui.inputStep({
      ...position,
      title,
      value: invite.organization,
      prompt: 'ID of the inviting organization',
      validateInput: (text) => validateId('organization', text),
    });
    if (typeof typed !== 'string') return typed;
    invite.organization = typed.trim();
    return true;
  };
  const askMember: FormStep = async (position) => {
    const typed = await ui.inputStep({
      ...position,
      title,
      password: true,
      prompt: 'Member ID of the invite (member_id)',
      validateInput: (text) => validateId('member', text),
    });
    if (typeof typed !== 'string') return typed;
    invite.member = typed.trim();
    return true;
  };
  const askToken: FormStep = async (position) => {
    const typed = await ui.inputStep({
      ...position,
      title,
      password: true,
      prompt: 'Token of the invite. It is sent once and not stored',
      validateInput: (text) => validateSecret('invite token', text),
    });
    if (typeof typed !== 'string') return typed;
    invite.token = typed.trim();
    return true;
  };
  const destination: TokenDestination = { name: '', session: undefined };
  if (
    !(await runForm([
      askOrganization,
      askMember,
      askToken,
      ...createDestinationSteps(store, session, title, destination),
    ]))
  )
    return;
  const known = session.organizations.find(({ id }) => id === invite.organization);
  const agreed = await ui.confirm({
    message: `${session.heading}: confirm the invite?`,
    detail: `You join the organization ${known === undefined ? invite.organization : formatOrganization(known)}. An invite can be used once. ${formatCredentialNotice(session)}${formatDestination(destination)}`,
    confirmLabel: 'Confirm',
  });
  if (!agreed) return;
  requireDestination(store, session, destination);
  const path = { organizationId: invite.organization };
  const query = { token: invite.token, member_id: invite.member };
  const tokens = await ui.progress(`${session.heading}: confirming the invite…`, () =>
    requestTokens(store.knownSecrets, [invite.token, invite.member], 'the invite is confirmed', () =>
      session.client.confirmInvite(path, query),
    ),
  );
  const { session: signedIn, stored } = await storeIssuedTokens(
    store,
    session.profile,
    destination,
    tokens,
    invite.organization,
  );
  const message = `${signedIn.heading}: invite confirmed and signed in.${stored ? '' : ' VS Code could not store the tokens; they are available until this window is closed.'}`;
  void (stored ? ui.info(message) : ui.warn(message));
}

function validateId(what: string, typed: string): string | undefined {
  const id = typed.trim();
  if (id === '') return `Enter the ID of the ${what}`;
  return /[\s\p{Cc}]/u.test(id) || id.length > 256 ? 'An ID has no spaces and at most 256 characters' : undefined;
}
