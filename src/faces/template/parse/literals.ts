/** Parses Go's literals: numbers with their kinds, quoted strings, characters. */
import * as l10n from '@vscode/l10n';
import { TemplateError } from '../nodes.ts';

const INTEGER = /^([+-]?)(0[xX](?:_?[\da-fA-F])+|0[bB](?:_?[01])+|0(?:[oO]?)(?:_?[0-7])+|[1-9](?:_?\d)*|0)$/;
const FLOAT = /^[+-]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?$/;

/** Parses a number: an int as bigint, a float64 as number. */
export function parseNumber(text: string, at: number): number | bigint {
  const match = INTEGER.exec(text);
  if (match !== null) {
    const digits = (match[2] ?? '').replaceAll('_', '').replace(/^0(?=[0-7])/, '0o');
    const value = match[1] === '-' ? -BigInt(digits) : BigInt(digits);
    if (BigInt.asIntN(64, value) !== value) throw new TemplateError('parse', `${text} overflows int`, at);
    return value;
  }
  if (text.endsWith('i')) throw new TemplateError('parse', l10n.t('Complex numbers are not supported: {0}', text), at);
  const value = FLOAT.test(text) ? Number(text) : NaN;
  if (!Number.isFinite(value)) throw new TemplateError('parse', `bad number syntax: ${text}`, at);
  return value;
}

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};
const ESCAPE = /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|([0-7]{3})|([\s\S]))/g;

/** Parses a string literal: `"…"` or `` `…` ``. */
export function parseString(literal: string, at: number): string {
  const inner = literal.slice(1, -1);
  // Raw strings drop carriage returns.
  return literal.startsWith('`') ? inner.replaceAll('\r', '') : unescape(inner, '"', at);
}

/** Parses a character literal: `'x'` → its code point, an int. */
export function parseChar(literal: string, at: number): bigint {
  const text = unescape(literal.slice(1, -1), "'", at);
  const code = text.codePointAt(0);
  if (code === undefined || String.fromCodePoint(code) !== text)
    throw new TemplateError('parse', `malformed character constant: ${literal}`, at);
  return BigInt(code);
}

function unescape(inner: string, quote: string, at: number): string {
  const bad = (): TemplateError => new TemplateError('parse', 'invalid syntax', at);
  return inner.replace(ESCAPE, (_whole, u?: string, long?: string, x?: string, octal?: string, simple?: string) => {
    const hex = u ?? long ?? x;
    const code = hex !== undefined ? parseInt(hex, 16) : octal !== undefined ? parseInt(octal, 8) : undefined;
    if (code !== undefined) {
      if (code > (octal === undefined ? 0x10ffff : 0xff) || (code >= 0xd800 && code <= 0xdfff)) throw bad();
      return String.fromCodePoint(code);
    }
    const character = simple === "'" || simple === '"' ? (simple === quote ? simple : undefined) : SIMPLE[simple ?? ''];
    if (character === undefined) throw bad();
    return character;
  });
}
