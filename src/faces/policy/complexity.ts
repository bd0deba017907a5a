/** Estimates the cost of displaying a face from its elements, nesting and SVG references. */
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../platform/text/localization.ts';
import { unescapeCss } from './css-urls.ts';
import { readTags, type Tag } from './html-tags.ts';

/** Elements, including those that references repeat. More keep a window busy for seconds. */
const MAX_ELEMENTS = 10_000;
/** Characters without inline images; the host parses that many within about ten milliseconds. */
const MAX_LENGTH = 400_000;
/** Nesting depth. Browsers crash beyond some hundreds. */
const MAX_NESTING = 200;
/** Length of a chain of references. */
const MAX_REFERENCE_CHAIN = 8;
/** Cost of a mask, filter or pattern in elements: each needs a layer of its own. */
const LAYER_COST = 50;
const INLINE_IMAGE_DATA = /base64,[\w+/=]+/g;
const LAYER_ELEMENTS = new Set(['mask', 'filter', 'pattern']);

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
  readonly children: Fragment[];
  /** ids, once for each reference */
  readonly references: string[];
}

/** Returns why the face should not be displayed at once, as a sentence; `undefined` where it can be. Linear in the length of `html`. */
export function findComplexityWarning(html: string): string | undefined {
  if (html.length > MAX_LENGTH && html.replace(INLINE_IMAGE_DATA, '').length > MAX_LENGTH)
    return l10n.t(
      'This face has more than {0} characters, not including images. Showing it could make the window unresponsive.',
      formatNumber(MAX_LENGTH),
    );
  const reader = new ComplexityReader(readStyleReferences(html));
  try {
    readTags(html, reader);
  } catch (error) {
    // A limit is exceeded: the rest does not matter.
    if (!(error instanceof LimitExceeded)) throw error;
  }
  if (reader.maxDepth > MAX_NESTING)
    return l10n.t(
      'This face has more than {0} levels of nested elements. Showing it could make the window unresponsive.',
      formatNumber(MAX_NESTING),
    );
  if (reader.root.elements > MAX_ELEMENTS)
    return l10n.t(
      'This face has more than {0} elements. Showing it could make the window unresponsive.',
      formatNumber(MAX_ELEMENTS),
    );
  const { weight, chain } = reader.measure();
  if (weight > MAX_ELEMENTS)
    return l10n.t(
      'This face has more than {0} elements, including references (use, masks, patterns, filters). Showing it could make the window unresponsive.',
      formatNumber(MAX_ELEMENTS),
    );
  if (chain > MAX_REFERENCE_CHAIN)
    return l10n.t(
      'This face has a chain of more than {0} references. Showing it could make the window unresponsive.',
      formatNumber(MAX_REFERENCE_CHAIN),
    );
  return undefined;
}

class LimitExceeded extends Error {}

class ComplexityReader {
  readonly root: Fragment = { name: '', elements: 0, children: [], references: [] };
  maxDepth = 0;
  readonly #fragments = new Map<string, Fragment>();
  readonly #open: { readonly name: string; readonly part: Fragment }[] = [];
  readonly #styleReferences: ReadonlyMap<string, readonly string[]>;

  constructor(styleReferences: ReadonlyMap<string, readonly string[]>) {
    this.#styleReferences = styleReferences;
  }

  open({ name, attributes, selfClosing }: Tag): void {
    this.#closeImplied(name);
    const parent = this.#open.at(-1)?.part ?? this.root;
    if (++this.root.elements > MAX_ELEMENTS) throw new LimitExceeded();
    const id = attributes.find((attribute) => attribute.name === 'id')?.value;
    let part = parent;
    if (id !== undefined && !this.#fragments.has(id)) {
      part = { name, elements: 0, children: [], references: [] };
      this.#fragments.set(id, part);
      parent.children.push(part);
    }
    if (part !== this.root) part.elements++;
    for (const attribute of attributes) {
      if (/(^|:)href$/.test(attribute.name) && name !== 'a' && name !== 'area')
        addReference(part, getFragmentId(attribute.value));
      else if (attribute.value.includes('#'))
        for (const target of findUrlReferences(attribute.value)) addReference(part, target);
    }
    this.#addStyleReferences(part, name, id, attributes.find((attribute) => attribute.name === 'class')?.value ?? '');
    if (VOID_ELEMENTS.has(name) || selfClosing) return;
    this.#open.push({ name, part });
    this.maxDepth = Math.max(this.maxDepth, this.#open.length);
    // Faces nested this deep are not displayed anyway.
    if (this.#open.length > 2 * MAX_NESTING) this.#open.length = MAX_NESTING;
  }

  close(name: string): void {
    const at = this.#open.findLastIndex((entry) => entry.name === name);
    if (at >= 0) this.#open.length = at;
  }

  text(): void {
    // Text costs little.
  }

  /** Measures the document. Loops count once: browsers do not follow them. */
  measure(): { readonly weight: number; readonly chain: number } {
    const measured = new Map<Fragment, { weight: number; chain: number }>();
    const measureFragment = (part: Fragment, depth: number): { readonly weight: number; readonly chain: number } => {
      const previous = measured.get(part);
      if (previous !== undefined) return previous;
      const result = { weight: 0, chain: 0 };
      measured.set(part, result);
      let weight = part.elements;
      let chain = 0;
      // The document has already counted all elements.
      for (const child of part.children) {
        const { weight: more, chain: longer } = measureFragment(child, depth + 1);
        weight += part === this.root ? more - child.elements : more;
        chain = Math.max(chain, longer);
      }
      for (const id of part.references) {
        const target = this.#fragments.get(id);
        if (target === undefined || weight > MAX_ELEMENTS || depth > 500) continue;
        const { weight: more, chain: longer } = measureFragment(target, depth + 1);
        weight += more + (LAYER_ELEMENTS.has(target.name) ? LAYER_COST : 0);
        chain = Math.max(chain, longer + 1);
      }
      result.weight = Math.min(weight, MAX_ELEMENTS + 1);
      result.chain = chain;
      return result;
    };
    return measureFragment(this.root, 0);
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

  #addStyleReferences(part: Fragment, name: string, id: string | undefined, classes: string): void {
    if (this.#styleReferences.size === 0) return;
    const keys = [
      '*',
      name,
      ...(id === undefined ? [] : [`#${id}`]),
      ...classes.split(/\s+/).map((className) => `.${className}`),
    ];
    for (const key of keys) for (const target of this.#styleReferences.get(key) ?? []) addReference(part, target);
  }
}

const MAX_REFERENCES = 10_000;
/** ids of one selector */
const MAX_REFERENCES_PER_SELECTOR = 200;
/** Maximum number of characters of styles. */
const MAX_STYLE_LENGTH = 300_000;

function addReference(part: Fragment, id: string | undefined): void {
  if (id !== undefined && part.references.length < MAX_REFERENCES) part.references.push(id);
}

/** Returns the id that a fragment URL names, percent-decoded. */
function getFragmentId(address: string): string | undefined {
  const at = address.indexOf('#');
  if (at < 0) return undefined;
  const hash = address.slice(at + 1).trim();
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

function findUrlReferences(css: string): readonly string[] {
  return [...unescapeCss(css).matchAll(/\burl\(\s{0,20}["']?([^"')\s]{0,500})/gi)].flatMap(
    ([, url = '']) => getFragmentId(url) ?? [],
  );
}

/** Maps what the last part of a selector matches (`.class`, `#id`, `name` or `*`) to the ids that its rules reference. */
function readStyleReferences(html: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  if (!/<style/i.test(html)) return found;
  let css = '';
  let inStyle = false;
  readTags(html, {
    open: ({ name }) => {
      inStyle = name === 'style';
    },
    close: () => {
      inStyle = false;
    },
    text: (start, end) => {
      if (inStyle && css.length < MAX_STYLE_LENGTH) css += html.slice(start, end);
    },
  });
  for (const block of css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ').split('}')) {
    const at = block.lastIndexOf('{');
    const ids = findUrlReferences(block.slice(at + 1));
    if (ids.length === 0) continue;
    const selector = block.slice(Math.max(block.lastIndexOf('{', at - 1), block.lastIndexOf(';', at)) + 1, at);
    // A custom property can be used by any element.
    const keys = block.includes('--')
      ? ['*']
      : selector
          .replace(/\([^()]*\)|\[[^[\]]*\]/g, '')
          .split(',')
          .map(getSelectorKey);
    for (const key of new Set(keys)) {
      const known = found.get(key) ?? [];
      if (known.length < MAX_REFERENCES_PER_SELECTOR) found.set(key, known);
      known.push(...ids.slice(0, MAX_REFERENCES_PER_SELECTOR - known.length));
    }
  }
  return found;
}

/** `svg .a.b:hover` → `.b`; `*` for selectors that are more complex */
function getSelectorKey(selector: string): string {
  const last =
    selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? '';
  const [, key] = /^(?:[\w-]*[.#][\w-]+)*?([.#]?[\w-]+)(?:::?[\w-]+)*$/.exec(last.slice(0, 200)) ?? [];
  return key === undefined ? '*' : /^[.#]/.test(key) ? key : key.toLowerCase();
}
