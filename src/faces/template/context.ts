/** Where in a page a place stands: the states that html/template tells apart, and how two of them join. */
import { TemplateProblem } from './nodes.ts';

export type State =
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
  /** behind {{break}} and {{continue}} */
  | 'dead';

export type Element = 'none' | 'script' | 'style' | 'textarea' | 'title';
export type AttributeKind = 'none' | 'script' | 'scriptType' | 'style' | 'url' | 'srcset';

export interface Context {
  readonly state: State;
  /** what ends the attribute's value; `none` outside of values */
  readonly delimiter: 'none' | 'double' | 'single' | 'space';
  /** how far a URL has come: before it, before `?` and `#`, behind them */
  readonly url: 'none' | 'path' | 'query' | 'unknown';
  /** what a slash in JavaScript would begin */
  readonly slash: 'regexp' | 'division' | 'unknown';
  readonly attribute: AttributeKind;
  readonly element: Element;
}

export const START: Context = {
  state: 'text',
  delimiter: 'none',
  url: 'none',
  slash: 'regexp',
  attribute: 'none',
  element: 'none',
};

/** A context and how many characters were read on the way to it. */
export type Step = readonly [Context, number];

export function wrong(message: string): TemplateProblem {
  return new TemplateProblem('escape', message);
}

/** Reads a part of a URL; also of those within CSS. */
export function followUrl(context: Context, text: string): Context {
  if (/[#?]/.test(text)) return { ...context, url: 'query' };
  return context.url === 'none' && /[^ \t\n\f\r]/.test(text) ? { ...context, url: 'path' } : context;
}

const FIELDS = ['state', 'delimiter', 'url', 'slash', 'attribute', 'element'] as const;

export function keyOf(context: Context): string {
  return FIELDS.map((field) => context[field]).join(' ');
}

export function same(a: Context, b: Context): boolean {
  return FIELDS.every((field) => a[field] === b[field]);
}

export function isComment({ state }: Context): boolean {
  return state === 'htmlComment' || /^(js|css)(Block|Line)Comment$/.test(state);
}

/** What the attribute's value is in, once it begins. */
export const VALUE_STATES: Readonly<Record<AttributeKind, State>> = {
  none: 'attr',
  script: 'js',
  scriptType: 'attr',
  style: 'css',
  url: 'url',
  srcset: 'srcset',
};

/** The context that an action finds: inside a tag it begins an attribute name or an unquoted value. */
export function nudged(context: Context): Context {
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

/** The context behind two branches. Throws where they end in contexts that cannot be told apart later. */
export function join(a: Context, b: Context, word: string, at: number): Context {
  if (a.state === 'dead') return b;
  if (b.state === 'dead' || same(a, b)) return a;
  if (same({ ...a, url: b.url }, b)) return { ...a, url: 'unknown' };
  if (same({ ...a, slash: b.slash }, b)) return { ...a, slash: 'unknown' };
  const [c, d] = [nudged(a), nudged(b)];
  if (!same(c, a) || !same(d, b)) return join(c, d, word, at);
  throw new TemplateProblem('escape', `{{${word}}} branches end in different contexts: ${a.state} and ${b.state}`, at);
}
