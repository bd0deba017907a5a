/** Finds what a piece of CSS would load (pure). A help for the person who reads the list: the policy is what holds. */

export interface CssLoad {
  readonly use: 'image' | 'font' | 'import';
  readonly url: string;
  /** of the whole `url(…)` within the text */
  readonly start: number;
  readonly end: number;
}

const LOAD =
  /@import\s{1,20}(?:url\(\s{0,20})?["']?([^"')\s;]{0,2000})|\burl\(\s{0,20}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^)"'\s]{0,2000}))\s{0,20}\)/gi;
/** Characters that are looked at, and loads that are listed: bounded work, whatever a face holds. */
const LONGEST = 500_000;
const MOST = 1000;
const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/g;

export function cssLoads(text: string): readonly CssLoad[] {
  // Comments become blanks, so that offsets stay.
  const css = text.slice(0, LONGEST).replace(COMMENT, (comment) => ' '.repeat(comment.length));
  const loads: CssLoad[] = [];
  for (const found of css.matchAll(LOAD)) {
    if (loads.length >= MOST) break;
    const [all, imported, double, single, plain] = found;
    const url = unescapeCss(imported ?? double ?? single ?? plain ?? '');
    const use = imported !== undefined ? 'import' : insideFontFace(css, found.index) ? 'font' : 'image';
    if (url !== '') loads.push({ use, url, start: found.index, end: found.index + all.length });
  }
  return loads;
}

function insideFontFace(css: string, at: number): boolean {
  const open = css.lastIndexOf('{', at);
  if (open < 0 || css.lastIndexOf('}', at) > open) return false;
  return /@font-face\s*$/i.test(css.slice(Math.max(0, open - 40), open));
}

/** `\2f` is a slash. */
function unescapeCss(text: string): string {
  return text.replace(/\\(?:([\da-f]{1,6})\s?|(.))/gi, (_all, hex: string | undefined, plain: string | undefined) => {
    const code = hex === undefined ? NaN : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : (plain ?? '');
  });
}
