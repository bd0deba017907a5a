/** Register Wallet…: a form by the contract's rules, one POST, and the issued tokens are stored. */
import { commands } from 'vscode';
import type { Services } from '../../commands/context.ts';
import { languages } from '../../platform/resources/shared-schemas.ts';
import { MASK } from '../../platform/json/secrets.ts';
import { BACK } from '../../ui/ui.ts';
import { resolveSession } from '../session/pick-session.ts';
import { runForm, type FormStep } from './form.ts';
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
import {
  validateAvatarId,
  validateAvatarUrl,
  validateEmail,
  validateNickname,
  validatePassword,
  validatePhone,
  createWalletRegistration,
  type WalletFormFields,
} from './wallet-fields.ts';

type WalletField = keyof WalletFormFields;
type WalletFieldValues = Record<WalletField, string>;

/** Runs the form. Rejects with PlatformError, or with SessionChangedError where the connection changed. */
export async function registerWallet(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const session = await resolveSession(store, argument, 'Register Wallet');
  if (session === undefined || !(await requestPlainHttpConsent(store, session.profile))) return;
  const { ui } = services;
  const title = `${session.heading}: Register Wallet`;
  const fields: WalletFieldValues = {
    nickname: '',
    email: '',
    phone: '',
    language: '',
    avatarId: '',
    avatarUrl: '',
    password: '',
  };
  const createFieldStep = (
    field: WalletField,
    prompt: string,
    validate: (typed: string) => string | undefined,
  ): FormStep => {
    return async (position) => {
      if (field === 'avatarUrl' && fields.avatarId === '') return 'skip';
      const password = field === 'password';
      const value = password ? '' : fields[field];
      const typed = await ui.inputStep({ ...position, title, prompt, value, password, validateInput: validate });
      if (typeof typed !== 'string') return typed;
      fields[field] = password ? typed : typed.trim();
      return true;
    };
  };
  const askLanguage: FormStep = async (position) => {
    const choices = [
      { label: 'Not specified', language: '' },
      ...languages.map((language) => ({ label: language, language })),
    ];
    const chosen = await ui.pickStep(choices, { ...position, title, placeHolder: 'Language of the wallet' });
    if (chosen === undefined || chosen === BACK) return chosen;
    fields.language = chosen.language;
    return true;
  };
  const destination: TokenDestination = { name: '', session: undefined };
  const completed = await runForm([
    createFieldStep('nickname', 'Nickname (optional), letters and digits', validateNickname),
    createFieldStep('email', 'Email address (optional)', validateEmail),
    createFieldStep('phone', 'Phone number in international format (optional)', validatePhone),
    askLanguage,
    createFieldStep('avatarId', 'Avatar: asset ID (optional)', validateAvatarId),
    createFieldStep('avatarUrl', 'Avatar: URL of its file', validateAvatarUrl),
    createFieldStep('password', 'Password (optional). It is sent once and not stored', validatePassword),
    ...createDestinationSteps(store, session, title, destination),
  ]);
  if (!completed) return;
  const registration = createWalletRegistration(fields);
  const lines = Object.entries(registration).map(([name, value]) => `${name}: ${formatFieldValue(name, value)}`);
  const agreed = await ui.confirm({
    message: `${session.heading}: register this wallet?`,
    detail: `${lines.length === 0 ? 'No fields.' : lines.join('\n')}\n\n${formatCredentialNotice(session)}${formatDestination(destination)}`,
    confirmLabel: 'Register',
  });
  if (!agreed) return;
  requireDestination(store, session, destination);
  // Not cancellable: the response contains tokens that are issued only once.
  const answer = await ui.progress(`${session.heading}: registering a wallet…`, () =>
    requestTokens(store.knownSecrets, [fields.password], 'the wallet is registered', () =>
      session.client.registerWallet(registration),
    ),
  );
  const { accessToken, refreshToken, item, text } = answer;
  const { session: signedIn, stored } = await storeIssuedTokens(store, session.profile, destination, {
    accessToken,
    refreshToken,
  });
  const id = item.id;
  if (id !== undefined)
    store
      .getIdentity(signedIn.profile.name, signedIn.identityName)
      ?.addIssuedResource(`wallets/${id}`, { text, raw: item.raw });
  const message = `${signedIn.heading}: wallet registered and signed in.${stored ? '' : ' VS Code could not store the tokens; they are available until this window is closed.'}`;
  void (stored ? ui.info(message) : ui.warn(message));
  if (id !== undefined)
    await commands.executeCommand('smartObjects.openResource', {
      connection: signedIn.profile.name,
      kind: 'wallets',
      id,
    });
}

function formatFieldValue(name: string, value: unknown): string {
  if (name === 'password') return MASK;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
