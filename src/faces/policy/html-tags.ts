import { decodeHTMLAttribute } from 'entities/decode';
import { QuoteType, Tokenizer } from 'htmlparser2';

export interface Attribute {
  /** lower case */
  readonly name: string;
  readonly value: string;
  readonly start: number;
  /** range of the value with its `=` and quotes; empty if there is no value */
  readonly valueStart: number;
  readonly end: number;
}

export interface Tag {
  /** lower case */
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly start: number;
  /** ends in `/>`, which closes elements of SVG and MathML */
  readonly selfClosing: boolean;
}

interface TagHandlers {
  open(tag: Tag): void;
  close(name: string): void;
  /** a range of text */
  text(start: number, end: number): void;
}

/** Reads the tags of an HTML text much like browsers do. For lists that the user reads; not for security decisions. */
export function readTags(html: string, handlers: TagHandlers): void {
  let name = '';
  let start = 0;
  let attributes: Attribute[] = [];
  let names = new Set<string>();
  let attribute = { name: '', start: 0, nameEnd: 0, value: '' };
  const openTag = (selfClosing: boolean): void => handlers.open({ name, attributes, start, selfClosing });
  const tokenizer = new Tokenizer(
    // Values are decoded as a whole.
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
      onattribentity: ignoreToken,
      onattribend(quote, at) {
        // For quoted values the offset is that of the closing quote.
        const quoted = html[at] === '"' || html[at] === "'";
        const hasNoValue = quote === QuoteType.NoValue;
        const end = hasNoValue ? attribute.nameEnd : at + (quoted && quote !== QuoteType.Unquoted ? 1 : 0);
        const { name: lowerCaseName, value, start: from, nameEnd } = attribute;
        // Like browsers, keep the first attribute of a name.
        if (!names.has(lowerCaseName))
          attributes.push({
            name: lowerCaseName,
            value: decodeHTMLAttribute(value),
            start: from,
            valueStart: nameEnd,
            end,
          });
        names.add(lowerCaseName);
      },
      onopentagend: () => openTag(false),
      onselfclosingtag: () => openTag(true),
      onclosetag: (from, to) => handlers.close(html.slice(from, to).toLowerCase()),
      ontext: (from, to) => handlers.text(from, to),
      ontextentity: ignoreToken,
      oncdata: ignoreToken,
      oncomment: ignoreToken,
      ondeclaration: ignoreToken,
      onprocessinginstruction: ignoreToken,
      onend: ignoreToken,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}

function ignoreToken(): void {
  // Not listed.
}
