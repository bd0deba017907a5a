/** Decodes the HTML character references of ASCII characters, which can change how an attribute's value is read. */

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  Tab: '\t',
  NewLine: '\n',
  excl: '!',
  quot: '"',
  QUOT: '"',
  num: '#',
  dollar: '$',
  percnt: '%',
  amp: '&',
  AMP: '&',
  apos: "'",
  lpar: '(',
  rpar: ')',
  ast: '*',
  midast: '*',
  plus: '+',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  lt: '<',
  LT: '<',
  equals: '=',
  gt: '>',
  GT: '>',
  quest: '?',
  commat: '@',
  lsqb: '[',
  lbrack: '[',
  bsol: '\\',
  rsqb: ']',
  rbrack: ']',
  Hat: '^',
  lowbar: '_',
  UnderBar: '_',
  grave: '`',
  DiacriticalGrave: '`',
  lcub: '{',
  lbrace: '{',
  verbar: '|',
  vert: '|',
  VerticalLine: '|',
  rcub: '}',
  rbrace: '}',
  nbsp: '\u00a0',
};
/** References that are valid without a semicolon. */
const ENTITIES_WITHOUT_SEMICOLON = new Set(['quot', 'QUOT', 'amp', 'AMP', 'lt', 'LT', 'gt', 'GT', 'nbsp']);

/** Decodes character references. `attribute`: like browsers do in attributes, where `?a=1&lt=2` keeps its second parameter. */
export function decodeEntities(text: string, attribute = false): string {
  return text.replace(
    /&(?:#(?:[xX]([\da-fA-F]+)|(\d+));?|([A-Za-z]+)(;?))/g,
    (
      reference: string,
      hex: string | undefined,
      decimal: string | undefined,
      name: string,
      end: string,
      at: number,
    ) => {
      if (hex !== undefined || decimal !== undefined) {
        const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
        const bad = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
        return bad ? '\ufffd' : String.fromCodePoint(code);
      }
      if (end === ';') return Object.hasOwn(NAMED_ENTITIES, name) ? (NAMED_ENTITIES[name] ?? reference) : reference;
      if (attribute)
        return ENTITIES_WITHOUT_SEMICOLON.has(name) && !/[=\d]/.test(text.charAt(at + reference.length))
          ? (NAMED_ENTITIES[name] ?? '')
          : reference;
      const bare = [...ENTITIES_WITHOUT_SEMICOLON].find((known) => name.startsWith(known));
      return bare === undefined ? reference : (NAMED_ENTITIES[bare] ?? '') + name.slice(bare.length);
    },
  );
}
