/** Sign In…: asks for a credential, masked, shows it to the platform once, and keeps it in the secret store. */
import type { Services } from '../../commands/entry.ts';
import { errorText } from '../../ui/error-text.ts';
import { BACK, type Ui } from '../../ui/ui.ts';
import { secretProblem } from '../credential.ts';
import { allowPlainHttp } from '../plain-http.ts';
import { probe } from '../probe.ts';
import { sessionFor } from '../choose.ts';
import { storeOf } from '../services.ts';
import { SessionChanged, type SessionStore } from '../store.ts';
import type { Profile, Session } from '../types.ts';
import type { Credential } from '../../platform/target.ts';

type Part = keyof Credential;

const partWords: Readonly<Record<Part, string>> = {
  apiKey: 'API key',
  accessToken: 'access token',
  refreshToken: 'refresh token',
};

interface Kind {
  readonly label: string;
  readonly detail: string;
  readonly parts: readonly Part[];
  readonly optional?: Part;
}

const kinds: readonly Kind[] = [
  { label: '$(key) API key', detail: 'Sent in the header x-api-key', parts: ['apiKey'] },
  {
    label: '$(account) Access token',
    detail: 'A JWT, with a refresh token if you have one',
    parts: ['accessToken', 'refreshToken'],
    optional: 'refreshToken',
  },
  {
    label: '$(shield) Access token and API key',
    detail: 'Both are sent',
    parts: ['accessToken', 'refreshToken', 'apiKey'],
    optional: 'refreshToken',
  },
];

const STORED: Kind = {
  label: '$(history) Stored credential',
  detail: 'The one that was stored before this connection was changed',
  parts: [],
};

/** Steps before these in the same form. */
export interface FormPlace {
  readonly title: string;
  readonly before: number;
  /** one that is stored, and not used unless it is chosen here */
  readonly stored?: Credential | undefined;
}

/**
 * Asks for the kind of credential, then for its parts. BACK when the person goes back before the first step; undefined
 * when they leave.
 */
export async function askCredential(
  ui: Ui,
  profile: Pick<Profile, 'presentation'>,
  place: FormPlace,
): Promise<Credential | typeof BACK | undefined> {
  const { apiKeyHeader, tokenPrefix } = profile.presentation;
  let kind: Kind | undefined;
  const typed: Partial<Record<Part, string>> = {};
  // 0 is the kind, then its parts in order.
  for (let step = 0; ;) {
    // However many parts a kind has, they are one step: a total that grows on the way misleads.
    const at = { step: place.before + Math.min(step, 1) + 1, totalSteps: place.before + 2, title: place.title };
    if (step === 0) {
      const choices = kinds.map((choice) => ({ ...choice, detail: choice.detail.replace('x-api-key', apiKeyHeader) }));
      const all = place.stored === undefined ? choices : [STORED, ...choices];
      const chosen = await ui.pickStep(all, { ...at, placeHolder: 'How do you sign in?' });
      if (chosen === undefined || chosen === BACK) return chosen;
      if (chosen === STORED) return place.stored;
      kind = chosen;
      step = 1;
      continue;
    }
    const part = kind?.parts[step - 1];
    if (part === undefined) break;
    const answer = await askPart(ui, part, kind?.optional === part, tokenPrefix, at);
    if (answer === undefined) return undefined;
    if (answer === BACK) step -= 1;
    else {
      typed[part] = answer;
      step += 1;
    }
  }
  const parts: readonly Part[] = kind?.parts ?? [];
  const held = Object.entries(typed).filter(([part, secret]) => secret !== '' && parts.some((known) => known === part));
  return Object.fromEntries(held);
}

async function askPart(
  ui: Ui,
  part: Part,
  optional: boolean,
  prefix: string,
  at: { readonly step: number; readonly totalSteps: number; readonly title: string },
): Promise<string | typeof BACK | undefined> {
  const words = partWords[part];
  const answer = await ui.inputStep({
    ...at,
    password: true,
    prompt: optional
      ? `Enter the ${words}, or leave it empty if you have none`
      : `Enter the ${words}. It is kept in the secret store of the editor, never in settings`,
    validateInput: (text) => {
      if (optional && text.trim() === '') return undefined;
      return secretProblem(words, text, prefix);
    },
  });
  return typeof answer === 'string' ? answer.trim() : answer;
}

export async function signIn(services: Services, argument?: unknown): Promise<void> {
  const store = storeOf(services);
  const session = await sessionFor(store, argument, 'Sign In');
  if (session !== undefined) await signInTo(store, session);
}

/** True when a credential is held afterwards. */
export async function signInTo(store: SessionStore, session: Session): Promise<boolean> {
  const { ui } = store;
  if (!(await allowPlainHttp(store, session.profile))) return false;
  const rebound = session.signedOutBecause?.includes('sign in again') === true ? ` (${session.signedOutBecause})` : '';
  for (;;) {
    const title = `${session.heading}: Sign In${rebound}`;
    const stored = await store.unusedCredential(session);
    const credential = await askCredential(ui, session.profile, { title, before: 0, stored });
    if (credential === undefined || credential === BACK) return false;
    store.known.add(Object.values(credential));
    // It was typed under the old heading: the server of now must not get it, not even to try it out.
    if (session.ended.aborted) throw new SessionChanged(session.profile.name);
    const problem = await tryOut(store, session, credential);
    if (problem?.refused === true) {
      const again = 'Try Again';
      const keep = 'Keep Anyway';
      const answer = await ui.warn(`${session.heading}: ${problem.text}`, again, keep);
      if (answer === again) continue;
      if (answer !== keep) return false;
    }
    await keepCredential(store, session, credential, problem === undefined ? undefined : problem.text);
    return true;
  }
}

/** Stores what was given for `of` and says what came of it. Throws `SessionChanged`. */
export async function keepCredential(
  store: SessionStore,
  of: Session,
  credential: Credential,
  doubt?: string,
): Promise<void> {
  const { kept } = await store.signIn(of, credential);
  const session = store.get(of.profile.name);
  if (session === undefined) return;
  const who = session.identity?.subject === undefined ? '' : ` as ${session.identity.subject}`;
  const said = [`${session.heading}: signed in${who}.`];
  if (doubt !== undefined) said.push(doubt);
  if (!kept)
    said.push(
      'The editor did not keep the credential, most likely because this machine has no keyring: it is used until the window closes.',
    );
  if (session.identity?.systemScoped === true)
    said.push('The token is of the system scope: lists of an organization’s objects stay empty.');
  // Not awaited: the command is over.
  void (said.length > 1 ? store.ui.warn(said.join(' ')) : store.ui.info(said.join(' ')));
}

async function tryOut(
  store: SessionStore,
  session: Session,
  credential: Credential,
): Promise<{ readonly text: string; readonly refused: boolean } | undefined> {
  const found = await probe({
    profile: session.profile,
    credential,
    transport: store.transport,
    secrets: () => store.known.values,
  });
  if (found.credential === 'accepted') return undefined;
  if (found.credential === 'refused') return { text: 'The platform did not accept the credential.', refused: true };
  const why = found.error === undefined ? '' : ` ${errorText('Check the credential', found.error)}`;
  return { text: `Whether the platform accepts the credential is not known.${why}`, refused: false };
}

/** In the middle of a command whose token has run out or was refused: one question, however many requests wait. */
export async function signInAgain(store: SessionStore, session: Session, why: string): Promise<boolean> {
  if (!(await store.ui.confirm({ message: `${session.heading}: ${why}. Sign in again?`, action: 'Sign In' })))
    return false;
  return (await signInTo(store, session)) && store.get(session.profile.name) === session;
}
