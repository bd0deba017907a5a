/** Escapes values for their contexts: the functions that html/template adds to each action. */
import { getContentKind } from './attributes.ts';
import { decodeCss } from './css.ts';
import { callFunction } from '../functions/functions.ts';
import { sprint } from '../functions/format.ts';
import { getEntry, getSortedKeys, toValue, isList, isMap, type Budget, type Value } from '../values.ts';

/** Go's replacement for values that it blocks. */
const FAILSAFE = 'ZgotmplZ';

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
  /** predefined escapers that a template names itself */
  | 'html'
  | 'urlquery';

/** Prints a value with one escaper. Throws TemplateError if the value cannot be printed. */
export function applyEscaper(name: EscaperName, value: Value, budget: Budget): string {
  if (name === 'jsValue') return formatJsValue(value, budget);
  if (name === 'html' || name === 'urlquery') return String(callFunction(name, [value], budget));
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : sprint([value], budget);
  budget.spend(text.length);
  return ESCAPERS[name](text);
}

type ReplacementTable = Readonly<Record<string, string>>;

function replaceByTable(text: string, rule: RegExp, table: ReplacementTable): string {
  return text.replace(rule, (character) => table[character] ?? character);
}

const HTML: ReplacementTable = {
  '\0': '\ufffd',
  '"': '&#34;',
  '&': '&amp;',
  "'": '&#39;',
  '+': '&#43;',
  '<': '&lt;',
  '>': '&gt;',
};

function escapeHtmlText(text: string): string {
  return replaceByTable(text, /[\0"&'+<>]/g, HTML);
}

/** An empty unquoted value would take the next attribute as its value. */
function escapeUnquoted(text: string): string {
  if (text === '') return FAILSAFE;
  return text.replace(/[\0"&'+<>\t\n\v\f\r =`\ufdd0-\ufdef\ufff0-\uffff]/g, (character) => {
    if (character === '\0') return '&#xfffd;';
    const code = character.charCodeAt(0);
    return HTML[character] ?? (code < 0x80 ? `&#${code};` : `&#x${code.toString(16)};`);
  });
}

function filterAttributeName(text: string): string {
  const name = text.toLowerCase();
  return /^[a-z\d]+$/.test(name) && getContentKind(name) === 'plain' ? name : FAILSAFE;
}

function isSafeUrl(url: string): boolean {
  const colon = url.indexOf(':');
  const scheme = colon < 0 ? '' : url.slice(0, colon);
  return colon < 0 || scheme.includes('/') || /^(?:https?|mailto)$/i.test(scheme);
}

/** `normal` keeps a URL as it is; otherwise the text becomes one part of a URL. */
function encodeUrl(text: string, normal: boolean): string {
  const rule = normal ? /%(?![\da-fA-F]{2})|[^A-Za-z\d\-._~!#$&*+,/:;=?@[\]%]+/g : /[^A-Za-z\d\-._~]+/g;
  return text.replace(rule, (part) =>
    [...new TextEncoder().encode(part)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}

function escapeSrcset(text: string): string {
  return text
    .split(',')
    .map((part) => {
      const [, space = '', url = '', rest = ''] = /^([\t\n\f\r ]*)([^\t\n\f\r ]*)([\s\S]*)$/.exec(part) ?? [];
      return isSafeUrl(url) && /^[\t\n\f\r A-Za-z\d]*$/.test(rest)
        ? space + encodeUrl(url, true) + rest
        : `#${FAILSAFE}`;
    })
    .join(',');
}

const JS: ReplacementTable = {
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '/': '\\/',
  '\\': '\\\\',
};

function escapeJsCharacter(found: string): string {
  return JS[found] ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function escapeJsString(text: string): string {
  return text.replace(/[\0-\x1f"`&'+/<>\\\u2028\u2029]/g, escapeJsCharacter);
}

/** An empty regular expression would start a comment. */
function escapeJsRegexp(text: string): string {
  return text === ''
    ? '(?:)'
    : text.replace(/[\0-\x1f"&'+/<>\\\u2028\u2029$()*\-.?[\]^{|}]/g, (found) =>
        /[$()*\-.?[\]^{|}]/.test(found) ? `\\${found}` : escapeJsCharacter(found),
      );
}

const CSS_SPACE_NEEDED = /[\da-fA-F\t\n\f\r ]/;

function escapeCssString(text: string): string {
  return text.replace(/[\0\t\n\f\r"&'()+/:;<>\\{}]/g, (found, at: number) => {
    if (found === '\\') return '\\\\';
    const next = text.charAt(at + 1);
    return `\\${found.charCodeAt(0).toString(16)}${next === '' || CSS_SPACE_NEEDED.test(next) ? ' ' : ''}`;
  });
}

function filterCssValue(text: string): string {
  const decoded = decodeCss(text);
  if (/[\0"'()/;@[\\\]`{}<>]|--/.test(decoded)) return FAILSAFE;
  const letters = decoded.replace(/[^\w-]/g, '').toLowerCase();
  return /expression|mozbinding/.test(letters.replaceAll('-', '')) ? FAILSAFE : decoded;
}

/** Formats JSON, with spaces if it could join an adjacent word. */
function formatJsValue(value: Value, budget: Budget): string {
  const json = formatGoJson(value, budget);
  const pad = /^[\w$]|[\w$]$/.test(json) ? ' ' : '';
  return pad + json + pad;
}

function formatGoJson(value: Value, budget: Budget, depth = 0): string {
  if (depth > 500) return 'null';
  budget.spend(1);
  if (isList(value)) return `[${value.map((entry) => formatGoJson(toValue(entry), budget, depth + 1)).join(',')}]`;
  if (isMap(value)) {
    const entries = getSortedKeys(value, budget).map(
      (key) => `${formatGoString(key)}:${formatGoJson(getEntry(value, key), budget, depth + 1)}`,
    );
    return `{${entries.join(',')}}`;
  }
  const json =
    typeof value === 'string'
      ? formatGoString(value)
      : typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
        ? Object.is(value, -0)
          ? '-0'
          : String(value)
        : 'null';
  budget.spend(json.length);
  return json;
}

/** Characters that Go 1.19 escapes. */
const SHORT_IN_JSON: ReplacementTable = { '\\b': '\\u0008', '\\f': '\\u000c' };

function formatGoString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    /\\[\s\S]|[<>&\u2028\u2029]/g,
    (found) =>
      SHORT_IN_JSON[found] ?? (found.length > 1 ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

const ESCAPERS: Readonly<Record<Exclude<EscaperName, 'jsValue' | 'html' | 'urlquery'>, (text: string) => string>> = {
  htmlText: escapeHtmlText,
  attribute: escapeHtmlText,
  unquoted: escapeUnquoted,
  attributeName: filterAttributeName,
  comment: () => '',
  urlFilter: (text) => (isSafeUrl(text) ? text : `#${FAILSAFE}`),
  urlNormal: (text) => encodeUrl(text, true),
  urlPart: (text) => encodeUrl(text, false),
  srcset: escapeSrcset,
  jsString: escapeJsString,
  jsRegexp: escapeJsRegexp,
  cssString: escapeCssString,
  cssValue: filterCssValue,
};
