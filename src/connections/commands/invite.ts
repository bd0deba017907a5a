/** Confirm Organization Invite…: one request that has an effect, and the tokens go straight into the secret store. */
import type { Services } from '../../commands/entry.ts';
import { sessionFor } from '../choose.ts';
import { secretProblem } from '../credential.ts';
import { runForm, type FormStep } from '../form.ts';
import { organizationWords } from '../heading.ts';
import { issue } from '../issue.ts';
import { allowPlainHttp } from '../plain-http.ts';
import { storeOf } from '../services.ts';
import { demandHome, homeSteps, presentedWords, settle, type TokenHome } from '../token-home.ts';

export async function confirmInvite(services: Services, argument?: unknown): Promise<void> {
  const store = storeOf(services);
  const session = await sessionFor(store, argument, 'Confirm Organization Invite');
  if (session === undefined || !(await allowPlainHttp(store, session.profile))) return;
  const { ui } = services;
  const title = `${session.heading}: Confirm Organization Invite`;
  const invite = { organization: '', member: '', token: '' };
  const askOrganization: FormStep = async (at) => {
    const typed = await ui.inputStep({
      ...at,
      title,
      value: invite.organization,
      prompt: 'The id of the organization that invites',
      validateInput: (text) => idProblem('organization', text),
    });
    if (typeof typed !== 'string') return typed;
    invite.organization = typed.trim();
    return true;
  };
  const askMember: FormStep = async (at) => {
    const typed = await ui.inputStep({
      ...at,
      title,
      password: true,
      prompt: 'The member id of the invite (member_id)',
      validateInput: (text) => idProblem('member', text),
    });
    if (typeof typed !== 'string') return typed;
    invite.member = typed.trim();
    return true;
  };
  const askToken: FormStep = async (at) => {
    const typed = await ui.inputStep({
      ...at,
      title,
      password: true,
      prompt: 'The token of the invite. It is sent once and not kept',
      validateInput: (text) => secretProblem('invite token', text),
    });
    if (typeof typed !== 'string') return typed;
    invite.token = typed.trim();
    return true;
  };
  const home: TokenHome = { name: '', session: undefined };
  if (!(await runForm([askOrganization, askMember, askToken, ...homeSteps(store, session, title, home)]))) return;
  const known = session.organizations.find(({ id }) => id === invite.organization);
  const agreed = await ui.confirm({
    message: `${session.heading}: confirm the invite?`,
    detail: `It joins the organization ${known === undefined ? invite.organization : organizationWords(known)}, and can be done once. ${presentedWords(session)}Its tokens are kept for the connection ${home.name}.`,
    action: 'Confirm',
  });
  if (!agreed) return;
  demandHome(store, session, home);
  const path = { organizationId: invite.organization };
  const query = { token: invite.token, member_id: invite.member };
  const tokens = await ui.progress(`${session.heading}: confirming the invite …`, () =>
    issue(store.known, [invite.token, invite.member], 'the invite is confirmed', () =>
      session.client.confirmInvite(path, query),
    ),
  );
  const { session: owner, kept } = await settle(store, session.profile, home, tokens, invite.organization);
  const said = `${owner.heading}: the invite is confirmed, and this connection is signed in.${kept ? '' : ' The editor did not keep the tokens: they are used until the window closes.'}`;
  void (kept ? ui.info(said) : ui.warn(said));
}

function idProblem(what: string, typed: string): string | undefined {
  const id = typed.trim();
  if (id === '') return `Enter the id of the ${what}`;
  return /[\s\p{Cc}]/u.test(id) || id.length > 256 ? 'An id has no spaces and at most 256 characters' : undefined;
}
