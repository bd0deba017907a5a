/**
 * Takes out of a face's markup what opens connections although no policy allows a request: a browser connects ahead of time for
 * `<link rel=preconnect>`, for a frame that it then refuses to load, and when a link is pressed.
 *
 * Works on every place that any HTML parser could read as a start tag (also in comments, styles, attribute values and templates),
 * and changes names only, never what separates them, so a different reading of the rest cannot bring anything back.
 */

/** Elements without content become `<meta>`, which is allowed wherever they are. */
const EMPTY = ['link', 'base', 'frame', 'embed'] as const;
/** The others become unknown elements with an `x-` in front. */
const HOLDERS = ['iframe', 'object', 'applet', 'portal', 'fencedframe', 'webview', 'controlledframe'] as const;

const START_TAG = /<(?=([a-z][^\t\n\f\r />]{0,30}))/gi;
const END_TAG = new RegExp(`</(?=(?:${HOLDERS.join('|')})[\\t\\n\\f\\r />])`, 'gi');
/** Elements whose attributes are read. */
const READ = /^(?:a|area|meta|link|base|frame|embed|set|animate\w*)$/i;

/** A link of SVG, with its address as written: the text of a tooltip. */
type Tooltip = (address: string) => string;

/**
 * `href` of links becomes `data-href`, unless it leads to a part of the face itself. `svg`: a tooltip with the address goes into each
 * link, because styles cannot show one there. Linear in the length of `html`.
 */
export function disarm(html: string, svg = false): string {
  const edits = new Map<number, { readonly end: number; readonly text: string }>();
  const insert = (at: number, text: string): void => {
    edits.set(at, { end: at, text });
  };
  const attributes = new AttributeReader(html, insert, svg ? (address) => `<title>${address}</title>` : undefined);
  for (const { index, 1: name = '' } of html.matchAll(START_TAG)) {
    const at = index + 1;
    const bare = name.toLowerCase();
    const after = at + name.length;
    if (isIn(EMPTY, bare)) edits.set(at, { end: after, text: 'meta' });
    else if (isIn(HOLDERS, bare)) insert(at, 'x-');
    if (READ.test(name)) attributes.read(after);
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

function isIn(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

/** Reads the attributes of a start tag as the HTML standard's tokenizer does. Two tags that run into one another are read once. */
class AttributeReader {
  readonly #html: string;
  readonly #insert: (at: number, text: string) => void;
  readonly #tooltip: Tooltip | undefined;
  /** places where the reading of an attribute began */
  readonly #begun = new Set<number>();

  constructor(html: string, insert: (at: number, text: string) => void, tooltip: Tooltip | undefined) {
    this.#html = html;
    this.#insert = insert;
    this.#tooltip = tooltip;
  }

  read(from: number): void {
    const html = this.#html;
    let at = from;
    let address: string | undefined;
    for (;;) {
      at = this.#skip(at, /[^\t\n\f\r /]/g);
      if (this.#begun.has(at)) return;
      this.#begun.add(at);
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
      const equals = this.#skip(at, /[^\t\n\f\r ]/g);
      if (html[equals] === '=') {
        const start = this.#skip(equals + 1, /[^\t\n\f\r ]/g);
        const quote = html[start];
        const quoted = quote === '"' || quote === "'";
        const end = quoted ? this.#find(quote, start + 1) : this.#skip(start, /[\t\n\f\r >]/g);
        value = html.slice(quoted ? start + 1 : start, end);
        at = quoted ? end + 1 : end;
      }
      if (!opensConnections(name, value)) continue;
      this.#insert(nameAt, 'data-');
      if (name.endsWith('href')) address = escaped(value);
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

/** `value` as written, with its character references. */
function opensConnections(name: string, value: string): boolean {
  switch (name) {
    case 'href':
    case 'xlink:href':
      return !value.startsWith('#');
    case 'ping':
    case 'attributionsrc':
      return true;
    case 'http-equiv':
      return !/^\s*content-security-policy\s*$/i.test(value);
    // An animation gives a link an address later.
    case 'attributename':
      return /&|href\s*$/i.test(value);
    default:
      return false;
  }
}

function escaped(written: string): string {
  return written.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
