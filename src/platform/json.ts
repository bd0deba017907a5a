/** JSON read to the digit and free of secrets: numbers that a double would round keep their source text. */
import { isTooDeep, limitJson } from './json-limits.ts';

/** What `JSON.rawJSON` returns: printed by `JSON.stringify` as it stands. */
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

/** True for what JSON calls an object; a kept number is none. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/** What a table says of a name that a server chose: no inherited property answers. */
export function own<Value>(table: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Shown wherever a secret stood. */
export const MASK = '••••';

/** Property names whose value is a secret in any answer. An API key's `key` joins them where API keys are read. */
const SECRET_NAMES = ['access_token', 'refresh_token', 'password'] as const;

/** What must not be kept of an answer. */
export interface Secrets {
  /** stored secrets: a string that holds one is masked, wherever it stands */
  readonly values: readonly string[];
  /** further property names whose value is secret here */
  readonly names?: readonly string[];
}

export const NO_SECRETS: Secrets = { values: [] };

// A number of 16 characters or more, outside of a string as far as one look can tell. The first form is some three
// times as fast as the second, and enough for compact JSON: this look is a good part of what reading a page costs.
const ROUNDED_COMPACT = /[:[,] *-?\d[\d.eE+-]{15}/;
const ROUNDED = /[:[,\s]-?\d[\d.eE+-]{15}/;
// Escapes of plain characters, other than the <, > and & that careful servers escape: something may hide behind them.
const HIDDEN = /\\u00(?!3[ce]|26)[2-7]|\\\//i;

/**
 * Parses an answer. Numbers that a double cannot hold stay as `RawNumber`; secrets are masked before anything is kept;
 * what is nested too deep is replaced (see `limitJson`). Throws SyntaxError as `JSON.parse` does.
 */
export function parseJson(source: string, secrets: Secrets = NO_SECRETS): unknown {
  const compact = !source.includes('\n') && !source.includes('\t') && !source.includes('\r');
  const rounded = (compact ? ROUNDED_COMPACT : ROUNDED).test(source);
  let text = source;
  let value: unknown = rounded ? undefined : JSON.parse(source);
  if (rounded || isTooDeep(value)) {
    // A reviver is called recursively.
    text = limitJson(source) ?? '';
    value = rounded ? JSON.parse(text, keepDigits) : JSON.parse(text);
  }
  return mayHoldSecret(text, secrets) ? maskSecrets(value, secrets) : value;
}

function keepDigits(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context.source === undefined) return value;
  return holdsExactly(value, context.source) ? value : JSON.rawJSON(context.source);
}

function holdsExactly(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  if (Number.isInteger(value) && /^-?\d+$/.test(source)) return Number.isSafeInteger(value);
  return String(value) === source || source.length < 16;
}

function secretNames(secrets: Secrets): readonly string[] {
  return secrets.names === undefined ? SECRET_NAMES : [...SECRET_NAMES, ...secrets.names];
}

/** A quick look at the text, so that the usual page is never walked. */
export function mayHoldSecret(text: string, secrets: Secrets): boolean {
  const { pattern, escaped } = wordsOf([...secretNames(secrets), ...secrets.values]);
  return pattern.test(text) || (text.includes('\\') && (escaped || HIDDEN.test(text)));
}

interface Words {
  readonly pattern: RegExp;
  /** one of them may be written with escapes: any text that has some is walked */
  readonly escaped: boolean;
}

// One pattern of all words is looked up faster than each word in turn; pages come by the hundred with the same words.
const known = new Map<string, Words>();

function wordsOf(words: readonly string[]): Words {
  const key = words.join('\n');
  let found = known.get(key);
  if (found === undefined) {
    if (known.size >= 8) known.clear();
    const some = words.filter((word) => word !== '');
    found = {
      pattern: new RegExp(some.map(literal).join('|')),
      escaped: some.some((word) => /[^ -~]|["\\<>&]/.test(word)),
    };
    known.set(key, found);
  }
  return found;
}

function literal(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** The text with each stored secret replaced. One of a few letters is replaced only where it is the whole text. */
export function maskText(text: string, values: readonly string[]): string {
  let masked = text;
  for (const value of values) {
    if (value.length >= 8) masked = masked.replaceAll(value, MASK);
    else if (masked === value && value !== '') masked = MASK;
  }
  return masked;
}

/** Masks in place and returns the same value: the answer is ours alone, and copying a page would hold it twice. */
export function maskSecrets(value: unknown, secrets: Secrets): unknown {
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

/** True for a property whose value must be masked, by its name alone. */
export function isSecretName(name: string, secrets: Secrets): boolean {
  return secretNames(secrets).includes(name);
}
