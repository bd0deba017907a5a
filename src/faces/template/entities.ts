/** Character references of HTML, as far as they can change how a value of an attribute is read: those of ASCII. */

const NAMED: Readonly<Record<string, string>> = {
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
/** Those that old pages write without a semicolon. */
const BARE = new Set(['quot', 'QUOT', 'amp', 'AMP', 'lt', 'LT', 'gt', 'GT', 'nbsp']);

/** `attribute`: as browsers do it there, where `?a=1&lt=2` keeps its second parameter. */
export function decodeEntities(text: string, attribute = false): string {
  return text.replace(
    /&(?:#(?:[xX]([\da-fA-F]+)|(\d+));?|([A-Za-z]+)(;?))/g,
    (whole: string, hex: string | undefined, decimal: string | undefined, name: string, end: string, at: number) => {
      if (hex !== undefined || decimal !== undefined) {
        const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
        const bad = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
        return bad ? '\ufffd' : String.fromCodePoint(code);
      }
      if (end === ';') return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? whole) : whole;
      if (attribute)
        return BARE.has(name) && !/[=\d]/.test(text.charAt(at + whole.length)) ? (NAMED[name] ?? '') : whole;
      const bare = [...BARE].find((known) => name.startsWith(known));
      return bare === undefined ? whole : (NAMED[bare] ?? '') + name.slice(bare.length);
    },
  );
}
