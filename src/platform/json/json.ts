/** Parses JSON without rounding numbers, and masks secrets. */
import { isTooDeep, limitJson } from './json-limits.ts';

/** The result of `JSON.rawJSON`: a number that keeps its source text, also in `JSON.stringify`. */
export interface RawNumber {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    rawJSON(source: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object; false for arrays and `RawNumber`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/** An own property of a table, for names that a server chose; never an inherited one. */
export function getOwn<Value>(table: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Replaces secrets. */
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

// A number of 16 characters or more, probably outside of a string. The first pattern is about three times as fast and
// sufficient for compact JSON. This test is a considerable part of the cost of reading a page.
const ROUNDED_COMPACT = /[:[,] *-?\d[\d.eE+-]{15}/;
const ROUNDED = /[:[,\s]-?\d[\d.eE+-]{15}/;
// Escapes of ASCII characters other than <, > and &, which servers escape for HTML: they may hide a secret.
const ESCAPED = /\\u00(?!3[ce]|26)[2-7]|\\\//i;

/**
 * Parses a response. Numbers that a double would round become `RawNumber`, secrets are masked, and values that are
 * nested too deeply are replaced (see `limitJson`). Throws SyntaxError as `JSON.parse` does.
 */
export function parseJson(source: string, secrets: Secrets = NO_SECRETS): unknown {
  const compact = !source.includes('\n') && !source.includes('\t') && !source.includes('\r');
  const rounded = (compact ? ROUNDED_COMPACT : ROUNDED).test(source);
  let text = source;
  let value: unknown = rounded ? undefined : JSON.parse(source);
  if (rounded || isTooDeep(value)) {
    // `JSON.parse` with a reviver recurses, so the depth must be limited first.
    text = limitJson(source) ?? '';
    value = rounded ? JSON.parse(text, keepDigits) : JSON.parse(text);
  }
  return mayContainSecret(text, secrets) ? maskSecrets(value, secrets) : value;
}

function keepDigits(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context.source === undefined) return value;
  return isExact(value, context.source) ? value : JSON.rawJSON(context.source);
}

function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  if (Number.isInteger(value) && /^-?\d+$/.test(source)) return Number.isSafeInteger(value);
  return String(value) === source || source.length < 16;
}

function secretNames(secrets: Secrets): readonly string[] {
  return secrets.names === undefined ? SECRET_NAMES : [...SECRET_NAMES, ...secrets.names];
}

/** A quick test of the text, so that pages without secrets are not walked. */
function mayContainSecret(text: string, secrets: Secrets): boolean {
  const { pattern, escaped } = getSecretPattern([...secretNames(secrets), ...secrets.values]);
  return pattern.test(text) || (text.includes('\\') && (escaped || ESCAPED.test(text)));
}

interface SecretPattern {
  readonly pattern: RegExp;
  /** one of the secrets may be written with escapes, so every text with escapes is walked */
  readonly escaped: boolean;
}

// One pattern for all secrets is faster than searching for each. Consecutive pages use the same pattern.
const secretPatterns = new Map<string, SecretPattern>();

function getSecretPattern(texts: readonly string[]): SecretPattern {
  const key = texts.join('\n');
  let found = secretPatterns.get(key);
  if (found === undefined) {
    if (secretPatterns.size >= 8) secretPatterns.clear();
    const nonEmpty = texts.filter((word) => word !== '');
    found = {
      pattern: new RegExp(nonEmpty.map(escapeRegExp).join('|')),
      escaped: nonEmpty.some((word) => /[^ -~]|["\\<>&]/.test(word)),
    };
    secretPatterns.set(key, found);
  }
  return found;
}

function escapeRegExp(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Replaces stored secrets in the text; those below 8 characters only if they are the entire text. */
export function maskText(text: string, values: readonly string[]): string {
  let masked = text;
  for (const value of values) {
    if (value.length >= 8) masked = masked.replaceAll(value, MASK);
    else if (masked === value && value !== '') masked = MASK;
  }
  return masked;
}

/** Masks secrets in place, to avoid a second copy of a page, and returns the value. */
function maskSecrets(value: unknown, secrets: Secrets): unknown {
  const names = new Set(secretNames(secrets));
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return maskText(part, secrets.values);
    if (Array.isArray(part)) {
      const list: unknown[] = part;
      list.forEach((entry, index) => (list[index] = walk(entry)));
      return list;
    }
    if (!isObject(part)) return part;
    for (const [name, entry] of Object.entries(part)) {
      const secret = names.has(name) && entry !== null;
      const masked = secret ? MASK : walk(entry);
      const safeName = maskText(name, secrets.values);
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
