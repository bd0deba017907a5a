import * as l10n from '@vscode/l10n';
import { maskText } from '../../platform/json/secrets.ts';

// Three base64url parts, the first two starting as JSON objects do.
const JWT = /\beyJ[\w-]{5,}\.eyJ[\w-]{5,}\.[\w-]*/;
const HEADER_VALUE = /^(?:bearer|basic)\s+[\w.~+/=-]{12,}$/i;
/** Prefixes of the keys of well-known services. */
const API_KEY =
  /\b(?:sk|sok|rk)[_-](?:(?:live|test|prod)[_-])?[\w-]{20,}|\b(?:gh[opsu]|npm|pat)_\w{30,}|\bgithub_pat_\w{30,}|\bglpat-[\w-]{20,}|\bxox[abp]-[\w-]{20,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{35}/;
const PRIVATE_KEY = /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/;
const SECRET_NAME =
  /^(?:x[-_]?)?api[-_]?key$|^(?:access|refresh|auth|bearer|id)[-_]?token$|^(?:client[-_]?)?secret$|^authorization$|^private[-_]?key$/i;
/** A generated value: letters and digits without spaces. */
const GENERATED = /^(?=.*\d)(?=.*[A-Za-z])[\w.~+/=-]{16,}$/;
const PASSWORD_NAME = /^(?:password|passwd|passphrase)$/i;
/** Characters of a value that are checked. */
const MAX_LENGTH = 20_000;

/**
 * Returns what a string that looks like a credential probably is, as a sentence without the full stop; `undefined` for others. `name`: its
 * key; `secrets`: the values of the credentials and variables of the user.
 */
export function detectCredential(
  value: string,
  name: string | undefined,
  secrets: readonly string[],
): string | undefined {
  if (value.length < 6) return undefined;
  // Known secrets, also as a part of a longer text.
  if (maskText(value, secrets) !== value) return l10n.t('This is a stored secret');
  const text = value.slice(0, MAX_LENGTH);
  // Variables are not secrets, although their names may look like one.
  if (text.includes('${')) return undefined;
  if (JWT.test(text)) return l10n.t('This looks like an access token');
  if (PRIVATE_KEY.test(text)) return l10n.t('This looks like a private key');
  if (API_KEY.test(text)) return l10n.t('This looks like an API key');
  if (HEADER_VALUE.test(text)) return l10n.t('This looks like the value of an authentication header');
  if (name === undefined) return undefined;
  if (PASSWORD_NAME.test(name)) return l10n.t('This looks like a password');
  return SECRET_NAME.test(name) && GENERATED.test(text) ? l10n.t('This looks like a secret') : undefined;
}
