/** Register Wallet…: a form after the contract's rules, one POST, and the tokens go straight into the secret store. */
import { commands } from 'vscode';
import type { Services } from '../../commands/entry.ts';
import { languages } from '../../platform/resources/shapes.ts';
import { MASK } from '../../platform/json.ts';
import { BACK } from '../../ui/ui.ts';
import { sessionFor } from '../choose.ts';
import { runForm, type FormStep } from '../form.ts';
import { issue } from '../issue.ts';
import { allowPlainHttp } from '../plain-http.ts';
import { storeOf } from '../services.ts';
import { demandHome, homeSteps, presentedWords, settle, type TokenHome } from '../token-home.ts';
import {
  avatarIdProblem,
  avatarUrlProblem,
  emailProblem,
  nicknameProblem,
  passwordProblem,
  phoneProblem,
  registrationOf,
  type WalletFields,
} from '../wallet-form.ts';

type Field = keyof WalletFields;
type Fields = Record<Field, string>;

export async function registerWallet(services: Services, argument?: unknown): Promise<void> {
  const store = storeOf(services);
  const session = await sessionFor(store, argument, 'Register Wallet');
  if (session === undefined || !(await allowPlainHttp(store, session.profile))) return;
  const { ui } = services;
  const title = `${session.heading}: Register Wallet`;
  const fields: Fields = {
    nickname: '',
    email: '',
    phone: '',
    language: '',
    avatarId: '',
    avatarUrl: '',
    password: '',
  };
  const ask = (field: Field, prompt: string, problem: (typed: string) => string | undefined): FormStep => {
    return async (at) => {
      if (field === 'avatarUrl' && fields.avatarId === '') return 'skip';
      const password = field === 'password';
      const value = password ? '' : fields[field];
      const typed = await ui.inputStep({ ...at, title, prompt, value, password, validateInput: problem });
      if (typeof typed !== 'string') return typed;
      fields[field] = password ? typed : typed.trim();
      return true;
    };
  };
  const askLanguage: FormStep = async (at) => {
    const choices = [
      { label: 'Not given', language: '' },
      ...languages.map((language) => ({ label: language, language })),
    ];
    const chosen = await ui.pickStep(choices, { ...at, title, placeHolder: 'Language of the wallet' });
    if (chosen === undefined || chosen === BACK) return chosen;
    fields.language = chosen.language;
    return true;
  };
  const home: TokenHome = { name: '', session: undefined };
  const done = await runForm([
    ask('nickname', 'Nickname: letters and digits, or nothing', nicknameProblem),
    ask('email', 'E-mail address, or nothing', emailProblem),
    ask('phone', 'Phone number in international form, or nothing', phoneProblem),
    askLanguage,
    ask('avatarId', 'Avatar: the id of an asset, or nothing', avatarIdProblem),
    ask('avatarUrl', 'Avatar: the address of its file', avatarUrlProblem),
    ask('password', 'Password, or nothing. It is sent once and not kept', passwordProblem),
    ...homeSteps(store, session, title, home),
  ]);
  if (!done) return;
  const registration = registrationOf(fields);
  const shown = Object.entries(registration).map(([name, value]) => `${name}: ${shownValue(name, value)}`);
  const agreed = await ui.confirm({
    message: `${session.heading}: register this wallet?`,
    detail: `${shown.length === 0 ? 'Without any field.' : shown.join('\n')}\n\n${presentedWords(session)}Its tokens are kept for the connection ${home.name}.`,
    action: 'Register',
  });
  if (!agreed) return;
  demandHome(store, session, home);
  // Nothing may cut it off: the answer holds tokens that are given only once.
  const answer = await ui.progress(`${session.heading}: registering a wallet …`, () =>
    issue(store.known, [fields.password], 'the wallet is registered', () =>
      session.client.registerWallet(registration),
    ),
  );
  const { accessToken, refreshToken, item, text } = answer;
  const { session: owner, kept } = await settle(store, session.profile, home, { accessToken, refreshToken });
  const id = item.id;
  if (id !== undefined) store.get(owner.profile.name)?.hold(`wallets/${id}`, { text, raw: item.raw });
  const said = `${owner.heading}: the wallet is registered, and this connection is signed in as it.${kept ? '' : ' The editor did not keep the tokens: they are used until the window closes.'}`;
  void (kept ? ui.info(said) : ui.warn(said));
  if (id !== undefined)
    await commands.executeCommand('smartObjects.openResource', { connection: owner.profile.name, kind: 'wallets', id });
}

function shownValue(name: string, value: unknown): string {
  if (name === 'password') return MASK;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
