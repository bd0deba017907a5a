/** Sign In…: prompts for a credential, checks it with one request, and stores it. */
import * as l10n from '@vscode/l10n';
import type { Services } from '../../commands/context.ts';
import { BACK, type StepPosition, type Ui } from '../../ui/ui.ts';
import { validateSecret } from '../credentials/credential.ts';
import { requestPlainHttpConsent } from '../profiles/plain-http.ts';
import { getSandbox } from '../sandbox/running.ts';
import { resolveSession } from '../session/pick-session.ts';
import { SessionChangedError } from '../session/session-changed-error.ts';
import { getSessionStore, type SessionStore } from '../session/session-store.ts';
import { formatHeading, NOT_SIGNED_IN } from '../../model/text/heading.ts';
import { DEFAULT_IDENTITY, type Profile, type Session } from '../../model/session/session.ts';
import type { Credential } from '../../platform/http/credential-headers.ts';
import { runCheckStep } from './check-step.ts';
import { formatPair } from '../../platform/text/localization.ts';

type CredentialKind = keyof Credential;

/** For an empty credential. */
const requests: Readonly<Record<CredentialKind, string>> = {
  apiKey: l10n.t('Enter the API key'),
  accessToken: l10n.t('Enter the access token'),
  refreshToken: l10n.t('Enter the refresh token'),
};

const prompts: Readonly<Record<CredentialKind, string>> = {
  apiKey: l10n.t('Enter the API key. It is stored in VS Code’s secret storage, never in settings.'),
  accessToken: l10n.t('Enter the access token. It is stored in VS Code’s secret storage, never in settings.'),
  refreshToken: l10n.t('Enter the refresh token. Leave empty if there is none.'),
};

interface SignInMethod {
  readonly label: string;
  readonly formatDetail: (apiKeyHeader: string) => string;
  readonly kinds: readonly CredentialKind[];
  readonly optional?: CredentialKind;
}

const signInMethods: readonly SignInMethod[] = [
  {
    label: `$(key) ${l10n.t('API key')}`,
    formatDetail: (header) => l10n.t('Sent in the header {0}', header),
    kinds: ['apiKey'],
  },
  {
    label: `$(account) ${l10n.t('Access token')}`,
    formatDetail: () => l10n.t('A JWT, with an optional refresh token'),
    kinds: ['accessToken', 'refreshToken'],
    optional: 'refreshToken',
  },
  {
    label: `$(shield) ${l10n.t('Access token and API key')}`,
    formatDetail: () => l10n.t('Both are sent'),
    kinds: ['accessToken', 'refreshToken', 'apiKey'],
    optional: 'refreshToken',
  },
];

const STORED_CREDENTIAL: SignInMethod = {
  label: `$(history) ${l10n.t('Stored credential')}`,
  formatDetail: () => l10n.t('Stored before this connection was changed'),
  kinds: [],
};

const SANDBOX_OWNER: SignInMethod = {
  label: `$(beaker) ${l10n.t('Sandbox owner')}`,
  formatDetail: () => l10n.t('The wallet that can run all actions'),
  kinds: [],
};

const SANDBOX_BUYER: SignInMethod = {
  label: `$(beaker) ${l10n.t('Sandbox buyer')}`,
  formatDetail: () => l10n.t('A wallet that can run actions only on its own objects'),
  kinds: [],
};

const SIGN_IN_LATER: SignInMethod = {
  label: `$(circle-slash) ${l10n.t('Sign In Later')}`,
  formatDetail: () => l10n.t('Add the connection without a credential'),
  kinds: [],
};

/** The form that contains the prompt. */
interface CredentialFormOptions extends StepPosition {
  readonly title: string;
  /** stored for another binding, and used only if chosen here */
  readonly stored?: Credential | undefined;
  /** of a wallet of the local sandbox, and used only if chosen here */
  readonly wallet?: { readonly method: SignInMethod; readonly credential: Credential } | undefined;
  /** what was entered before; the prompts start with it */
  readonly entered?: Credential | undefined;
  /** offers to sign in later, which resolves with an empty credential */
  readonly canSkip?: boolean;
}

/**
 * Prompts for the kind of credential, then for its parts, which count as one step. Resolves with BACK when the user goes
 * back from the first step, `undefined` on cancel. Never rejects.
 */
export async function promptCredential(
  ui: Ui,
  profile: Pick<Profile, 'credentialHeaderNames'>,
  options: CredentialFormOptions,
): Promise<Credential | typeof BACK | undefined> {
  const { apiKeyHeader, tokenPrefix } = profile.credentialHeaderNames;
  const { title, step: firstStep, totalSteps, stored, wallet, entered } = options;
  let method = findMethod(entered);
  const typed: Partial<Record<CredentialKind, string>> = { ...entered };
  // Step 0 chooses the kind; the others are its parts.
  for (let step = 0; ;) {
    const position = { step: firstStep + Math.min(step, 1), totalSteps, title };
    if (step === 0) {
      const choices = [
        ...(stored === undefined ? [] : [STORED_CREDENTIAL]),
        ...(wallet === undefined ? [] : [wallet.method]),
        ...signInMethods,
        ...(options.canSkip === true ? [SIGN_IN_LATER] : []),
      ].map((choice) => ({
        choice,
        label: choice.label,
        detail: choice.formatDetail(apiKeyHeader),
        picked: choice === method,
      }));
      const chosen = await ui.pickStep(choices, { ...position, placeHolder: l10n.t('Select how to sign in') });
      if (chosen === undefined || chosen === BACK) return chosen;
      method = chosen.choice;
      if (method === STORED_CREDENTIAL) return stored;
      if (method === wallet?.method) return wallet.credential;
      step = 1;
      continue;
    }
    const kind = method?.kinds[step - 1];
    if (kind === undefined) break;
    const answer = await promptSecret(ui, kind, typed[kind], method?.optional === kind, tokenPrefix, position);
    if (answer === undefined) return undefined;
    if (answer === BACK) step -= 1;
    else {
      // Another access token may be of another account, for which the refresh token is not.
      if (kind === 'accessToken' && answer !== typed.accessToken) delete typed.refreshToken;
      typed[kind] = answer;
      step += 1;
    }
  }
  const parts: readonly CredentialKind[] = method?.kinds ?? [];
  return Object.fromEntries(
    Object.entries(typed).filter(([part, secret]) => secret !== '' && parts.some((known) => known === part)),
  );
}

/** The way of signing in that a credential was entered with. */
function findMethod(entered: Credential | undefined): SignInMethod | undefined {
  if (entered === undefined) return undefined;
  const { apiKey, accessToken } = entered;
  if (apiKey === undefined && accessToken === undefined) return SIGN_IN_LATER;
  return signInMethods.find(
    ({ kinds }) =>
      kinds.includes('apiKey') === (apiKey !== undefined) &&
      kinds.includes('accessToken') === (accessToken !== undefined),
  );
}

async function promptSecret(
  ui: Ui,
  kind: CredentialKind,
  value: string | undefined,
  optional: boolean,
  prefix: string,
  position: StepPosition & { readonly title: string },
): Promise<string | typeof BACK | undefined> {
  const answer = await ui.inputStep({
    ...position,
    ...(value !== undefined && { value }),
    password: true,
    prompt: prompts[kind],
    validateInput: (text) => {
      if (optional && text.trim() === '') return undefined;
      return validateSecret(requests[kind], text, prefix);
    },
  });
  return typeof answer === 'string' ? answer.trim() : answer;
}

/** Signs in to the given or a picked connection. Rejects with SessionChangedError if it changed meanwhile. */
export async function signIn(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const session = await resolveSession(store, argument, l10n.t('Sign In'));
  if (session !== undefined) await signInTo(store, session);
}

const TOTAL_STEPS = 3;

interface SignInOptions {
  /** an identity of the connection that has no session yet */
  readonly identity?: string;
  /** steps of the form before those of signing in */
  readonly stepsBefore?: number;
}

/**
 * Signs in to the identity of a session, or to another one of its connection. Resolves with true when a credential was
 * saved, with BACK if there is a step before. Rejects with SessionChangedError if the connection changed meanwhile.
 */
export async function signInTo(
  store: SessionStore,
  session: Session,
  { identity, stepsBefore = 0 }: SignInOptions = {},
): Promise<boolean | typeof BACK> {
  const { ui } = store;
  const totalSteps = stepsBefore + TOTAL_STEPS;
  const heading = identity === undefined ? session.heading : formatHeading(session.profile, identity);
  if (!(await requestPlainHttpConsent(store, session.profile))) return false;
  const reason = identity === undefined ? session.signedOutReason : undefined;
  const title =
    reason === undefined || reason === NOT_SIGNED_IN
      ? l10n.t('{0}: Sign In', heading)
      : l10n.t('{0}: Sign In ({1})', heading, reason);
  const name = identity ?? session.identityName ?? DEFAULT_IDENTITY;
  const stored = await store.unusedCredential(session, name);
  const wallet = findWallet(session.profile.name, name);
  for (let entered: Credential | undefined; ;) {
    const credential = await promptCredential(ui, session.profile, {
      title,
      step: stepsBefore + 1,
      totalSteps,
      stored,
      wallet,
      entered,
    });
    if (credential === undefined) return false;
    if (credential === BACK) return stepsBefore > 0 ? BACK : false;
    store.knownSecrets.add(Object.values(credential));
    entered = credential;
    // The connection changed since the prompt: the credential is not for the new server, not even for a check.
    if (session.ended.aborted) throw new SessionChangedError(session.profile.name);
    const position = { title, step: totalSteps, totalSteps };
    const verdict = await runCheckStep(store, session.profile, credential, position);
    if (verdict === undefined) return false;
    if (verdict === BACK) continue;
    if (!verdict.ok) {
      const change = { label: `$(edit) ${l10n.t('Change Credential')}` };
      const keep = { label: `$(check) ${l10n.t('Sign In Anyway')}` };
      const answer = await ui.pickStep([change, keep], { ...position, prompt: verdict.text });
      if (answer === undefined) return false;
      if (answer !== keep) continue;
    }
    const { subject, warnings } = await storeCredential(store, session, credential, identity);
    const signedIn =
      subject === undefined ? l10n.t('{0}: signed in.', heading) : l10n.t('{0}: signed in as {1}.', heading, subject);
    // Not awaited: the command is finished.
    void reportSignedIn(store, session.profile.name, [signedIn, ...warnings], identity);
    return true;
  }
}

/** The wallet of the local sandbox that an identity of its connection is: the default one is its owner. */
function findWallet(connection: string, identity: string): CredentialFormOptions['wallet'] {
  const sandbox = getSandbox(connection);
  if (sandbox === undefined) return undefined;
  return identity === DEFAULT_IDENTITY
    ? { method: SANDBOX_OWNER, credential: sandbox.credential }
    : { method: SANDBOX_BUYER, credential: sandbox.buyer };
}

/** Another identity does not become the current one by itself: the message offers it. */
async function reportSignedIn(
  store: SessionStore,
  connection: string,
  [signedIn = '', ...warnings]: readonly string[],
  identity: string | undefined,
): Promise<void> {
  const setCurrent = l10n.t('Set as Current Identity');
  const buttons = identity === undefined ? [] : [setCurrent];
  const message = [signedIn, ...warnings].join(' ');
  const answer = await (warnings.length > 0 ? store.ui.warn(message, ...buttons) : store.ui.info(message, ...buttons));
  if (answer === setCurrent && identity !== undefined && store.getIdentity(connection, identity) !== undefined)
    await store.selectIdentity(connection, identity);
}

/** How a sign-in went. */
export interface SignInOutcome {
  /** the account of the access token */
  readonly subject: string | undefined;
  /** sentences */
  readonly warnings: readonly string[];
}

/** Stores a credential for `session`, or for another identity of its connection. Rejects with SessionChangedError if the session has ended. */
export async function storeCredential(
  store: SessionStore,
  session: Session,
  credential: Credential,
  identityName = session.identityName,
): Promise<SignInOutcome> {
  const { stored } = await store.signIn(session, credential, identityName);
  const identity = store.getIdentity(session.profile.name, identityName)?.identity;
  const warnings = [
    ...(stored
      ? []
      : [
          l10n.t(
            'VS Code could not store the credential, probably because this computer has no keyring. It is available until this window is closed.',
          ),
        ]),
    ...(identity?.systemScoped === true
      ? [l10n.t('The token has system scope, which does not include the objects of organizations.')]
      : []),
  ];
  return { subject: identity?.subject, warnings };
}

/**
 * Prompts once during a command whose token expired or was refused; concurrent requests share the prompt. Rejects as
 * `signInTo` does.
 */
export async function signInAgain(store: SessionStore, session: Session, reason: string): Promise<boolean> {
  const question = {
    message: `${formatPair(session.heading, reason)}.`,
    detail: l10n.t('Sign in again to continue.'),
    confirmLabel: l10n.t('Sign In…'),
  };
  if (!(await store.ui.confirm(question))) return false;
  const isSignedIn = await signInTo(store, session);
  return isSignedIn === true && store.getIdentity(session.profile.name, session.identityName) === session;
}
