/** What a face would cost to draw, estimated before it is drawn: elements, nesting, and parts of an SVG that stand for many. */
import { unescapeCss } from './css.ts';
import { readTags, type Tag } from './tokens.ts';

/** Elements, with those that references stand for. More than this keeps a window busy for seconds. */
const MAX_ELEMENTS = 10_000;
/** Characters, but for pictures that are written into the face: the host reads so many within some ten milliseconds. */
const MAX_LENGTH = 400_000;
/** Elements within elements. Browsers crash over some hundred. */
const MAX_NESTING = 200;
/** References that lead from one to the next. */
const MAX_CHAIN = 8;
/** Elements that a mask, filter or pattern costs as much as: each is a picture of its own. */
const LAYER = 50;
const PICTURES = /base64,[\w+/=]+/g;
const LAYERS = new Set(['mask', 'filter', 'pattern']);

const VOID = new Set(
  'area base br col embed frame hr img input link meta param source track wbr image basefont bgsound keygen'.split(' '),
);
/** Elements that end when another one of them begins, up to the container that holds them. */
const IMPLIED: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
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

/** The whole, or an element with an id, without the elements in it that have one. */
interface Part {
  readonly name: string;
  elements: number;
  readonly children: Part[];
  /** ids, once for each time that they are named */
  readonly references: string[];
}

/** Why the face is not drawn at once, as a sentence; `undefined`: nothing speaks against it. Linear in the length of `html`. */
export function whyHeavy(html: string): string | undefined {
  if (html.length > MAX_LENGTH && html.replace(PICTURES, '').length > MAX_LENGTH)
    return `This face has more than ${String(MAX_LENGTH / 1000)} thousand characters, not counting its pictures: reading it could hold up the window.`;
  const reader = new WeightReader(styleReferences(html));
  try {
    readTags(html, reader);
  } catch (error) {
    // The limit is passed: nothing else needs to be known.
    if (!(error instanceof Passed)) throw error;
  }
  if (reader.deepest > MAX_NESTING)
    return `This face nests more than ${String(MAX_NESTING)} elements in one another: drawing it could stop the window.`;
  if (reader.whole.elements > MAX_ELEMENTS)
    return `This face has more than ${String(MAX_ELEMENTS)} elements: drawing it could stop the window.`;
  const { weight, chain } = reader.unfolded();
  if (weight > MAX_ELEMENTS)
    return `This face unfolds into more than ${String(MAX_ELEMENTS)} elements through references (use, masks, patterns, filters): drawing it could stop the window.`;
  if (chain > MAX_CHAIN)
    return `This face has references that lead over more than ${String(MAX_CHAIN)} others: drawing it could stop the window.`;
  return undefined;
}

class Passed extends Error {}

class WeightReader {
  readonly whole: Part = { name: '', elements: 0, children: [], references: [] };
  deepest = 0;
  readonly #parts = new Map<string, Part>();
  readonly #open: { readonly name: string; readonly part: Part }[] = [];
  readonly #styled: ReadonlyMap<string, readonly string[]>;

  constructor(styled: ReadonlyMap<string, readonly string[]>) {
    this.#styled = styled;
  }

  open({ name, attributes, selfClosing }: Tag): void {
    this.#imply(name);
    const holder = this.#open.at(-1)?.part ?? this.whole;
    if (++this.whole.elements > MAX_ELEMENTS) throw new Passed();
    const id = attributes.find((attribute) => attribute.name === 'id')?.value;
    let part = holder;
    if (id !== undefined && !this.#parts.has(id)) {
      part = { name, elements: 0, children: [], references: [] };
      this.#parts.set(id, part);
      holder.children.push(part);
    }
    if (part !== this.whole) part.elements++;
    for (const attribute of attributes) {
      if (/(^|:)href$/.test(attribute.name) && name !== 'a' && name !== 'area') add(part, hashOf(attribute.value));
      else if (attribute.value.includes('#')) for (const target of urls(attribute.value)) add(part, target);
    }
    this.#style(part, name, id, attributes.find((attribute) => attribute.name === 'class')?.value ?? '');
    if (VOID.has(name) || selfClosing) return;
    this.#open.push({ name, part });
    this.deepest = Math.max(this.deepest, this.#open.length);
    // What is too deep is not shown anyway.
    if (this.#open.length > 2 * MAX_NESTING) this.#open.length = MAX_NESTING;
  }

  close(name: string): void {
    const at = this.#open.findLastIndex((entry) => entry.name === name);
    if (at >= 0) this.#open.length = at;
  }

  text(): void {
    // Text weighs little.
  }

  /** Of the whole. Loops count once: browsers do not follow them. */
  unfolded(): { readonly weight: number; readonly chain: number } {
    const known = new Map<Part, { weight: number; chain: number }>();
    const measure = (part: Part, depth: number): { readonly weight: number; readonly chain: number } => {
      const before = known.get(part);
      if (before !== undefined) return before;
      const result = { weight: 0, chain: 0 };
      known.set(part, result);
      let weight = part.elements;
      let chain = 0;
      // The whole has counted all elements already.
      for (const child of part.children) {
        const { weight: more, chain: longer } = measure(child, depth + 1);
        weight += part === this.whole ? more - child.elements : more;
        chain = Math.max(chain, longer);
      }
      for (const id of part.references) {
        const target = this.#parts.get(id);
        if (target === undefined || weight > MAX_ELEMENTS || depth > 500) continue;
        const { weight: more, chain: longer } = measure(target, depth + 1);
        weight += more + (LAYERS.has(target.name) ? LAYER : 0);
        chain = Math.max(chain, longer + 1);
      }
      return Object.assign(result, { weight: Math.min(weight, MAX_ELEMENTS + 1), chain });
    };
    return measure(this.whole, 0);
  }

  #imply(name: string): void {
    const rule = IMPLIED[name];
    if (rule === undefined) return;
    const [ended, holders] = rule;
    for (let at = this.#open.length - 1; at >= 0; at--) {
      const open = this.#open[at]?.name ?? '';
      if (holders.includes(open)) return;
      if (ended.includes(open)) {
        this.#open.length = at;
        return;
      }
    }
  }

  #style(part: Part, name: string, id: string | undefined, classes: string): void {
    if (this.#styled.size === 0) return;
    const keys = ['*', name, ...(id === undefined ? [] : [`#${id}`]), ...classes.split(/\s+/).map((one) => `.${one}`)];
    for (const key of keys) for (const target of this.#styled.get(key) ?? []) add(part, target);
  }
}

const MAX_REFERENCES = 10_000;
/** of one selector */
const MAX_STYLED = 200;
/** Characters of styles that are read. */
const MAX_STYLES = 300_000;

function add(part: Part, id: string | undefined): void {
  if (id !== undefined && part.references.length < MAX_REFERENCES) part.references.push(id);
}

/** The part of a document that an address names, as it may be written with percent signs. */
function hashOf(address: string): string | undefined {
  const at = address.indexOf('#');
  if (at < 0) return undefined;
  const hash = address.slice(at + 1).trim();
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

function urls(css: string): readonly string[] {
  return [...unescapeCss(css).matchAll(/\burl\(\s{0,20}["']?([^"')\s]{0,500})/gi)].flatMap(
    ([, url = '']) => hashOf(url) ?? [],
  );
}

/** The ids that rules of the face's styles name, by what the last part of their selectors asks for: `.class`, `#id`, `name` or `*`. */
function styleReferences(html: string): ReadonlyMap<string, readonly string[]> {
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
      if (inStyle && css.length < MAX_STYLES) css += html.slice(start, end);
    },
  });
  for (const block of css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ').split('}')) {
    const at = block.lastIndexOf('{');
    const ids = urls(block.slice(at + 1));
    if (ids.length === 0) continue;
    const selector = block.slice(Math.max(block.lastIndexOf('{', at - 1), block.lastIndexOf(';', at)) + 1, at);
    // A variable can be used anywhere.
    const keys = block.includes('--')
      ? ['*']
      : selector
          .replace(/\([^()]*\)|\[[^[\]]*\]/g, '')
          .split(',')
          .map(keyOfSelector);
    for (const key of new Set(keys)) {
      const known = found.get(key) ?? [];
      if (known.length < MAX_STYLED) found.set(key, known);
      known.push(...ids.slice(0, MAX_STYLED - known.length));
    }
  }
  return found;
}

/** `svg .a.b:hover` → `.b`; whatever is not this simple stands for every element. */
function keyOfSelector(selector: string): string {
  const last =
    selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? '';
  const [, key] = /^(?:[\w-]*[.#][\w-]+)*?([.#]?[\w-]+)(?:::?[\w-]+)*$/.exec(last.slice(0, 200)) ?? [];
  return key === undefined ? '*' : /^[.#]/.test(key) ? key : key.toLowerCase();
}
