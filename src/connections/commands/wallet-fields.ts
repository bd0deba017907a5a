/** The contract's rules for registering a wallet as field errors; empty fields are omitted. */
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../platform/text/localization.ts';
import { validateId } from './form.ts';
import type { WalletRegistration } from '../../platform/resources/wallets.ts';

export interface WalletFormFields {
  readonly nickname: string;
  readonly email: string;
  readonly phone: string;
  readonly language: string;
  readonly avatarId: string;
  readonly avatarUrl: string;
  readonly password: string;
}

const MAX_NICKNAME_LENGTH = 255;

type FieldValidator = (typed: string) => string | undefined;

const validateOptional =
  (check: FieldValidator): FieldValidator =>
  (typed) =>
    typed.trim() === '' ? undefined : check(typed.trim());

export const validateNickname = validateOptional((text) => {
  if (!/^[a-z0-9]+$/i.test(text)) return l10n.t('Use letters and digits only');
  return text.length > MAX_NICKNAME_LENGTH
    ? l10n.t('Use up to {0} characters', formatNumber(MAX_NICKNAME_LENGTH))
    : undefined;
});

export const validateEmail = validateOptional((text) =>
  /^[^\s@<>(),;:"[\]\\]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text) && text.length <= 254
    ? undefined
    : l10n.t('Enter an email address such as name@example.com'),
);

export const validatePhone = validateOptional((text) =>
  /^\+[1-9]\d{1,14}$/.test(text)
    ? undefined
    : l10n.t(
        'Enter the number in international format: +, country code and number, digits only, such as +4915112345678',
      ),
);

export const validateAvatarId = validateOptional((text) => validateId(text, ''));

/** The contract requires both fields of an asset. */
export function validateAvatarUrl(typed: string): string | undefined {
  const text = typed.trim();
  if (text === '')
    return l10n.t('Enter the URL of the avatar, or go back and clear the asset ID to register without an avatar');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:'
    ? undefined
    : l10n.t('The URL must start with http:// or https://');
}

/** Not trimmed: spaces may be intended. */
export function validatePassword(typed: string): string | undefined {
  return /\p{Cc}/u.test(typed) ? l10n.t('The password contains a line break or another control character') : undefined;
}

/** Builds the request body from the filled fields. */
export function createWalletRegistration(fields: WalletFormFields): WalletRegistration {
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
