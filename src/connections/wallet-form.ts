/** The contract's rules for registering a wallet, as the errors that stand at a field; an empty field is left out (pure). */
import type { WalletRegistration } from '../platform/resources/wallets.ts';

export interface WalletFields {
  readonly nickname: string;
  readonly email: string;
  readonly phone: string;
  readonly language: string;
  readonly avatarId: string;
  readonly avatarUrl: string;
  readonly password: string;
}

type Check = (typed: string) => string | undefined;

const optional =
  (check: Check): Check =>
  (typed) =>
    typed.trim() === '' ? undefined : check(typed.trim());

export const nicknameProblem = optional((text) => {
  if (!/^[a-z0-9]+$/i.test(text)) return 'A nickname has letters and digits only';
  return text.length > 255 ? 'A nickname has at most 255 characters' : undefined;
});

export const emailProblem = optional((text) =>
  /^[^\s@<>(),;:"[\]\\]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text) && text.length <= 254
    ? undefined
    : 'This is no e-mail address, such as name@example.com',
);

export const phoneProblem = optional((text) =>
  /^\+[1-9]\d{1,14}$/.test(text)
    ? undefined
    : 'Write the number in international form: +, country code and number, digits only, such as +4915112345678',
);

export const avatarIdProblem = optional((text) =>
  /[\s\p{Cc}]/u.test(text) || text.length > 256
    ? 'The id of an asset has no spaces and at most 256 characters'
    : undefined,
);

/** The contract requires both of an asset that is given at all. */
export function avatarUrlProblem(typed: string): string | undefined {
  const text = typed.trim();
  if (text === '') return 'An avatar needs the address of its file too; go back and empty its id to leave it out';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? undefined : 'The address has to begin with https://';
}

/** Not trimmed: spaces may be meant. */
export function passwordProblem(typed: string): string | undefined {
  return /\p{Cc}/u.test(typed) ? 'The password contains a line break or another control character' : undefined;
}

/** What is sent: only what was filled in. */
export function registrationOf(fields: WalletFields): WalletRegistration {
  const text = (value: string): string | undefined => (value.trim() === '' ? undefined : value.trim());
  const [nickname, email, phone, language] = [fields.nickname, fields.email, fields.phone, fields.language].map(text);
  const avatarId = text(fields.avatarId);
  return {
    ...(nickname !== undefined && { nickname }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone_number: phone }),
    ...(language !== undefined && { language }),
    ...(avatarId !== undefined && { avatar: { id: avatarId, url: fields.avatarUrl.trim() } }),
    ...(fields.password !== '' && { password: fields.password }),
  };
}
