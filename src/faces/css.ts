/** Finds what a piece of CSS would load (pure). A help for the person who reads the list: the policy is what holds. */

export interface CssLoad {
  readonly use: 'image' | 'font' | 'import';
  readonly url: string;
  /** of the whole `url(…)` within the text, or of the string that stands for it */
  readonly start: number;
  readonly end: number;
}

const LOAD =
  /@import\s{1,20}(?:url\(\s{0,20})?["']?([^"')\s;]{0,2000})|\burl\(\s{0,20}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^)"'\s]{0,2000}))\s{0,20}\)|\b(image-set)\(|\btype\([^)]{0,100}\)|("(?:[^"\\\n]|\\.){0,2000}"|'(?:[^'\\\n]|\\.){0,2000}')/gi;
/** Characters that are looked at, and loads that are listed: bounded work, whatever a face holds. */
const LONGEST = 500_000;
const MOST = 1000;
const LONGEST_SET = 4000;
const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/g;

export function cssLoads(text: string): readonly CssLoad[] {
  // Comments become blanks, so that offsets stay.
  const css = text.slice(0, LONGEST).replace(COMMENT, (comment) => ' '.repeat(comment.length));
  const loads: CssLoad[] = [];
  // Of a set of images each may be named by a string alone.
  let setEnds = 0;
  for (const found of css.matchAll(LOAD)) {
    if (loads.length >= MOST) break;
    const [all, imported, double, single, plain, set, string] = found;
    if (set !== undefined && found.index >= setEnds) setEnds = endOf(css, found.index + all.length);
    const named = found.index < setEnds ? string?.slice(1, -1) : undefined;
    const url = unescapeCss(imported ?? double ?? single ?? plain ?? named ?? '');
    if (url === '') continue;
    const use = imported !== undefined ? 'import' : insideFontFace(css, found.index) ? 'font' : 'image';
    loads.push({ use, url, start: found.index, end: found.index + all.length });
  }
  return loads;
}

/** Where the bracket closes that is open there: near enough, for the list. */
function endOf(css: string, from: number): number {
  let open = 1;
  const end = Math.min(css.length, from + LONGEST_SET);
  for (let at = from; at < end; at++) {
    if (css[at] === '(') open++;
    else if (css[at] === ')' && --open === 0) return at;
  }
  return end;
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
