/** Makes a value harmless for the place it stands in: the functions that html/template adds behind each action. */
import { contentKind } from './attributes.ts';
import { decodeCss } from './css.ts';
import { callFunction } from './functions.ts';
import { sprint } from './format.ts';
import { compareText, entryOf, fromData, isList, isMap, type Budget, type Value } from './values.ts';

/** What Go prints for what it will not let through. */
export const FAILSAFE = 'ZgotmplZ';

export type EscaperName =
  | 'htmlText'
  | 'attribute'
  | 'unquoted'
  | 'attributeName'
  | 'comment'
  | 'urlFilter'
  | 'urlNormal'
  | 'urlPart'
  | 'srcset'
  | 'jsValue'
  | 'jsString'
  | 'jsRegexp'
  | 'cssString'
  | 'cssValue'
  /** the predefined ones, where a template names them itself */
  | 'html'
  | 'urlquery';

export function escapeWith(name: EscaperName, value: Value, budget: Budget): string {
  if (name === 'jsValue') return jsValue(value, budget);
  if (name === 'html' || name === 'urlquery') return String(callFunction(name, [value], budget));
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : sprint([value], budget);
  budget.spend(text.length);
  return ESCAPERS[name](text);
}

type Table = Readonly<Record<string, string>>;

function replaced(text: string, rule: RegExp, table: Table): string {
  return text.replace(rule, (character) => table[character] ?? character);
}

const HTML: Table = {
  '\0': '\ufffd',
  '"': '&#34;',
  '&': '&amp;',
  "'": '&#39;',
  '+': '&#43;',
  '<': '&lt;',
  '>': '&gt;',
};

function htmlText(text: string): string {
  return replaced(text, /[\0"&'+<>]/g, HTML);
}

/** A value that is empty would make the next attribute its value, so it does not stay empty. */
function unquoted(text: string): string {
  if (text === '') return FAILSAFE;
  return text.replace(/[\0"&'+<>\t\n\v\f\r =`\ufdd0-\ufdef\ufff0-\uffff]/g, (character) => {
    if (character === '\0') return '&#xfffd;';
    const code = character.charCodeAt(0);
    return HTML[character] ?? (code < 0x80 ? `&#${code};` : `&#x${code.toString(16)};`);
  });
}

function attributeName(text: string): string {
  const name = text.toLowerCase();
  return /^[a-z\d]+$/.test(name) && contentKind(name) === 'plain' ? name : FAILSAFE;
}

function isSafeUrl(url: string): boolean {
  const colon = url.indexOf(':');
  const scheme = colon < 0 ? '' : url.slice(0, colon);
  return colon < 0 || scheme.includes('/') || /^(?:https?|mailto)$/i.test(scheme);
}

/** `normal`: what already is a URL stays one; otherwise the text becomes one part of it. */
function urlEncoded(text: string, normal: boolean): string {
  const rule = normal ? /%(?![\da-fA-F]{2})|[^A-Za-z\d\-._~!#$&*+,/:;=?@[\]%]+/g : /[^A-Za-z\d\-._~]+/g;
  return text.replace(rule, (part) =>
    [...new TextEncoder().encode(part)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}

function srcset(text: string): string {
  return text
    .split(',')
    .map((part) => {
      const [, space = '', url = '', rest = ''] = /^([\t\n\f\r ]*)([^\t\n\f\r ]*)([\s\S]*)$/.exec(part) ?? [];
      return isSafeUrl(url) && /^[\t\n\f\r A-Za-z\d]*$/.test(rest)
        ? space + urlEncoded(url, true) + rest
        : `#${FAILSAFE}`;
    })
    .join(',');
}

const JS: Table = {
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '/': '\\/',
  '\\': '\\\\',
};

function jsEscaped(found: string): string {
  return JS[found] ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function jsString(text: string): string {
  return text.replace(/[\0-\x1f"`&'+/<>\\\u2028\u2029]/g, jsEscaped);
}

/** An empty regular expression would be a comment. */
function jsRegexp(text: string): string {
  return text === ''
    ? '(?:)'
    : text.replace(/[\0-\x1f"&'+/<>\\\u2028\u2029$()*\-.?[\]^{|}]/g, (found) =>
        /[$()*\-.?[\]^{|}]/.test(found) ? `\\${found}` : jsEscaped(found),
      );
}

const CSS_SPACE_NEEDED = /[\da-fA-F\t\n\f\r ]/;

function cssString(text: string): string {
  return text.replace(/[\0\t\n\f\r"&'()+/:;<>\\{}]/g, (found, at: number) => {
    if (found === '\\') return '\\\\';
    const next = text.charAt(at + 1);
    return `\\${found.charCodeAt(0).toString(16)}${next === '' || CSS_SPACE_NEEDED.test(next) ? ' ' : ''}`;
  });
}

function cssValue(text: string): string {
  const decoded = decodeCss(text);
  if (/[\0"'()/;@[\\\]`{}<>]|--/.test(decoded)) return FAILSAFE;
  const letters = decoded.replace(/[^\w-]/g, '').toLowerCase();
  return /expression|mozbinding/.test(letters.replaceAll('-', '')) ? FAILSAFE : decoded;
}

/** JSON, padded where it could run into a word beside it. */
function jsValue(value: Value, budget: Budget): string {
  const json = goJson(value, budget);
  const pad = /^[\w$]|[\w$]$/.test(json) ? ' ' : '';
  return pad + json + pad;
}

function goJson(value: Value, budget: Budget, depth = 0): string {
  if (depth > 500) return 'null';
  if (isList(value)) return `[${value.map((entry) => goJson(fromData(entry), budget, depth + 1)).join(',')}]`;
  if (isMap(value)) {
    const entries = Object.keys(value)
      .sort(compareText)
      .map((key) => `${goString(key)}:${goJson(entryOf(value, key), budget, depth + 1)}`);
    return `{${entries.join(',')}}`;
  }
  const json =
    typeof value === 'string'
      ? goString(value)
      : typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
        ? Object.is(value, -0)
          ? '-0'
          : String(value)
        : 'null';
  budget.spend(json.length);
  return json;
}

/** Which Go 1.19 writes out. */
const SHORT_IN_JSON: Table = { '\\b': '\\u0008', '\\f': '\\u000c' };

function goString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    /\\[\s\S]|[<>&\u2028\u2029]/g,
    (found) =>
      SHORT_IN_JSON[found] ?? (found.length > 1 ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

const ESCAPERS: Readonly<Record<Exclude<EscaperName, 'jsValue' | 'html' | 'urlquery'>, (text: string) => string>> = {
  htmlText,
  attribute: htmlText,
  unquoted,
  attributeName,
  comment: () => '',
  urlFilter: (text) => (isSafeUrl(text) ? text : `#${FAILSAFE}`),
  urlNormal: (text) => urlEncoded(text, true),
  urlPart: (text) => urlEncoded(text, false),
  srcset,
  jsString,
  jsRegexp,
  cssString,
  cssValue,
};
