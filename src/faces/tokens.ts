/** The tags of an HTML text with their attributes, decoded, and where each stands (pure). */
import { QuoteType, Tokenizer } from 'htmlparser2';
import { decodeEntities } from './template/entities.ts';

export interface Attribute {
  /** lower case */
  readonly name: string;
  readonly value: string;
  readonly start: number;
  /** where the value (with its `=` and quotes) begins and ends: equal where there is none */
  readonly valueStart: number;
  readonly end: number;
}

export interface Tag {
  /** lower case */
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly start: number;
  /** ends in `/>`, which counts within SVG and MathML */
  readonly selfClosing: boolean;
}

export interface TagHandlers {
  open(tag: Tag): void;
  close(name: string): void;
  /** text inside the element that was opened last, or after it */
  text(start: number, end: number): void;
}

/** Reads as browsers do, near enough: for lists and for the person, never for safety. */
export function readTags(html: string, handlers: TagHandlers): void {
  let name = '';
  let start = 0;
  let attributes: Attribute[] = [];
  let names = new Set<string>();
  let attribute = { name: '', start: 0, nameEnd: 0, value: '' };
  const opened = (selfClosing: boolean): void => {
    handlers.open({ name, attributes, start, selfClosing });
  };
  const tokenizer = new Tokenizer(
    // Its decoder knows all 2,000 names, in 25 KB, and is not bundled: those of ASCII are what can change an address.
    { decodeEntities: false },
    {
      onopentagname(from, to) {
        name = html.slice(from, to).toLowerCase();
        start = from - 1;
        attributes = [];
        names = new Set();
      },
      onattribname(from, to) {
        attribute = { name: html.slice(from, to).toLowerCase(), start: from, nameEnd: to, value: '' };
      },
      onattribdata(from, to) {
        attribute.value += html.slice(from, to);
      },
      onattribentity: ignore,
      onattribend(quote, at) {
        // Single and double quotes: the end is the closing quote.
        const quoted = html[at] === '"' || html[at] === "'";
        const none = quote === QuoteType.NoValue;
        const end = none ? attribute.nameEnd : at + (quoted && quote !== QuoteType.Unquoted ? 1 : 0);
        const { name: known, value, start: from, nameEnd } = attribute;
        // The first of a name counts, as in browsers.
        if (!names.has(known))
          attributes.push({ name: known, value: decodeEntities(value, true), start: from, valueStart: nameEnd, end });
        names.add(known);
      },
      onopentagend: () => {
        opened(false);
      },
      onselfclosingtag: () => {
        opened(true);
      },
      onclosetag(from, to) {
        handlers.close(html.slice(from, to).toLowerCase());
      },
      ontext(from, to) {
        handlers.text(from, to);
      },
      ontextentity: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}

function ignore(): void {
  // Nothing of it is listed.
}
