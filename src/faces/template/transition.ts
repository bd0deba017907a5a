/** Follows a page's text: from one context over the next piece of text to the context behind it. */
import { attributeKind, isScriptType } from './attributes.ts';
import { followUrl, START, VALUE_STATES, wrong, type Context, type Element, type State, type Step } from './context.ts';
import { followCss, followCssString } from './css.ts';
import { decodeEntities } from './entities.ts';
import { followJs, followJsLiteral } from './javascript.ts';

/** Text that ends an attribute's value. */
const ENDS = { double: /"/g, single: /'/g, space: /[ \t\n\f\r>]/g } as const;

/** Walks over one piece of text, step by step. */
export class Walk {
  readonly #text: string;
  // Looked for once, not at every string of a long script.
  #end: { readonly element: Element; readonly from: number; readonly at: number } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Always reads something or changes the context. Throws where Go calls the HTML bad. */
  step(context: Context, at: number): Step {
    if (context.delimiter !== 'none') return value(context, this.#text.slice(at));
    const end = this.#endTag(context.element, at);
    // What stands before `</script>` is read first; at the end tag itself the element is over.
    return end === at ? [START, 0] : follow(context, this.#text.slice(at, end));
  }

  #endTag(element: Element, from: number): number {
    if (element === 'none') return this.#text.length;
    if (this.#end?.element !== element || from < this.#end.from || from > this.#end.at) {
      const rule = new RegExp(`</${element}(?=[> \\t\\n\\f/])`, 'gi');
      rule.lastIndex = from;
      this.#end = { element, from, at: rule.exec(this.#text)?.index ?? this.#text.length };
    }
    return this.#end.at;
  }
}

function value(context: Context, text: string): Step {
  const rule = ENDS[context.delimiter === 'none' ? 'space' : context.delimiter];
  rule.lastIndex = 0;
  const end = rule.exec(text)?.index ?? text.length;
  const part = text.slice(0, end);
  if (context.delimiter === 'space' && /["'<=`]/.test(part)) throw wrong('a quote, < or = in an unquoted attribute');
  if (end === text.length) {
    // The language inside sees the value without its entities.
    let inside = context;
    const decoded = decodeEntities(part);
    for (let at = 0; at < decoded.length;) {
      const [next, read] = follow(inside, decoded.slice(at));
      inside = next;
      at += read;
    }
    return [inside, text.length];
  }
  const typed = context.state === 'attr' && context.attribute === 'scriptType';
  const element = typed && context.element === 'script' && !isScriptType(part) ? 'none' : context.element;
  return [{ ...START, state: 'tag', element }, context.delimiter === 'space' ? end : end + 1];
}

function follow(context: Context, text: string): Step {
  switch (context.state) {
    case 'text':
      return followText(context, text);
    case 'tag':
      return followTag(context, text);
    case 'attrName': {
      const end = attributeNameEnd(text, 0);
      return [end === text.length ? context : { ...context, state: 'afterName' }, end];
    }
    case 'afterName': {
      const at = spaceEnd(text, 0);
      if (at === text.length) return [context, at];
      return text[at] === '=' ? [{ ...context, state: 'beforeValue' }, at + 1] : [{ ...context, state: 'tag' }, at];
    }
    case 'beforeValue':
      return followBeforeValue(context, text);
    case 'htmlComment': {
      const end = text.indexOf('-->');
      return end < 0 ? [context, text.length] : [START, end + 3];
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
      return until(context, text, /\*\//, 'js', true);
    case 'cssBlockComment':
      return until(context, text, /\*\//, 'css', true);
    case 'jsLineComment':
      return until(context, text, /[\n\r\u2028\u2029]/, 'js', false);
    case 'cssLineComment':
      return until(context, text, /[\n\f\r]/, 'css', false);
    default:
      return [context, text.length];
  }
}

function until(context: Context, text: string, end: RegExp, state: State, over: boolean): Step {
  const found = end.exec(text);
  if (found === null) return [context, text.length];
  return [{ ...context, state }, found.index + (over ? found[0].length : 0)];
}

const TAG = /<(?:!--|(\/?)([A-Za-z](?:[A-Za-z0-9]|[:-](?=[A-Za-z0-9]))*))/;

function followText(context: Context, text: string): Step {
  const found = TAG.exec(text);
  if (found === null) return [context, text.length];
  const after = found.index + found[0].length;
  const [, slash, name] = found;
  if (name === undefined) return [{ ...START, state: 'htmlComment' }, after];
  return [{ ...START, state: 'tag', element: slash === '/' ? 'none' : elementOf(name.toLowerCase()) }, after];
}

function elementOf(name: string): Element {
  return name === 'script' || name === 'style' || name === 'textarea' || name === 'title' ? name : 'none';
}

const CONTENT: Readonly<Record<Element, State>> = {
  none: 'text',
  script: 'js',
  style: 'css',
  textarea: 'rcdata',
  title: 'rcdata',
};

function followTag(context: Context, text: string): Step {
  const start = spaceEnd(text, 0);
  if (start === text.length) return [context, start];
  if (text[start] === '>') return [{ ...START, state: CONTENT[context.element], element: context.element }, start + 1];
  const end = attributeNameEnd(text, start);
  if (end === start) throw wrong(`expected space, an attribute name or the end of the tag, got ${quoted(text, start)}`);
  const attribute = attributeKind(text.slice(start, end).toLowerCase(), context.element === 'script');
  return [
    { ...START, element: context.element, state: end === text.length ? 'attrName' : 'afterName', attribute },
    end,
  ];
}

function followBeforeValue(context: Context, text: string): Step {
  const at = spaceEnd(text, 0);
  if (at === text.length) return [context, at];
  const quote = text[at];
  const delimiter = quote === '"' ? 'double' : quote === "'" ? 'single' : 'space';
  return [{ ...context, state: VALUE_STATES[context.attribute], delimiter }, delimiter === 'space' ? at : at + 1];
}

function spaceEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\f\r'.includes(text.charAt(at))) at++;
  return at;
}

function attributeNameEnd(text: string, from: number): number {
  const rule = /[ \t\n\f\r=>'"<]/g;
  rule.lastIndex = from;
  const found = rule.exec(text);
  if (found === null) return text.length;
  if (/['"<]/.test(found[0])) throw wrong(`${JSON.stringify(found[0])} in an attribute's name`);
  return found.index;
}

function quoted(text: string, at: number): string {
  return JSON.stringify(text.slice(at, at + 20));
}
