/** Reads from the styles of a face what can make it expensive to show: references, images, layers, and selectors. */
import { unescapeCss } from './css-urls.ts';

/** What a value makes the browser draw for each element that has it. */
export interface StyleUse {
  /** ids of elements that are drawn as masks, patterns and the like */
  readonly ids: readonly string[];
  /** data: URLs of SVG images; other images cost little */
  readonly images: readonly string[];
  /** has a backdrop filter */
  readonly layer: boolean;
  /** names of custom properties and, with `@`, of animations, which contain further uses */
  readonly names: readonly string[];
}

/** A style rule or the rules of an animation; absent keys: they apply if their name is used. */
interface Rule {
  /** what the last part of the selectors matches: `.class`, `#id`, `name` or `*`, in lower case */
  readonly keys: readonly string[];
  readonly animation?: string;
  /** number of style rules around it, including itself */
  readonly depth: number;
  /** how often a browser matches the selector of the outermost rule for each of its elements */
  readonly matches: number;
  /** how many of these matches look at the other elements as well */
  readonly searches: number;
}

/** Brackets, what can contain them without opening a block, and the ends of declarations. */
const TOKEN =
  /\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|\\[\s\S]|\burl\(\s*(?!["'\s])(?:[^)\\]|\\[\s\S])*\)?|[{}()[\];]/gi;
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };
/** At-rules that contain style rules. */
const GROUP_RULE = /^@(?:media|supports|layer|container|scope|starting-style)\b/i;
const KEYFRAMES = /^@(?:-webkit-)?keyframes\s+["']?([\w-]+)/i;
/** Uses of one kind that a selector or a name has. */
const MAX_USES = 200;
/** Custom properties that use each other. */
const MAX_NAME_CHAIN = 100;
const ROOT: Rule = { keys: [], depth: 0, matches: 1, searches: 0 };
const NO_USE: StyleUse = { ids: [], images: [], layer: false, names: [] };

/** The styles of a face. */
export class StyleCosts {
  /** how often selectors of nested rules are matched for each element */
  matches = 0;
  /** how many selectors look at other elements, for each element */
  searches = 0;
  /** largest number of style rules within each other */
  depth = 0;
  animated = false;
  readonly #uses = new Map<string, StyleUse>();
  readonly #names = new Map<string, StyleUse>();
  readonly #resolved = new Map<StyleUse, StyleUse>();

  /** Reads a style sheet, or the declarations of `rule`. Linear in the length of the text. */
  read(css: string, rule = ROOT): void {
    const open: { readonly end: string | undefined; readonly rule: Rule | undefined }[] = [];
    let from = 0;
    for (const { 0: token, index } of css.matchAll(TOKEN)) {
      const top = open.at(-1);
      const inBrackets = top !== undefined && top.rule === undefined;
      if (token === '(' || token === '[' || (token === '{' && inBrackets))
        open.push({ end: CLOSING[token], rule: undefined });
      else if (inBrackets) {
        if (token === top.end) open.pop();
      } else if (token === '{') {
        open.push({ end: '}', rule: this.#openRule(css.slice(from, index), top?.rule ?? rule) });
        from = index + 1;
      } else if (token === '}' || token === ';') {
        this.#declare(css.slice(from, index), top?.rule ?? rule);
        from = index + 1;
        if (token === '}') open.pop();
      }
    }
    this.#declare(css.slice(from), open.findLast((bracket) => bracket.rule !== undefined)?.rule ?? rule);
  }

  /** Reads the style attribute of an element for `find` with this key. */
  readAttribute(css: string, key: string): void {
    this.read(css, { ...ROOT, keys: [key] });
  }

  /** Returns what elements with this key use, including custom properties and animations. Call after all was read. */
  find(key: string): StyleUse | undefined {
    return this.#resolve(this.#uses, key, 0);
  }

  /** Adds what the names of a use contain. */
  #resolve(uses: ReadonlyMap<string, StyleUse>, key: string, depth: number): StyleUse | undefined {
    const use = uses.get(key);
    if (use === undefined || this.#resolved.has(use)) return use && this.#resolved.get(use);
    // A property that uses itself is invalid.
    this.#resolved.set(use, NO_USE);
    if (depth > MAX_NAME_CHAIN) this.depth = Infinity;
    else
      this.#resolved.set(
        use,
        use.names.reduce((sum, name) => add(sum, this.#resolve(this.#names, name, depth + 1) ?? NO_USE), use),
      );
    return this.#resolved.get(use);
  }

  #openRule(text: string, parent: Rule): Rule {
    const prelude = text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ').trim();
    if (GROUP_RULE.test(prelude) || parent.animation !== undefined) return parent;
    const animation = KEYFRAMES.exec(prelude)?.[1];
    if (animation !== undefined) return { ...ROOT, animation };
    const selectors = prelude.replace(/\([^()]*\)|\[[^[\]]*\]/g, '').split(',');
    const uses = Math.max(selectors.length, prelude.split('&').length - 1);
    const depth = parent.depth + 1;
    const own = prelude.match(/:has\(|:nth-(?:last-)?child\([^)]*\bof\b/gi)?.length ?? 0;
    const matches = depth === 1 ? 1 : parent.matches * uses;
    const searches = parent.searches * uses + own * matches;
    this.depth = Math.max(this.depth, depth);
    if (depth > 1) this.matches += matches;
    this.searches += searches;
    const keys = prelude.startsWith('--') ? ['*'] : selectors.flatMap((selector) => getKeys(selector, parent));
    return { keys: [...new Set(keys)].slice(0, MAX_USES), depth, matches, searches };
  }

  #declare(text: string, { keys, animation }: Rule): void {
    if (text.length < 3) return;
    const [, name = '', value = ''] = /^(?:\s|\/\*[\s\S]*?\*\/)*([^\s:]+)\s*:([\s\S]*)$/.exec(text) ?? [];
    const property = name.startsWith('--') ? name : unescapeCss(name).toLowerCase();
    const isAnimation = /^(-webkit-)?animation/.test(property);
    this.animated ||= isAnimation && !/^\s*none\b/i.test(value);
    const read = readStyleValue(value);
    const use: StyleUse = {
      ...read,
      layer: /^(-webkit-)?backdrop-filter$/.test(property) && !/^\s*none\b/i.test(value),
      names: isAnimation ? [...read.names, ...[...value.matchAll(/[\w-]+/g)].map(([word]) => `@${word}`)] : read.names,
    };
    if (use.ids.length === 0 && use.images.length === 0 && !use.layer && use.names.length === 0) return;
    if (animation !== undefined) this.#addTo(this.#names, `@${animation}`, use);
    // A custom property is used only if its name is.
    if (property.startsWith('--')) this.#addTo(this.#names, property, use);
    else if (animation === undefined) for (const key of keys) this.#addTo(this.#uses, key, use);
  }

  #addTo(map: Map<string, StyleUse>, key: string, use: StyleUse): void {
    map.set(key, add(map.get(key) ?? NO_USE, use));
  }
}

function add(one: StyleUse, other: StyleUse): StyleUse {
  if (other === NO_USE) return one;
  return {
    ids: join(one.ids, other.ids),
    images: join(one.images, other.images),
    layer: one.layer || other.layer,
    names: join(one.names, other.names),
  };
}

function join(one: readonly string[], other: readonly string[]): readonly string[] {
  if (other.length === 0 || one.length >= MAX_USES) return one;
  return [...one, ...other].slice(0, MAX_USES);
}

/** Reads a value, also that of an SVG attribute. */
export function readStyleValue(value: string): StyleUse {
  if (!/[#\\]|data:|var\(/i.test(value)) return NO_USE;
  const css = unescapeCss(value);
  const urls = [...css.matchAll(/\burl\(\s{0,20}(?:"([^"]*)|'([^']*)|([^"')\s]*))|["']\s*(data:[^"']*)/gi)].map(
    ([, double, single, bare, text]) => double ?? single ?? bare ?? text ?? '',
  );
  return {
    ids: urls.flatMap((url) => (/^\s*data:/i.test(url) ? [] : (getFragmentId(url) ?? []))).slice(0, MAX_USES),
    images: urls.flatMap((url) => parseSvgImage(url) ?? []).slice(0, MAX_USES),
    layer: false,
    names: [...css.matchAll(/var\(\s{0,20}(--[^\s,)]+)/gi)].map(([, name = '']) => name).slice(0, MAX_USES),
  };
}

/** Returns the data: URL of an SVG image as browsers read it. */
export function parseSvgImage(url: string): string | undefined {
  return /^\s*data:\s*image\/svg/i.test(url.slice(0, 200).replace(/[\t\n\r]/g, ''))
    ? url.replace(/[\t\n\r]/g, '').trim()
    : undefined;
}

/** Returns the id that a fragment URL names, percent-decoded. */
export function getFragmentId(address: string): string | undefined {
  const at = address.indexOf('#');
  if (at < 0) return undefined;
  const hash = address.slice(at + 1, at + 501).trim();
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

/** `svg .a.b:hover` → `.b`; `*` for selectors that are more complex; a nested `&` has the keys of its parent. */
function getKeys(selector: string, parent: Rule): readonly string[] {
  const last =
    selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? '';
  if (/^&(?:::?[\w-]+)*$/.test(last) && parent.depth > 0) return parent.keys;
  const [, key] = /^(?:[\w-]*[.#][\w-]+)*?([.#]?[\w-]+)(?:::?[\w-]+)*$/.exec(last.slice(0, 200)) ?? [];
  // Without a doctype, classes and ids match in any case.
  return [key === undefined ? '*' : key.toLowerCase()];
}
