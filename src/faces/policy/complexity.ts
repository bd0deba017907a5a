/** Estimates the cost of displaying a face from its elements, nesting, references, embedded images, effects and selectors. */
import * as l10n from '@vscode/l10n';
import { decodeHTML } from 'entities/decode';
import { formatNumber } from '../../platform/text/localization.ts';
import { unescapeCss } from './css-urls.ts';
import { readTags, type Tag } from './html-tags.ts';
import { getFragmentId, parseSvgImage, readStyleValue, StyleCosts, type StyleUse } from './style-costs.ts';
import { getOrAdd } from '../../platform/get-or-add.ts';

/** Elements, including those that references repeat. More keep a window busy for seconds. */
const MAX_ELEMENTS = 10_000;
/** Characters without inline images; the host parses that many within about ten milliseconds. */
const MAX_LENGTH = 400_000;
/** Nesting depth. Browsers crash beyond some hundreds. */
const MAX_NESTING = 200;
/** Length of a chain of references, and of images within images. */
const MAX_REFERENCE_CHAIN = 8;
/** Nesting depth of style rules. Browsers do not respond for minutes from some hundreds on. */
const MAX_RULE_NESTING = 20;
/** Cost of a mask, filter or pattern in elements: each needs a layer of its own. */
const LAYER_COST = 50;
/** Cost of a backdrop filter in elements: if nothing moves, and if it is drawn again all the time. */
const BACKDROP_COST = 200;
const ANIMATED_BACKDROP_COST = 1000;
/** Cost of a marquee, which is laid out again all the time. */
const MARQUEE_COST = 100;
/** Matches of a selector, and pairs of elements that a selector compares, that cost as much as an element. */
const MATCHES_PER_ELEMENT = 500;
const PAIRS_PER_ELEMENT = 2000;
/** Also in lines, and percent-encoded. */
const INLINE_IMAGE_DATA = /base64,(?:[\w+/=%]{40,}\s+)*[\w+/=%]+/g;
const LAYER_ELEMENTS = new Set(['mask', 'filter', 'pattern']);
/** Elements whose content can close itself. */
const FOREIGN_ELEMENTS = new Set(['svg', 'math']);

const VOID_ELEMENTS = new Set(
  'area base br col embed frame hr img input link meta param source track wbr image basefont bgsound keygen'.split(' '),
);
/** Elements whose start tag closes an open one of the listed elements, up to the listed containers. */
const IMPLIED_END_TAGS: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  p: [['p'], ['div', 'td', 'th', 'li', 'button', 'object', 'svg', 'table']],
  li: [['li'], ['ul', 'ol', 'menu']],
  dt: [['dt', 'dd'], ['dl']],
  dd: [['dt', 'dd'], ['dl']],
  option: [['option'], ['select', 'datalist']],
  td: [['td', 'th'], ['table']],
  th: [['td', 'th'], ['table']],
  tr: [['tr'], ['table']],
  tbody: [['tbody', 'thead', 'tfoot'], ['table']],
  tfoot: [['tbody', 'thead', 'tfoot'], ['table']],
};

/** The document, or an element with an id, without nested elements that have ids. */
interface Fragment {
  readonly name: string;
  elements: number;
  /** cost of images and effects, in elements */
  extra: number;
  readonly children: Fragment[];
  /** ids, once for each reference */
  readonly references: string[];
}

/** An element as styles find it. */
interface StyledElement {
  readonly part: Fragment;
  /** keys of `StyleCosts.find` */
  readonly keys: readonly string[];
}

interface Cost {
  /** in elements */
  readonly weight: number;
  /** length of the longest chain of references */
  readonly chain: number;
}

/** Returns why the face should not be displayed at once, as a sentence; `undefined` if it can be. Linear in the length of `html`. */
export function findComplexityWarning(html: string): string | undefined {
  if (html.length > MAX_LENGTH && html.replace(INLINE_IMAGE_DATA, '').length > MAX_LENGTH)
    return l10n.t(
      'This face has more than {0} characters, not including images. Showing it could make the window unresponsive.',
      formatNumber(MAX_LENGTH),
    );
  if (countCombiningMarks(html) > MAX_ELEMENTS)
    return l10n.t(
      'This face has more than {0} combining characters. Showing it could make the window unresponsive.',
      formatNumber(MAX_ELEMENTS),
    );
  const reader = new ComplexityReader(html, new Map());
  const { elements } = reader.root;
  if (reader.maxDepth > MAX_NESTING)
    return l10n.t(
      'This face has more than {0} levels of nested elements. Showing it could make the window unresponsive.',
      formatNumber(MAX_NESTING),
    );
  if (elements > MAX_ELEMENTS)
    return l10n.t(
      'This face has more than {0} elements. Showing it could make the window unresponsive.',
      formatNumber(MAX_ELEMENTS),
    );
  const { weight, chain } = reader.measure();
  if (weight > MAX_ELEMENTS)
    return l10n.t(
      'This face has more than {0} elements, including references (use, masks, patterns, filters), embedded images and effects. Showing it could make the window unresponsive.',
      formatNumber(MAX_ELEMENTS),
    );
  if (chain > MAX_REFERENCE_CHAIN)
    return l10n.t(
      'This face has a chain of more than {0} references. Showing it could make the window unresponsive.',
      formatNumber(MAX_REFERENCE_CHAIN),
    );
  const { depth, matches, searches } = reader.styles;
  const selectorCost = (matches * elements) / MATCHES_PER_ELEMENT + (searches * elements ** 2) / PAIRS_PER_ELEMENT;
  return depth > MAX_RULE_NESTING || selectorCost > MAX_ELEMENTS
    ? l10n.t(
        'This face has style rules that take long to match with its elements. Showing it could make the window unresponsive.',
      )
    : undefined;
}

/** Counts characters such as accents that are stacked on others, also as character references and in styles. */
function countCombiningMarks(html: string): number {
  let count = 0;
  for (const [text] of html.matchAll(/\p{M}|&#[^;&\s<]{2,9};?|&(?:DownBreve|tdot|TripleDot|DotDot);|\\[\da-f]{3,6}/giu))
    if (/^&[a-z]|\p{M}/iu.test(text) || /\p{M}/u.test(decodeHTML(unescapeCss(text)))) count++;
  return count;
}

class LimitExceeded extends Error {}

/** Reads a document once, and its images. */
class ComplexityReader {
  readonly root: Fragment = createFragment('');
  readonly styles = new StyleCosts();
  maxDepth = 0;
  readonly #html: string;
  /** costs of data: images, by address */
  readonly #images: Map<string, Cost>;
  /** by id: several elements can have the same, and one in a template is never drawn */
  readonly #fragments = new Map<string, Fragment[]>();
  readonly #open: { readonly name: string; readonly part: Fragment; readonly foreign: boolean }[] = [];
  readonly #elements: StyledElement[] = [];
  /** the longest chain within an image */
  #imageChain = 0;

  constructor(html: string, images: Map<string, Cost>) {
    this.#html = html;
    this.#images = images;
    try {
      readTags(html, this);
    } catch (error) {
      // A limit is exceeded: the rest does not matter.
      if (!(error instanceof LimitExceeded)) throw error;
    }
    for (const { part, keys } of this.#elements) for (const key of keys) this.#addUse(part, this.styles.find(key));
  }

  open({ name, attributes, selfClosing }: Tag): void {
    this.#closeImplied(name);
    const parent = this.#open.at(-1)?.part ?? this.root;
    if (++this.root.elements > MAX_ELEMENTS) throw new LimitExceeded();
    const value = (attributeName: string): string | undefined =>
      attributes.find((attribute) => attribute.name === attributeName)?.value;
    const id = value('id');
    let part = parent;
    if (id !== undefined) {
      part = createFragment(name);
      const known = this.#fragments.get(id);
      if (known === undefined) this.#fragments.set(id, [part]);
      else known.push(part);
      parent.children.push(part);
    }
    if (part !== this.root) part.elements++;
    if (name === 'marquee') part.extra += MARQUEE_COST;
    this.styles.animated ||= name.startsWith('animate') || name === 'marquee';
    const keys = ['*', name];
    if (id !== undefined) keys.push(`#${id.toLowerCase()}`);
    for (const className of (value('class') ?? '').split(/\s+/)) keys.push(`.${className.toLowerCase()}`);
    const readStyle = (css: string): void => {
      const key = `${String(this.root.elements)} ${String(keys.length)}`;
      this.styles.readAttribute(css, key);
      keys.push(key);
    };
    for (const { name: attribute, value: text } of attributes) {
      if (attribute === 'style') readStyle(text);
      else if (/^\s*data:/i.test(text)) this.#addImage(part, parseSvgImage(text));
      else if (attribute.endsWith('srcset'))
        for (const address of text.split(/\s+/)) this.#addImage(part, parseSvgImage(address));
      else if (/(^|:)href$/.test(attribute) && name !== 'a' && name !== 'area') addReference(part, getFragmentId(text));
      else {
        const use = readStyleValue(text);
        this.#addUse(part, use);
        if (use.names.length > 0) readStyle(`value:${text}`);
      }
    }
    this.#elements.push({ part, keys });
    const foreign = FOREIGN_ELEMENTS.has(name) || (this.#open.at(-1)?.foreign === true && name !== 'foreignobject');
    if (VOID_ELEMENTS.has(name) || (selfClosing && foreign)) return;
    this.#open.push({ name, part, foreign });
    this.maxDepth = Math.max(this.maxDepth, this.#open.length);
    // Faces nested this deep are not displayed anyway.
    if (this.#open.length > 2 * MAX_NESTING) this.#open.length = MAX_NESTING;
  }

  close(name: string): void {
    const at = this.#open.findLastIndex((entry) => entry.name === name);
    if (at >= 0) this.#open.length = at;
  }

  text(start: number, end: number): void {
    const { name, foreign } = this.#open.at(-1) ?? {};
    if (name !== 'style') return;
    const css = this.#html.slice(start, end);
    this.styles.read(foreign === true ? decodeHTML(css) : css);
  }

  /** Measures the document. Loops count once: browsers do not follow them. */
  measure(): Cost {
    const measured = new Map<Fragment, { weight: number; chain: number }>();
    const targets = new Map<string, Cost>();
    const measureTarget = (id: string, depth: number): Cost => {
      const known = targets.get(id);
      if (known !== undefined) return known;
      const cost = { weight: 0, chain: -1 };
      targets.set(id, cost);
      for (const target of this.#fragments.get(id) ?? []) {
        const { weight, chain } = measureFragment(target, depth);
        cost.weight = Math.max(cost.weight, weight + (LAYER_ELEMENTS.has(target.name) ? LAYER_COST : 0));
        cost.chain = Math.max(cost.chain, chain);
      }
      return cost;
    };
    const measureFragment = (part: Fragment, depth: number): Cost => {
      const previous = measured.get(part);
      if (previous !== undefined) return previous;
      const result = { weight: 0, chain: 0 };
      measured.set(part, result);
      let weight = part.elements + part.extra;
      let chain = 0;
      // The document has already counted all elements.
      for (const child of part.children) {
        const { weight: more, chain: longer } = measureFragment(child, depth + 1);
        weight += part === this.root ? more - child.elements : more;
        chain = Math.max(chain, longer);
      }
      for (const id of part.references) {
        if (weight > MAX_ELEMENTS || depth > 500) break;
        const { weight: more, chain: longer } = measureTarget(id, depth + 1);
        weight += more;
        chain = Math.max(chain, longer + 1);
      }
      result.weight = Math.min(weight, MAX_ELEMENTS + 1);
      result.chain = chain;
      return result;
    };
    const { weight, chain } = measureFragment(this.root, 0);
    return { weight, chain: Math.max(chain, this.#imageChain) };
  }

  #addUse(part: Fragment, use: StyleUse | undefined): void {
    if (use === undefined) return;
    for (const id of use.ids) addReference(part, id);
    for (const image of use.images) this.#addImage(part, image);
    if (use.layer) part.extra += this.styles.animated ? ANIMATED_BACKDROP_COST : BACKDROP_COST;
  }

  #addImage(part: Fragment, image: string | undefined): void {
    if (image === undefined) return;
    const cost = getOrAdd(this.#images, image, () => measureImage(decodeDataUrl(image), this.#images));
    part.extra += cost.weight;
    this.#imageChain = Math.max(this.#imageChain, cost.chain + 1);
  }

  #closeImplied(name: string): void {
    const rule = IMPLIED_END_TAGS[name];
    if (rule === undefined) return;
    const [ended, containers] = rule;
    for (let at = this.#open.length - 1; at >= 0; at--) {
      const open = this.#open[at]?.name ?? '';
      if (containers.includes(open)) return;
      if (ended.includes(open)) {
        this.#open.length = at;
        return;
      }
    }
  }
}

const MAX_REFERENCES = 10_000;

function createFragment(name: string): Fragment {
  return { name, elements: 0, extra: 0, children: [], references: [] };
}

function addReference(part: Fragment, id: string | undefined): void {
  if (id !== undefined && part.references.length < MAX_REFERENCES) part.references.push(id);
}

/** Measures an SVG image. */
function measureImage(svg: string, images: Map<string, Cost>): Cost {
  const tooMuch = { weight: MAX_ELEMENTS + 1, chain: 0 };
  // An entity can contain elements and other entities.
  if (/<!ENTITY\s+[^\s>]+\s+(?:"[^"]*[&<]|'[^']*[&<])/i.test(svg)) return tooMuch;
  const reader = new ComplexityReader(svg, images);
  return reader.maxDepth > MAX_NESTING || reader.styles.depth > MAX_RULE_NESTING ? tooMuch : reader.measure();
}

/** Decodes the text of a data: URL. */
function decodeDataUrl(url: string): string {
  const comma = url.indexOf(',');
  const data = url
    .slice(comma + 1)
    .replace(/%([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const bytes = Buffer.from(data, /;\s*base64\s*$/i.test(url.slice(0, comma)) ? 'base64' : 'latin1');
  const encoding = bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}
