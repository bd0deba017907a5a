/** Finds and masks secrets in JSON. */
import { isObject } from './json.ts';

/** Replaces a secret. */
export const MASK = '••••';

/** Property names whose values are secret in every response. Resource kinds may have further ones. */
const SECRET_NAMES = ['access_token', 'refresh_token', 'password'] as const;

/** The secrets to mask in a response. */
export interface Secrets {
  /** stored secrets: masked inside every string */
  readonly values: readonly string[];
  /** further property names whose values are secret */
  readonly names?: readonly string[];
}

export const NO_SECRETS: Secrets = { values: [] };

// Escapes of ASCII characters other than <, > and &, which servers escape for HTML: they may hide a secret.
const ESCAPED = /\\u00(?!3[ce]|26)[2-7]|\\\//i;

function secretNames(secrets: Secrets): readonly string[] {
  return secrets.names === undefined ? SECRET_NAMES : [...SECRET_NAMES, ...secrets.names];
}

/** A quick test of the text, so that pages without secrets are not walked. */
export function mayContainSecret(text: string, secrets: Secrets): boolean {
  // Alternatives slow each other down: names and values apart take half the time of one pattern.
  const patterns = [getSecretPattern(secretNames(secrets)), getSecretPattern(secrets.values)];
  const mayBeEscaped = text.includes('\\') && (patterns.some(({ escaped }) => escaped) || ESCAPED.test(text));
  return mayBeEscaped || patterns.some(({ pattern }) => pattern.test(text));
}

interface SecretPattern {
  readonly pattern: RegExp;
  /** one of the secrets may be written with escapes, so every text with escapes is walked */
  readonly escaped: boolean;
}

/** Matches nothing. */
const NEVER = /(?!)/;
// One pattern is faster than searching for each secret. Consecutive pages use the same patterns.
const secretPatterns = new Map<string, SecretPattern>();

function getSecretPattern(texts: readonly string[]): SecretPattern {
  const key = texts.join('\n');
  let found = secretPatterns.get(key);
  if (found === undefined) {
    if (secretPatterns.size >= 16) secretPatterns.clear();
    const nonEmpty = texts.filter((word) => word !== '');
    found = {
      pattern: nonEmpty.length === 0 ? NEVER : new RegExp(nonEmpty.map(escapeRegExp).join('|')),
      escaped: nonEmpty.some((word) => /[^ -~]|["\\<>&]/.test(word)),
    };
    secretPatterns.set(key, found);
  }
  return found;
}

function escapeRegExp(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Replaces stored secrets in the text, also in JSON; those below 8 characters only if they are the entire text. */
export function maskText(text: string, values: readonly string[]): string {
  return createMask(values)(text);
}

/** As `maskText`, for many texts. */
export function createMask(values: readonly string[]): (text: string) => string {
  const forms = longestFirst(values.flatMap((value) => (value.length < 8 ? [] : listJsonForms(value))));
  const whole = new Set(values.filter((value) => value !== ''));
  return (text) => (whole.has(text) ? MASK : forms.reduce((masked, form) => masked.replaceAll(form, MASK), text));
}

/** The text as it is, and as a string of JSON has it that may be within a string of another JSON: a HAR file has a body with a body. */
function listJsonForms(text: string): readonly string[] {
  const forms = [text];
  for (let level = 0; level < 3; level++) forms.push(JSON.stringify(forms[level]).slice(1, -1));
  return [...new Set(forms)];
}

/** So that a secret that contains another one is masked completely. */
export function longestFirst(secrets: Iterable<string>): readonly string[] {
  return [...secrets].sort((one, other) => other.length - one.length);
}

/** Masks secrets in place, to avoid a second copy of a page, and returns the value. */
export function maskSecrets(value: unknown, secrets: Secrets): unknown {
  const names = new Set(secretNames(secrets));
  const mask = createMask(secrets.values);
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return mask(part);
    if (Array.isArray(part)) {
      const list: unknown[] = part;
      list.forEach((entry, index) => (list[index] = walk(entry)));
      return list;
    }
    if (!isObject(part)) return part;
    for (const [name, entry] of Object.entries(part)) {
      const secret = names.has(name) && entry !== null;
      const masked = secret ? MASK : walk(entry);
      const safeName = mask(name);
      if (safeName !== name) Reflect.deleteProperty(part, name);
      if (safeName !== name || masked !== entry) {
        Object.defineProperty(part, safeName, { value: masked, enumerable: true, configurable: true, writable: true });
      }
    }
    return part;
  };
  return walk(value);
}

/** True for a property name whose value must be masked. */
export function isSecretName(name: string, secrets: Secrets): boolean {
  return secretNames(secrets).includes(name);
}
