/**
 * Removes markup that opens connections although the policy blocks all requests: browsers connect ahead of time for
 * `<link rel=preconnect>`, for a frame whose load is then blocked, and when a link is pressed.
 *
 * Handles every offset that an HTML parser could read as a start tag, also in comments, styles, attribute values and templates.
 * Only names are changed, never separators, so that a parser that reads the rest differently cannot restore anything.
 */

/** Void elements become `<meta>`, which is allowed everywhere. */
const VOID_ELEMENTS = ['link', 'base', 'frame', 'embed'] as const;
/** Other elements become unknown elements with the prefix `x-`. */
const CONTAINER_ELEMENTS = [
  'iframe',
  'object',
  'applet',
  'portal',
  'fencedframe',
  'webview',
  'controlledframe',
] as const;

const START_TAG = /<(?=([a-z][^\t\n\f\r />]{0,30}))/gi;
const END_TAG = new RegExp(`</(?=(?:${CONTAINER_ELEMENTS.join('|')})[\\t\\n\\f\\r />])`, 'gi');
/** Elements whose attributes are checked. */
const ELEMENTS_WITH_ADDRESSES = /^(?:a|area|meta|link|base|frame|embed|set|animate\w*)$/i;

/** An SVG link with its address as written, for a tooltip. */
type FormatTooltip = (address: string) => string;

/**
 * Disables connecting markup. `href` of links becomes `data-href`, unless it refers to a part of the face: then it names the
 * document of the frame, since the base address is that of the page around it. `svg`: each link gets a
 * tooltip with its address, because styles cannot show one in SVG. Linear in the length of `html`.
 */
export function disableConnections(html: string, svg = false): string {
  const edits = new Map<number, { readonly end: number; readonly text: string }>();
  const insert = (at: number, text: string): void => {
    edits.set(at, { end: at, text });
  };
  const attributes = new AttributeReader(html, insert, svg ? (address) => `<title>${address}</title>` : undefined);
  for (const { index, 1: name = '' } of html.matchAll(START_TAG)) {
    const at = index + 1;
    const tagName = name.toLowerCase();
    const after = at + name.length;
    if (includesName(VOID_ELEMENTS, tagName)) edits.set(at, { end: after, text: 'meta' });
    else if (includesName(CONTAINER_ELEMENTS, tagName)) insert(at, 'x-');
    if (ELEMENTS_WITH_ADDRESSES.test(name)) attributes.read(after, tagName === 'a' || tagName === 'area');
  }
  for (const { index } of html.matchAll(END_TAG)) insert(index + 2, 'x-');
  const parts: string[] = [];
  let from = 0;
  for (const [at, { end, text }] of [...edits].sort(([a], [b]) => a - b)) {
    parts.push(html.slice(from, at), text);
    from = end;
  }
  return parts.join('') + html.slice(from);
}

function includesName(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

/** Reads the attributes of a start tag like the tokenizer of the HTML standard. Overlapping tags are read once. */
class AttributeReader {
  readonly #html: string;
  readonly #insert: (at: number, text: string) => void;
  readonly #tooltip: FormatTooltip | undefined;
  /** offsets at which attributes were read */
  readonly #visited = new Set<number>();

  constructor(html: string, insert: (at: number, text: string) => void, tooltip: FormatTooltip | undefined) {
    this.#html = html;
    this.#insert = insert;
    this.#tooltip = tooltip;
  }

  read(from: number, isLink: boolean): void {
    const html = this.#html;
    let at = from;
    let address: string | undefined;
    for (;;) {
      at = this.#skip(at, /[^\t\n\f\r /]/g);
      if (this.#visited.has(at)) return;
      this.#visited.add(at);
      if (at >= html.length) return;
      if (html[at] === '>') {
        if (this.#tooltip !== undefined && address !== undefined && html[at - 1] !== '/')
          this.#insert(at + 1, this.#tooltip(address));
        return;
      }
      const nameAt = at;
      at = this.#skip(at + 1, /[\t\n\f\r />=]/g);
      const name = html.slice(nameAt, Math.min(at, nameAt + 20)).toLowerCase();
      let value = '';
      let valueAt = 0;
      const equals = this.#skip(at, /[^\t\n\f\r ]/g);
      if (html[equals] === '=') {
        const start = this.#skip(equals + 1, /[^\t\n\f\r ]/g);
        const quote = html[start];
        const quoted = quote === '"' || quote === "'";
        const end = quoted ? this.#find(quote, start + 1) : this.#skip(start, /[\t\n\f\r >]/g);
        valueAt = quoted ? start + 1 : start;
        value = html.slice(valueAt, end);
        at = quoted ? end + 1 : end;
      }
      if (opensConnections(name, value)) {
        this.#insert(nameAt, 'data-');
        if (name.endsWith('href')) address = escapeAngleBrackets(value);
      } else if (isLink && (name === 'href' || name === 'xlink:href'))
        this.#insert(valueAt + value.indexOf('#'), 'about:srcdoc');
    }
  }

  #skip(from: number, to: RegExp): number {
    to.lastIndex = from;
    return to.exec(this.#html)?.index ?? this.#html.length;
  }

  #find(text: string, from: number): number {
    const found = this.#html.indexOf(text, from);
    return found < 0 ? this.#html.length : found;
  }
}

/** `value` is in source form, with character references. */
function opensConnections(name: string, value: string): boolean {
  switch (name) {
    case 'href':
    case 'xlink:href':
      return !/^[\t\n\f\r ]*#/.test(value);
    case 'ping':
    case 'attributionsrc':
      return true;
    case 'http-equiv':
      return !/^\s*content-security-policy\s*$/i.test(value);
    // An animation can set the address of a link later.
    case 'attributename':
      return /&|href\s*$/i.test(value);
    default:
      return false;
  }
}

function escapeAngleBrackets(markup: string): string {
  return markup.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
