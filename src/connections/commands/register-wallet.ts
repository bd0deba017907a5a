/** Register Wallet…: a form by the contract's rules, one POST, and the issued tokens are stored. */
import * as l10n from '@vscode/l10n';
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
  createDestinationSteps,
  formatCredentialNotice,
  formatDestination,
  formatTokensNotStored,
  requestForDestination,
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
import { formatPair } from '../../platform/text/localization.ts';

type WalletField = keyof WalletFormFields;
type WalletFieldValues = Record<WalletField, string>;

/** Runs the form. Rejects with PlatformError, or with SessionChangedError if the connection changed. */
export async function registerWallet(services: Services, argument?: unknown): Promise<void> {
  const store = getSessionStore(services);
  const session = await resolveSession(store, argument, l10n.t('Register Wallet'));
  if (session === undefined || !(await requestPlainHttpConsent(store, session.profile))) return;
  const { ui } = services;
  const title = l10n.t('{0}: Register Wallet', session.heading);
  const fields: WalletFieldValues = {
    nickname: '',
    email: '',
    phone: '',
    language: '',
    avatarId: '',
    avatarUrl: '',
    password: '',
  };
  const createFieldStep =
    (field: WalletField, prompt: string, validate: (typed: string) => string | undefined): FormStep =>
    async (position) => {
      if (field === 'avatarUrl' && fields.avatarId === '') return 'skip';
      const password = field === 'password';
      const value = password ? '' : fields[field];
      const typed = await ui.inputStep({ ...position, title, prompt, value, password, validateInput: validate });
      if (typeof typed !== 'string') return typed;
      fields[field] = password ? typed : typed.trim();
      return true;
    };
  const askLanguage: FormStep = async (position) => {
    const choices = [
      { label: l10n.t('Not specified'), language: '' },
      ...languages.map((language) => ({ label: language, language })),
    ];
    const chosen = await ui.pickStep(choices, { ...position, title, placeHolder: l10n.t('Language of the wallet') });
    if (chosen === undefined || chosen === BACK) return chosen;
    fields.language = chosen.language;
    return true;
  };
  const destination: TokenDestination = { name: '', session: undefined };
  const completed = await runForm([
    createFieldStep('nickname', l10n.t('Nickname (optional), letters and digits'), validateNickname),
    createFieldStep('email', l10n.t('Email address (optional)'), validateEmail),
    createFieldStep('phone', l10n.t('Phone number in international format (optional)'), validatePhone),
    askLanguage,
    createFieldStep('avatarId', l10n.t('Avatar: asset ID (optional)'), validateAvatarId),
    createFieldStep('avatarUrl', l10n.t('Avatar: URL of its file'), validateAvatarUrl),
    createFieldStep('password', l10n.t('Password (optional). Sent once, not stored'), validatePassword),
    ...createDestinationSteps(store, session, title, destination),
  ]);
  if (!completed) return;
  const registration = createWalletRegistration(fields);
  const lines = Object.entries(registration).map(([name, value]) => formatPair(name, formatFieldValue(name, value)));
  const agreed = await ui.confirm({
    message: l10n.t('{0}: register this wallet?', session.heading),
    detail: [
      lines.length === 0 ? l10n.t('No fields.') : lines.join('\n'),
      [...formatCredentialNotice(session), formatDestination(destination)].join(' '),
    ].join('\n\n'),
    confirmLabel: l10n.t('Register'),
  });
  if (!agreed) return;
  // Not cancellable: the response contains tokens that are issued only once.
  const response = await requestForDestination(store, session, destination, () =>
    ui.progress(l10n.t('{0}: registering a wallet…', session.heading), () =>
      requestTokens(
        store.knownSecrets,
        [fields.password],
        l10n.t('It is unknown whether the wallet was registered. The request is not repeated automatically.'),
        () => session.client.registerWallet(registration),
      ),
    ),
  );
  const { accessToken, refreshToken, item, text } = response;
  const { session: signedIn, stored } = await storeIssuedTokens(store, session.profile, destination, {
    accessToken,
    refreshToken,
  });
  const id = item.id;
  if (id !== undefined)
    store
      .getIdentity(signedIn.profile.name, signedIn.identityName)
      ?.addIssuedResource(`wallets/${id}`, { text, raw: item.raw });
  const message = l10n.t('{0}: wallet registered and signed in.', signedIn.heading);
  void (stored ? ui.info(message) : ui.warn(`${message} ${formatTokensNotStored()}`));
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
