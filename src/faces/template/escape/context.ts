/** The contexts of html/template within a page, and how two of them join. */
import { TemplateError } from '../nodes.ts';

export type ContextState =
  | 'text'
  | 'tag'
  | 'attrName'
  | 'afterName'
  | 'beforeValue'
  | 'htmlComment'
  | 'rcdata' // textarea, title
  | 'attr'
  | 'url'
  | 'srcset'
  | 'js'
  | 'jsDouble'
  | 'jsSingle'
  | 'jsTemplate'
  | 'jsRegexp'
  | 'jsBlockComment'
  | 'jsLineComment'
  | 'css'
  | 'cssDouble'
  | 'cssSingle'
  | 'cssDoubleUrl'
  | 'cssSingleUrl'
  | 'cssUrl'
  | 'cssBlockComment'
  | 'cssLineComment'
  /** after {{break}} and {{continue}} */
  | 'dead';

export type ContextElement = 'none' | 'script' | 'style' | 'textarea' | 'title';
export type AttributeKind = 'none' | 'script' | 'scriptType' | 'style' | 'url' | 'srcset';

export interface Context {
  readonly state: ContextState;
  /** what ends the attribute's value; `none` outside of values */
  readonly delimiter: 'none' | 'double' | 'single' | 'space';
  /** position in a URL: at its start, before `?` and `#`, after them */
  readonly url: 'none' | 'path' | 'query' | 'unknown';
  /** the meaning of a slash in JavaScript */
  readonly slash: 'regexp' | 'division' | 'unknown';
  readonly attribute: AttributeKind;
  readonly element: ContextElement;
}

export const START_CONTEXT: Context = {
  state: 'text',
  delimiter: 'none',
  url: 'none',
  slash: 'regexp',
  attribute: 'none',
  element: 'none',
};

/** A context and the number of characters read to reach it. */
export type Step = readonly [Context, number];

/** Creates a TemplateError of phase `escape`. */
export function createEscapeError(message: string): TemplateError {
  return new TemplateError('escape', message);
}

/** Advances over a part of a URL, also of one within CSS. */
export function followUrl(context: Context, text: string): Context {
  if (/[#?]/.test(text)) return { ...context, url: 'query' };
  return context.url === 'none' && /[^ \t\n\f\r]/.test(text) ? { ...context, url: 'path' } : context;
}

const FIELDS = ['state', 'delimiter', 'url', 'slash', 'attribute', 'element'] as const;

/** Returns a text that is equal for equal contexts. */
export function getContextKey(context: Context): string {
  return FIELDS.map((field) => context[field]).join(' ');
}

/** Whether all fields of two contexts are equal. */
export function isSameContext(a: Context, b: Context): boolean {
  return FIELDS.every((field) => a[field] === b[field]);
}

/** Whether the context is inside a comment of HTML, CSS or JavaScript. */
export function isComment({ state }: Context): boolean {
  return state === 'htmlComment' || /^(js|css)(Block|Line)Comment$/.test(state);
}

/** Returns the context of an attribute's value. */
export const VALUE_STATES: Readonly<Record<AttributeKind, ContextState>> = {
  none: 'attr',
  script: 'js',
  scriptType: 'attr',
  style: 'css',
  url: 'url',
  srcset: 'srcset',
};

/** Returns the context of an action: inside a tag it starts an attribute name or an unquoted value. */
export function getActionContext(context: Context): Context {
  switch (context.state) {
    case 'tag':
      return { ...context, state: 'attrName' };
    case 'beforeValue':
      return { ...context, state: VALUE_STATES[context.attribute], delimiter: 'space', attribute: 'none' };
    case 'afterName':
      return { ...context, state: 'attrName', attribute: 'none' };
    default:
      return context;
  }
}

/** Joins the contexts after two branches. Throws if they cannot be joined. */
export function joinContexts(a: Context, b: Context, keyword: string, at: number): Context {
  if (a.state === 'dead') return b;
  if (b.state === 'dead' || isSameContext(a, b)) return a;
  if (isSameContext({ ...a, url: b.url }, b)) return { ...a, url: 'unknown' };
  if (isSameContext({ ...a, slash: b.slash }, b)) return { ...a, slash: 'unknown' };
  const [c, d] = [getActionContext(a), getActionContext(b)];
  if (!isSameContext(c, a) || !isSameContext(d, b)) return joinContexts(c, d, keyword, at);
  throw new TemplateError('escape', `{{${keyword}}} branches end in different contexts: ${a.state} and ${b.state}`, at);
}
