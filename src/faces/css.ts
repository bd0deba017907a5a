/** Finds what a piece of CSS would load (pure). A help for the person who reads the list: the policy is what holds. */

export interface CssLoad {
  readonly use: 'image' | 'font' | 'import';
  readonly url: string;
  /** of the whole `url(…)` within the text */
  readonly start: number;
  readonly end: number;
}

const LOAD = /@import\s+(?:url\(\s*)?["']?([^"')\s;]*)["']?\s*\)?|\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^)"'\s]*))\s*\)/gi;
const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/g;

export function cssLoads(text: string): readonly CssLoad[] {
  // Comments become blanks, so that offsets stay.
  const css = text.replace(COMMENT, (comment) => ' '.repeat(comment.length));
  const loads: CssLoad[] = [];
  for (const found of css.matchAll(LOAD)) {
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
