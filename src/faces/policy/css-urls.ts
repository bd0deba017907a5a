/** Finds the URLs that CSS loads, for the list that the user reads. The content security policy does the blocking. */

interface CssUrl {
  readonly kind: 'image' | 'font' | 'import';
  readonly url: string;
  /** range of the whole `url(…)`, or of the string in its place */
  readonly start: number;
  readonly end: number;
}

/** Tokens that matter for URLs. */
const TOKEN = /\/\*|["'\\{}();]|\burl\(|\bimage-set\(|\btype\(|@import\b|@font-face\b/gi;
/** Maximum numbers of characters of CSS, of URLs, and of characters of a URL. */
const MAX_LENGTH = 500_000;
const MAX_URLS = 1000;
const MAX_URL_LENGTH = 2000;

/** Returns the URLs in the order of the text. Linear in its length. */
export function findCssUrls(text: string): readonly CssUrl[] {
  return new CssUrlReader(text.slice(0, MAX_LENGTH)).read();
}

class CssUrlReader {
  readonly #css: string;
  readonly #token = new RegExp(TOKEN);
  readonly #urls: CssUrl[] = [];
  /** open blocks, innermost last; true for `@font-face` */
  readonly #blocks: boolean[] = [];
  /** open parentheses, innermost last */
  readonly #brackets: ('set' | 'type' | 'other')[] = [];
  #fontFace = false;
  #importAt: number | undefined;

  constructor(css: string) {
    this.#css = css;
  }

  read(): readonly CssUrl[] {
    while (this.#urls.length < MAX_URLS) {
      const found = this.#token.exec(this.#css);
      if (found === null) break;
      this.#token.lastIndex = this.#step(found[0].toLowerCase(), found.index, found.index + found[0].length);
    }
    return this.#urls;
  }

  /** Handles a token and returns the offset to continue at. */
  #step(token: string, at: number, after: number): number {
    switch (token) {
      case '/*': {
        const end = this.#css.indexOf('*/', after);
        return end < 0 ? this.#css.length : end + 2;
      }
      case '"':
      case "'": {
        const end = this.#stringEnd(token, after);
        if (this.#importAt !== undefined || this.#brackets.at(-1) === 'set') this.#add(after, end, at, end + 1);
        return end + 1;
      }
      case '\\':
        return after + 1;
      case 'url(':
        return this.#url(at, after);
      case 'image-set(':
      case 'type(':
      case '(':
        this.#brackets.push(token === '(' ? 'other' : token === 'type(' ? 'type' : 'set');
        return after;
      case ')':
        this.#brackets.pop();
        return after;
      case '@import':
        this.#importAt = at;
        return after;
      case '@font-face':
        this.#fontFace = true;
        return after;
      case '{':
        this.#blocks.push(this.#fontFace);
        break;
      case '}':
        this.#blocks.pop();
        break;
    }
    // Braces and semicolons end the statement.
    this.#brackets.length = 0;
    this.#importAt = undefined;
    this.#fontFace = false;
    return after;
  }

  #url(at: number, after: number): number {
    const start = this.#skip(after, /\S/g);
    const quote = this.#css.charAt(start);
    const quoted = quote === '"' || quote === "'";
    const end = quoted ? this.#stringEnd(quote, start + 1) : this.#skip(start, /[)\s"']/g);
    const close = this.#skip(quoted ? end + 1 : end, /\S/g);
    if (this.#css[close] !== ')') return end;
    this.#add(quoted ? start + 1 : start, end, at, close + 1);
    return close + 1;
  }

  #add(from: number, to: number, start: number, end: number): void {
    const url = unescapeCss(this.#css.slice(from, Math.min(to, from + MAX_URL_LENGTH)));
    const importAt = this.#importAt;
    this.#importAt = undefined;
    if (url === '') return;
    const use = importAt !== undefined ? 'import' : this.#blocks.at(-1) === true ? 'font' : 'image';
    this.#urls.push({ kind: use, url, start: importAt ?? start, end });
  }

  /** Returns the offset of the closing quote, or of the line break or end of the text before it. */
  #stringEnd(quote: string, from: number): number {
    let at = from;
    while (at < this.#css.length && this.#css[at] !== quote && this.#css[at] !== '\n')
      at += this.#css[at] === '\\' ? 2 : 1;
    return Math.min(at, this.#css.length);
  }

  #skip(from: number, to: RegExp): number {
    to.lastIndex = from;
    return to.exec(this.#css)?.index ?? this.#css.length;
  }
}

/** Decodes CSS escapes: `\2f` is a slash. */
export function unescapeCss(text: string): string {
  return text.replace(/\\(?:([\da-f]{1,6})\s?|(.))/gi, (_all, hex: string | undefined, plain: string | undefined) => {
    const code = hex === undefined ? NaN : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : (plain ?? '');
  });
}
