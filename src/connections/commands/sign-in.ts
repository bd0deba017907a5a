/** Sign In…: prompts for a credential, checks it with one request, and stores it. */
import type { Services } from '../../commands/context.ts';
import { formatError } from '../../model/error-message.ts';
import { BACK, type Ui } from '../../ui/ui.ts';
import { validateSecret } from '../credentials/credential.ts';
import { requestPlainHttpConsent } from '../profiles/plain-http.ts';
import { probe } from '../check/probe.ts';
import { resolveSession } from '../session/pick-session.ts';
import { getSessionStore, SessionChangedError, type SessionStore } from '../session/session-store.ts';
import type { Profile, Session } from '../../model/session.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';

type CredentialKind = keyof Credential;

const credentialLabels: Readonly<Record<CredentialKind, string>> = {
  apiKey: 'API key',
  accessToken: 'access token',
  refreshToken: 'refresh token',
};

interface SignInMethod {
  readonly label: string;
  readonly detail: string;
  readonly kinds: readonly CredentialKind[];
  readonly optional?: CredentialKind;
}

const signInMethods: readonly SignInMethod[] = [
  { label: '$(key) API key', detail: 'Sent in the header x-api-key', kinds: ['apiKey'] },
  {
    label: '$(account) Access token',
    detail: 'A JWT, with a refresh token if you have one',
    kinds: ['accessToken', 'refreshToken'],
    optional: 'refreshToken',
  },
  {
    label: '$(shield) Access token and API key',
    detail: 'Both are sent',
    kinds: ['accessToken', 'refreshToken', 'apiKey'],
    optional: 'refreshToken',
  },
];

const STORED_CREDENTIAL: SignInMethod = {
  label: '$(history) Stored credential',
  detail: 'The one that was stored before this connection was changed',
  kinds: [],
};

/** The form that contains the prompt. */
export interface CredentialFormOptions {
  readonly title: string;
  readonly precedingSteps: number;
  /** stored for another binding, and used only if chosen here */
  readonly stored?: Credential | undefined;
}

/**
 * Prompts for the kind of credential, then for its parts. Resolves with BACK when the user goes back from the first
 * step, `undefined` on cancel. Never rejects.
 */
export async function promptCredential(
  ui: Ui,
  profile: Pick<Profile, 'credentialHeaderNames'>,
  options: CredentialFormOptions,
): Promise<Credential | typeof BACK | undefined> {
  const { apiKeyHeader, tokenPrefix } = profile.credentialHeaderNames;
  let method: SignInMethod | undefined;
  const typed: Partial<Record<CredentialKind, string>> = {};
  // Step 0 chooses the kind; the others are its parts.
  for (let step = 0; ;) {
    // All parts count as one step, so that the total stays constant.
    const position = {
      step: options.precedingSteps + Math.min(step, 1) + 1,
      totalSteps: options.precedingSteps + 2,
      title: options.title,
    };
    if (step === 0) {
      const choices = signInMethods.map((choice) => ({
        ...choice,
        detail: choice.detail.replace('x-api-key', apiKeyHeader),
      }));
      const all = options.stored === undefined ? choices : [STORED_CREDENTIAL, ...choices];
      const chosen = await ui.pickStep(all, { ...position, placeHolder: 'How do you sign in?' });
      if (chosen === undefined || chosen === BACK) return chosen;
      if (chosen === STORED_CREDENTIAL) return options.stored;
      method = chosen;
      step = 1;
      continue;
    }
    const kind = method?.kinds[step - 1];
    if (kind === undefined) break;
    const answer = await promptSecret(ui, kind, method?.optional === kind, tokenPrefix, position);
    if (answer === undefined) return undefined;
    if (answer === BACK) step -= 1;
    else {
      typed[kind] = answer;
      step += 1;
    }
  }
  const parts: readonly CredentialKind[] = method?.kinds ?? [];
  const entered = Object.entries(typed).filter(
    ([part, secret]) => secret !== '' && parts.some((known) => known === part),
  );
  return Object.fromEntries(entered);
}

async function promptSecret(
  ui: Ui,
  kind: CredentialKind,
  optional: boolean,
  prefix: string,
  position: { readonly step: number; readonly totalSteps: number; readonly title: string },
): Promise<string | typeof BACK | undefined> {
  const label = credentialLabels[kind];
  const answer = await ui.inputStep({
    ...position,
    password: true,
    prompt: optional
      ? `Enter the ${label}, or leave it empty if you have none`
      : `Enter the ${label}. It is kept in the secret store of the editor, never in settings`,
    validateInput: (text) => {
      if (optional && text.trim() === '') return undefined;
      return validateSecret(label, text, prefix);
    },
  });
  return typeof answer === 'string' ? answer.trim() : answer;
}

/** Signs in to the given or a picked connection. Rejects with SessionChangedError where it changed meanwhile. */
export async function signIn(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const session = await resolveSession(store, argument, 'Sign In');
  if (session !== undefined) await signInTo(store, session);
}

/**
 * Resolves with true when a credential was saved. Rejects with SessionChangedError where the connection changed
 * meanwhile.
 */
export async function signInTo(store: SessionStore, session: Session): Promise<boolean> {
  const { ui } = store;
  if (!(await requestPlainHttpConsent(store, session.profile))) return false;
  const changeNote = session.signedOutReason?.includes('sign in again') === true ? ` (${session.signedOutReason})` : '';
  for (;;) {
    const title = `${session.heading}: Sign In${changeNote}`;
    const stored = await store.unusedCredential(session);
    const credential = await promptCredential(ui, session.profile, { title, precedingSteps: 0, stored });
    if (credential === undefined || credential === BACK) return false;
    store.knownSecrets.add(Object.values(credential));
    // The connection changed since the prompt: the credential is not for the new server, not even for a check.
    if (session.ended.aborted) throw new SessionChangedError(session.profile.name);
    const problem = await probeCredential(store, session, credential);
    if (problem?.refused === true) {
      const again = 'Try Again';
      const keep = 'Keep Anyway';
      const answer = await ui.warn(`${session.heading}: ${problem.text}`, again, keep);
      if (answer === again) continue;
      if (answer !== keep) return false;
    }
    await saveCredential(store, session, credential, problem === undefined ? undefined : problem.text);
    return true;
  }
}

/**
 * Stores a credential for `session` and reports the result. Rejects with SessionChangedError where the session has
 * ended.
 */
export async function saveCredential(
  store: SessionStore,
  session: Session,
  credential: Credential,
  warning?: string,
): Promise<void> {
  const { stored } = await store.signIn(session, credential);
  const current = store.get(session.profile.name);
  if (current === undefined) return;
  const asSubject = current.identity?.subject === undefined ? '' : ` as ${current.identity.subject}`;
  const messages = [`${current.heading}: signed in${asSubject}.`];
  if (warning !== undefined) messages.push(warning);
  if (!stored)
    messages.push(
      'The editor did not keep the credential, most likely because this machine has no keyring: it is used until the window closes.',
    );
  if (current.identity?.systemScoped === true)
    messages.push('The token is of the system scope: lists of an organization’s objects stay empty.');
  // Not awaited: the command is finished.
  void (messages.length > 1 ? store.ui.warn(messages.join(' ')) : store.ui.info(messages.join(' ')));
}

async function probeCredential(
  store: SessionStore,
  session: Session,
  credential: Credential,
): Promise<{ readonly text: string; readonly refused: boolean } | undefined> {
  const found = await probe({
    profile: session.profile,
    credential,
    transport: store.transport,
    secrets: () => store.knownSecrets.values,
  });
  if (found.credential === 'accepted') return undefined;
  if (found.credential === 'refused') return { text: 'The platform did not accept the credential.', refused: true };
  const reason = found.error === undefined ? '' : ` ${formatError('Check the credential', found.error)}`;
  return { text: `Whether the platform accepts the credential is not known.${reason}`, refused: false };
}

/**
 * Prompts once during a command whose token expired or was refused; concurrent requests share the prompt. Rejects as
 * `signInTo` does.
 */
export async function signInAgain(store: SessionStore, session: Session, reason: string): Promise<boolean> {
  if (!(await store.ui.confirm({ message: `${session.heading}: ${reason}. Sign in again?`, confirmLabel: 'Sign In' })))
    return false;
  return (await signInTo(store, session)) && store.get(session.profile.name) === session;
}
