/** Confirm Organization Invite…: sends one request with an effect, and stores the issued tokens. */
import * as l10n from '@vscode/l10n';
import type { Services } from '../../commands/context.ts';
import { resolveSession } from '../session/pick-session.ts';
import { validateSecret } from '../credentials/credential.ts';
import { runForm, validateId, type FormStep } from './form.ts';
import { formatOrganization } from '../../model/text/heading.ts';
import { requestTokens } from './request-tokens.ts';
import { requestPlainHttpConsent } from '../profiles/plain-http.ts';
import { getSessionStore } from '../session/session-store.ts';
import {
  createDestinationSteps,
  formatCredentialNotice,
  formatDestination,
  formatTokensNotStored,
  requestForDestination,
  storeIssuedTokens,
  type TokenDestination,
} from './token-destination.ts';

/** Runs the form. Rejects with PlatformError, or with SessionChangedError if the connection changed. */
export async function confirmInvite(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const session = await resolveSession(store, argument, l10n.t('Confirm Organization Invite'));
  if (session === undefined || !(await requestPlainHttpConsent(store, session.profile))) return;
  const { ui } = services;
  const title = l10n.t('{0}: Confirm Organization Invite', session.heading);
  const invite = { organization: '', member: '', token: '' };
  const createFieldStep =
    (
      field: keyof typeof invite,
      prompt: string,
      validateInput: (text: string) => string | undefined,
      password = true,
    ): FormStep =>
    async (position) => {
      const value = password ? '' : invite[field];
      const typed = await ui.inputStep({ ...position, title, value, password, prompt, validateInput });
      if (typeof typed !== 'string') return typed;
      invite[field] = typed.trim();
      return true;
    };
  const destination: TokenDestination = { name: '', session: undefined };
  if (
    !(await runForm([
      createFieldStep(
        'organization',
        l10n.t('ID of the inviting organization'),
        (text) => validateId(text, l10n.t('Enter the ID of the organization')),
        false,
      ),
      createFieldStep('member', l10n.t('Member ID from the invite (member_id)'), (text) =>
        validateId(text, l10n.t('Enter the member ID')),
      ),
      createFieldStep('token', l10n.t('Invite token. Sent once, not stored'), (text) =>
        validateSecret(l10n.t('Enter the invite token'), text),
      ),
      ...createDestinationSteps(store, session, title, destination),
    ]))
  )
    return;
  const known = session.organizations.find(({ id }) => id === invite.organization);
  const agreed = await ui.confirm({
    message: l10n.t('{0}: confirm the invite?', session.heading),
    detail: [
      l10n.t(
        'You will join the organization {0}.',
        known === undefined ? invite.organization : formatOrganization(known),
      ),
      l10n.t('An invite can be used once.'),
      ...formatCredentialNotice(session),
      formatDestination(destination),
    ].join(' '),
    confirmLabel: l10n.t('Confirm'),
  });
  if (!agreed) return;
  const path = { organizationId: invite.organization };
  const query = { token: invite.token, member_id: invite.member };
  const tokens = await requestForDestination(store, session, destination, () =>
    ui.progress(l10n.t('{0}: confirming the invite…', session.heading), () =>
      requestTokens(
        store.knownSecrets,
        [invite.token, invite.member],
        l10n.t('It is unknown whether the invite was confirmed. The request is not repeated automatically.'),
        () => session.client.confirmInvite(path, query),
      ),
    ),
  );
  const { session: signedIn, stored } = await storeIssuedTokens(
    store,
    session.profile,
    destination,
    tokens,
    invite.organization,
  );
  const message = l10n.t('{0}: invite confirmed and signed in.', signedIn.heading);
  void (stored ? ui.info(message) : ui.warn(`${message} ${formatTokensNotStored()}`));
}
