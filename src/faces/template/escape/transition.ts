/** Computes the context after a piece of text. */
import { decodeHTML } from 'entities/decode';
import { getAttributeKind, isScriptType } from './attributes.ts';
import {
  followUrl,
  START_CONTEXT,
  VALUE_STATES,
  createEscapeError,
  type Context,
  type ContextElement,
  type ContextState,
  type Step,
} from './context.ts';
import { followCss, followCssString } from './css.ts';
import { followJs, followJsLiteral } from './javascript.ts';

/** Matches the end of an attribute's value. */
const VALUE_ENDS = { double: /"/g, single: /'/g, space: /[ \t\n\f\r>]/g } as const;

/** Advances over one piece of text, step by step. */
export class TextWalker {
  readonly #text: string;
  // Searched once, not at every string of a long script.
  #elementEnd: { readonly element: ContextElement; readonly from: number; readonly at: number } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads at least one character or changes the context. Throws if Go reports bad HTML. */
  readStep(context: Context, at: number): Step {
    if (context.delimiter !== 'none') return followValue(context, this.#text.slice(at));
    const end = this.#endTag(context.element, at);
    // Text before `</script>` is read first; at the end tag the element ends.
    return end === at ? [START_CONTEXT, 0] : follow(context, this.#text.slice(at, end));
  }

  #endTag(element: ContextElement, from: number): number {
    if (element === 'none') return this.#text.length;
    if (this.#elementEnd?.element !== element || from < this.#elementEnd.from || from > this.#elementEnd.at) {
      const rule = new RegExp(`</${element}(?=[> \\t\\n\\f/])`, 'gi');
      rule.lastIndex = from;
      this.#elementEnd = { element, from, at: rule.exec(this.#text)?.index ?? this.#text.length };
    }
    return this.#elementEnd.at;
  }
}

function followValue(context: Context, text: string): Step {
  const rule = VALUE_ENDS[context.delimiter === 'none' ? 'space' : context.delimiter];
  rule.lastIndex = 0;
  const end = rule.exec(text)?.index ?? text.length;
  const part = text.slice(0, end);
  const stray = context.delimiter === 'space' ? /["'<=`]/.exec(part) : null;
  if (stray !== null) throw createEscapeError(`${JSON.stringify(stray[0])} in unquoted attr: ${quoteExcerpt(part, 0)}`);
  if (end === text.length) {
    // The embedded language sees the value without character references. Like Go, not by the rules of attributes.
    let current = context;
    const decoded = decodeHTML(part);
    for (let at = 0; at < decoded.length;) {
      const [next, read] = follow(current, decoded.slice(at));
      current = next;
      at += read;
    }
    return [current, text.length];
  }
  const typed = context.state === 'attr' && context.attribute === 'scriptType';
  const element = typed && context.element === 'script' && !isScriptType(part) ? 'none' : context.element;
  return [{ ...START_CONTEXT, state: 'tag', element }, context.delimiter === 'space' ? end : end + 1];
}

function follow(context: Context, text: string): Step {
  switch (context.state) {
    case 'text':
      return followText(context, text);
    case 'tag':
      return followTag(context, text);
    case 'attrName': {
      const end = findAttributeNameEnd(text, 0);
      return [end === text.length ? context : { ...context, state: 'afterName' }, end];
    }
    case 'afterName': {
      const at = skipSpace(text, 0);
      if (at === text.length) return [context, at];
      return text[at] === '=' ? [{ ...context, state: 'beforeValue' }, at + 1] : [{ ...context, state: 'tag' }, at];
    }
    case 'beforeValue':
      return followBeforeValue(context, text);
    case 'htmlComment': {
      const end = text.indexOf('-->');
      return end < 0 ? [context, text.length] : [START_CONTEXT, end + 3];
    }
    case 'url':
      return [followUrl(context, text), text.length];
    case 'js':
      return followJs(context, text);
    case 'jsDouble':
    case 'jsSingle':
    case 'jsTemplate':
    case 'jsRegexp':
      return followJsLiteral(context, text);
    case 'css':
      return followCss(context, text);
    case 'cssDouble':
    case 'cssSingle':
    case 'cssDoubleUrl':
    case 'cssSingleUrl':
    case 'cssUrl':
      return followCssString(context, text);
    case 'jsBlockComment':
      return followUntil(context, text, /\*\//, 'js', true);
    case 'cssBlockComment':
      return followUntil(context, text, /\*\//, 'css', true);
    case 'jsLineComment':
      return followUntil(context, text, /[\n\r\u2028\u2029]/, 'js', false);
    case 'cssLineComment':
      return followUntil(context, text, /[\n\f\r]/, 'css', false);
    default:
      return [context, text.length];
  }
}

function followUntil(context: Context, text: string, end: RegExp, state: ContextState, includeEnd: boolean): Step {
  const found = end.exec(text);
  if (found === null) return [context, text.length];
  return [{ ...context, state }, found.index + (includeEnd ? found[0].length : 0)];
}

const TAG = /<(?:!--|(\/?)([A-Za-z](?:[A-Za-z0-9]|[:-](?=[A-Za-z0-9]))*))/;

function followText(context: Context, text: string): Step {
  const found = TAG.exec(text);
  if (found === null) return [context, text.length];
  const after = found.index + found[0].length;
  const [, slash, name] = found;
  if (name === undefined) return [{ ...START_CONTEXT, state: 'htmlComment' }, after];
  return [
    { ...START_CONTEXT, state: 'tag', element: slash === '/' ? 'none' : toContextElement(name.toLowerCase()) },
    after,
  ];
}

function toContextElement(name: string): ContextElement {
  return name === 'script' || name === 'style' || name === 'textarea' || name === 'title' ? name : 'none';
}

const CONTENT_STATES: Readonly<Record<ContextElement, ContextState>> = {
  none: 'text',
  script: 'js',
  style: 'css',
  textarea: 'rcdata',
  title: 'rcdata',
};

function followTag(context: Context, text: string): Step {
  const start = skipSpace(text, 0);
  if (start === text.length) return [context, start];
  if (text[start] === '>')
    return [{ ...START_CONTEXT, state: CONTENT_STATES[context.element], element: context.element }, start + 1];
  const end = findAttributeNameEnd(text, start);
  if (end === start)
    throw createEscapeError(`expected space, attr name, or end of tag, but got ${quoteExcerpt(text, start)}`);
  const attribute = getAttributeKind(text.slice(start, end).toLowerCase(), context.element === 'script');
  return [
    { ...START_CONTEXT, element: context.element, state: end === text.length ? 'attrName' : 'afterName', attribute },
    end,
  ];
}

function followBeforeValue(context: Context, text: string): Step {
  const at = skipSpace(text, 0);
  if (at === text.length) return [context, at];
  const quote = text[at];
  const delimiter = quote === '"' ? 'double' : quote === "'" ? 'single' : 'space';
  return [{ ...context, state: VALUE_STATES[context.attribute], delimiter }, delimiter === 'space' ? at : at + 1];
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\f\r'.includes(text.charAt(at))) at++;
  return at;
}

function findAttributeNameEnd(text: string, from: number): number {
  const rule = /[ \t\n\f\r=>'"<]/g;
  rule.lastIndex = from;
  const found = rule.exec(text);
  if (found === null) return text.length;
  if (/['"<]/.test(found[0]))
    throw createEscapeError(`${JSON.stringify(found[0])} in attribute name: ${quoteExcerpt(text, from)}`);
  return found.index;
}

function quoteExcerpt(text: string, at: number): string {
  return JSON.stringify(text.slice(at, at + 20));
}
